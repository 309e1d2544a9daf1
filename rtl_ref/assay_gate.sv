// Stage gate: elements whose product the case's mask switches off are +0, which does not count.
//
//   counts | class | negative | exponent | significand
module assay_gate #(
  parameter int unsigned Terms       = 1,
  parameter int unsigned NumberWidth = 32,
  parameter int unsigned BitWidth    = 6   // of a number that is 0 or 1
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  input  logic [Terms*BitWidth-1:0]    mask_i,  // one for each element
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic on;
    assign on = mask_i[(i+1)*BitWidth-1];
    assign number_o[i*NumberWidth +: NumberWidth] =
        on ? number_i[i*NumberWidth +: NumberWidth] : '0;
  end

  // A number that counts is not zero: no more of it is asked.
  logic unused;
  assign unused = ^mask_i;

endmodule

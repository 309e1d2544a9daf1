// Which of decoded operands are signalling NaNs, as what they raise with whoever reads them.
//
//   significand   1 | q m m m     q clear: it signals
module assay_signals #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  ExponentWidth    = 5,
  parameter int unsigned  SignificandWidth = 11,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth,
  localparam int unsigned RaisedWidth      = 5
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*RaisedWidth-1:0] raised_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [NumberWidth-1:0] number;
    logic                   signals;
    assign number  = number_i[i*NumberWidth +: NumberWidth];
    assign signals = number[NumberWidth-2 -: 2] == assay_pkg::ClassNan &&
                     !number[SignificandWidth-2];
    assign raised_o[i*RaisedWidth +: RaisedWidth] = {signals, {(RaisedWidth - 1) {1'b0}}};

    logic unused;
    assign unused = ^number;
  end

endmodule

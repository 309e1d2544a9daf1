// Stage align: of a window that is lost nothing is left, and nothing was cut off either.
module assay_lost_window #(
  parameter int unsigned Terms       = 16,
  parameter int unsigned AddendWidth = 28
) (
  input  logic                         counts_i,  // the window is not lost
  input  logic [Terms*AddendWidth-1:0] addend_i,
  input  logic [Terms-1:0]             lost_i,
  output logic [Terms*AddendWidth-1:0] addend_o,
  output logic [Terms-1:0]             lost_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    assign addend_o[i*AddendWidth +: AddendWidth] =
        counts_i ? addend_i[i*AddendWidth +: AddendWidth] : '0;
  end
  assign lost_o = counts_i ? lost_i : '0;

endmodule

// Whether a sum has lost anything: ones as its addends were cut, or all of them where its window was
// lost.
module assay_inexact #(
  parameter int unsigned Terms       = 17,
  parameter int unsigned AddendWidth = 28
) (
  input  logic [Terms*AddendWidth-1:0] addend_i,
  input  logic [Terms-1:0]             lost_i,
  input  logic                         counts_i,  // its window is there
  output logic                         inexact_o
);

  assign inexact_o = (|lost_i) || (!counts_i && (|addend_i));

endmodule

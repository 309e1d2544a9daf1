// Stage special: what NaNs and infinities among numbers decide, as an assay_pkg::outcome_e.
//
//   any NaN                     NaN
//   both signs of infinity      NaN
//   one sign of infinity        that infinity
//   otherwise                   nothing: the arithmetic decides
module assay_special #(
  parameter int unsigned Terms       = 16,
  parameter int unsigned NumberWidth = 32
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [1:0]                   outcome_o
);

  logic [Terms-1:0] nan, positive, negative;

  for (genvar i = 0; i < Terms; i++) begin : gen_class
    logic       minus;
    logic [1:0] class_is;
    assign {class_is, minus} = number_i[(i+1)*NumberWidth-4 +: 3];
    assign nan[i]            = class_is == assay_pkg::ClassNan;
    assign positive[i]       = class_is == assay_pkg::ClassInfinity && !minus;
    assign negative[i]       = class_is == assay_pkg::ClassInfinity && minus;
  end

  assign outcome_o = ((|nan) || ((|positive) && (|negative))) ? assay_pkg::OutcomeNan :
                     (|positive)                              ? assay_pkg::OutcomePositiveInfinity :
                     (|negative)                              ? assay_pkg::OutcomeNegativeInfinity :
                                                                assay_pkg::OutcomeNone;

  // Only class and sign matter here.
  logic unused;
  assign unused = ^number_i;

endmodule

// Stage special: what NaNs and infinities among the products of a step and acc decide.
//
//   any NaN                     NaN
//   both signs of infinity      NaN
//   one sign of infinity        that infinity
//   otherwise                   nothing: the arithmetic decides
module assay_special #(
  parameter int unsigned  Terms        = 16,
  parameter int unsigned  ProductWidth = 32,  // of a whole number
  parameter int unsigned  AccWidth     = 37,
  localparam int unsigned All          = Terms + 1
) (
  input  logic [Terms*ProductWidth-1:0] product_i,
  input  logic [AccWidth-1:0]           acc_i,
  output assay_pkg::outcome_e           outcome_o
);

  logic [All-1:0] nan, positive, negative;

  for (genvar i = 0; i < All; i++) begin : gen_class
    logic       minus;
    logic [1:0] class_is;
    if (i < Terms) begin : gen_product
      assign {class_is, minus} = product_i[(i+1)*ProductWidth-4 +: 3];
    end else begin : gen_acc
      assign {class_is, minus} = acc_i[AccWidth-4 +: 3];
    end
    assign nan[i]      = class_is == assay_pkg::ClassNan;
    assign positive[i] = class_is == assay_pkg::ClassInfinity && !minus;
    assign negative[i] = class_is == assay_pkg::ClassInfinity && minus;
  end

  assign outcome_o = ((|nan) || ((|positive) && (|negative))) ? assay_pkg::OutcomeNan :
                     (|positive)                              ? assay_pkg::OutcomePositiveInfinity :
                     (|negative)                              ? assay_pkg::OutcomeNegativeInfinity :
                                                                assay_pkg::OutcomeNone;

  // Only class and sign matter here.
  logic unused;
  assign unused = ^{product_i, acc_i};

endmodule

// What a step leaves: the rounded sum, unless NaNs and infinities decided (an assay_pkg::outcome_e).
module assay_acc #(
  parameter int unsigned NumberWidth = 37
) (
  input  logic [1:0]             outcome_i,
  input  logic [NumberWidth-1:0] sum_i,
  output logic [NumberWidth-1:0] acc_o
);

  logic                   counts, negative;
  logic [1:0]             class_is;
  logic [NumberWidth-5:0] value;
  assign {counts, class_is, negative, value} = sum_i;

  always_comb begin
    case (outcome_i)
      assay_pkg::OutcomeNan: acc_o = {1'b0, assay_pkg::ClassNan, 1'b0, value};
      assay_pkg::OutcomePositiveInfinity: acc_o = {1'b0, assay_pkg::ClassInfinity, 1'b0, value};
      assay_pkg::OutcomeNegativeInfinity: acc_o = {1'b0, assay_pkg::ClassInfinity, 1'b1, value};
      default: acc_o = {counts, class_is, negative, value};
    endcase
  end

endmodule

// What several sets of terms decide together (each an assay_pkg::outcome_e), or, where none of them
// decides, what the last one does.
module assay_decide #(
  parameter int unsigned Sets = 2
) (
  input  logic [2*Sets-1:0] outcome_i,
  input  logic [1:0]        last_i,
  output logic [1:0]        outcome_o
);

  logic [Sets-1:0] nan, positive, negative;
  for (genvar i = 0; i < Sets; i++) begin : gen_set
    assign nan[i]      = outcome_i[2*i +: 2] == assay_pkg::OutcomeNan;
    assign positive[i] = outcome_i[2*i +: 2] == assay_pkg::OutcomePositiveInfinity;
    assign negative[i] = outcome_i[2*i +: 2] == assay_pkg::OutcomeNegativeInfinity;
  end

  assign outcome_o = ((|nan) || ((|positive) && (|negative))) ? assay_pkg::OutcomeNan :
                     (|positive)                              ? assay_pkg::OutcomePositiveInfinity :
                     (|negative)                              ? assay_pkg::OutcomeNegativeInfinity :
                                                                last_i;

endmodule

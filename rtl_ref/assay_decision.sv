// What a step leaves where its results make something else of NaNs and infinities: the rounded sum,
// or what they make of the NaN or the infinity that decided (an assay_pkg::outcome_e).
module assay_decision #(
  parameter int unsigned            NumberWidth   = 37,
  parameter logic [NumberWidth-1:0] OfNan         = '0,
  parameter logic [NumberWidth-1:0] PlusInfinity  = '0,
  parameter logic [NumberWidth-1:0] MinusInfinity = '0
) (
  input  logic [1:0]             outcome_i,
  input  logic [NumberWidth-1:0] sum_i,
  output logic [NumberWidth-1:0] acc_o
);

  always_comb begin
    case (outcome_i)
      assay_pkg::OutcomeNan:              acc_o = OfNan;
      assay_pkg::OutcomePositiveInfinity: acc_o = PlusInfinity;
      assay_pkg::OutcomeNegativeInfinity: acc_o = MinusInfinity;
      default:                            acc_o = sum_i;
    endcase
  end

endmodule

// What has been raised when a step is done: where its NaNs and infinities decided, what they raised,
// what deciding did, and what the results of the step made of the decision; else what its sums did.
module assay_raised_step #(
  parameter int unsigned  Terms         = 17,
  parameter bit           Before        = 1'b1,  // else what is invalid only
  parameter logic [3:0]   OfNan         = '0,    // raised by what became of the decision
  parameter logic [3:0]   PlusInfinity  = '0,
  parameter logic [3:0]   MinusInfinity = '0,
  localparam int unsigned RaisedWidth   = 5
) (
  input  logic [1:0]                   outcome_i,
  input  logic [Terms*RaisedWidth-1:0] raised_i,  // of all that may decide
  input  logic [Terms-1:0]             nan_i,     // which of it is NaN
  input  logic [RaisedWidth-1:0]       sum_i,
  output logic [RaisedWidth-1:0]       raised_o
);

  logic [1:0] class_is;
  assign class_is = (outcome_i == assay_pkg::OutcomeNan) ? assay_pkg::ClassNan
                                                         : assay_pkg::ClassInfinity;
  logic [RaisedWidth-1:0] seen, own;
  assay_raised #(
    .Candidates(Terms)
  ) u_seen (
    .raised_i,
    .nan_i,
    .class_i  (class_is),
    .inexact_i(1'b0),
    .raised_o (seen)
  );

  localparam logic [RaisedWidth-1:0] Mask = Before ? 5'b11111 : 5'b00001;
  always_comb begin
    case (outcome_i)
      assay_pkg::OutcomeNan:              own = RaisedWidth'(OfNan);
      assay_pkg::OutcomePositiveInfinity: own = RaisedWidth'(PlusInfinity);
      default:                            own = RaisedWidth'(MinusInfinity);
    endcase
  end
  assign raised_o = (outcome_i == assay_pkg::OutcomeNone) ? sum_i : (seen & Mask) | own;

endmodule

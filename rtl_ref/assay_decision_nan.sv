// The sign and payload of the NaN that a step leaves where its results make something else of NaNs
// and infinities: those of the NaN that decided, if it stays, else its own sign and no payload.
module assay_decision_nan #(
  parameter int unsigned  NumberWidth  = 37,
  parameter bit           KeepsNan     = 1'b1,
  parameter int unsigned  PayloadWidth = 23,
  localparam int unsigned NanWidth     = 2 + PayloadWidth
) (
  input  logic [1:0]             outcome_i,
  input  logic [NanWidth-1:0]    nan_i,
  input  logic [NumberWidth-1:0] number_i,
  output logic [NanWidth-1:0]    nan_o
);

  logic                    was_nan, negative, minus, stays;
  logic [1:0]              class_is;
  logic [PayloadWidth-1:0] payload;
  assign {was_nan, negative, payload} = nan_i;
  assign {class_is, minus}            = number_i[NumberWidth-4 +: 3];
  assign stays = outcome_i == assay_pkg::OutcomeNone ||
                 (KeepsNan && outcome_i == assay_pkg::OutcomeNan);
  assign nan_o = {
    class_is == assay_pkg::ClassNan, stays ? negative : minus, stays ? payload : '0
  };

  // Only class and sign of the number matter.
  logic unused;
  assign unused = ^{was_nan, number_i};

endmodule

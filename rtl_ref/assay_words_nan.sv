// The sign and payload of each NaN that a result leaves: those it came with, or, where a word made
// it, its own sign and no payload.
module assay_words_nan #(
  parameter int unsigned  Terms        = 1,
  parameter int unsigned  BeforeWidth  = 16,
  parameter int unsigned  NumberWidth  = 13,
  parameter bit           KeepsNan     = 1'b1,
  parameter int unsigned  PayloadWidth = 23,
  localparam int unsigned NanWidth     = 2 + PayloadWidth
) (
  input  logic [Terms*NanWidth-1:0]    nan_i,
  input  logic [Terms*BeforeWidth-1:0] before_i,
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NanWidth-1:0]    nan_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                    was_nan, negative, came, is_nan, minus;
    logic [1:0]              class_is;
    logic [PayloadWidth-1:0] payload;
    assign {was_nan, negative, payload} = nan_i[i*NanWidth +: NanWidth];
    assign {class_is, minus}            = number_i[(i+1)*NumberWidth-4 +: 3];
    assign is_nan = class_is == assay_pkg::ClassNan;
    assign came   = KeepsNan && before_i[(i+1)*BeforeWidth-3 +: 2] == assay_pkg::ClassNan;
    assign nan_o[i*NanWidth +: NanWidth] = {
      is_nan, came ? negative : minus, came ? payload : '0
    };
    logic unused;
    assign unused = was_nan;
  end

  // Of the numbers, only class and sign matter.
  logic unused;
  assign unused = ^{before_i, number_i};

endmodule

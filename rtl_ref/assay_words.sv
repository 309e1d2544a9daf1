// Stage round: what becomes of numbers that a format cannot hold.
//
//   before     finite                       infinity      NaN
//   rounded    infinity: it is too large
//              below zero
//
// Each is kept, or becomes the number that lies farthest on its side, a NaN of its sign, or zero.
module assay_words #(
  parameter int unsigned         Terms            = 1,
  parameter int unsigned         BeforeWidth      = 16,
  parameter int unsigned         ExponentWidth    = 5,
  parameter int unsigned         SignificandWidth = 4,
  parameter assay_pkg::word_e    TooLarge         = assay_pkg::WordKeep,
  parameter assay_pkg::word_e    TooSmall         = assay_pkg::WordKeep,  // too large, below zero
  parameter assay_pkg::word_e    PlusInfinity     = assay_pkg::WordKeep,
  parameter assay_pkg::word_e    MinusInfinity    = assay_pkg::WordKeep,
  parameter assay_pkg::word_e    Nan              = assay_pkg::WordKeep,  // to a NaN: of sign +
  parameter assay_pkg::word_e    BelowZero        = assay_pkg::WordKeep,
  localparam int unsigned        NumberWidth      = 4 + ExponentWidth + SignificandWidth,
  parameter logic [NumberWidth-1:0] Greatest      = '0,
  parameter logic [NumberWidth-1:0] Least         = '0
) (
  input  logic [Terms*BeforeWidth-1:0] before_i,
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [NumberWidth-1:0]      number;
    logic                        minus, came_negative, came_finite, negative;
    logic [1:0]                  came, class_is;
    logic [SignificandWidth-1:0] significand;
    assign number                = number_i[i*NumberWidth +: NumberWidth];
    assign {came, came_negative} = before_i[(i+1)*BeforeWidth-4 +: 3];
    assign {class_is, minus}     = number[NumberWidth-4 +: 3];
    assign significand           = number[SignificandWidth-1:0];
    assign came_finite           = came == assay_pkg::ClassFinite;
    assign negative              = came_finite ? minus
                                               : came_negative && came != assay_pkg::ClassNan;

    assay_pkg::word_e word;
    always_comb begin
      word = assay_pkg::WordKeep;
      if (came == assay_pkg::ClassNan)                word = Nan;
      else if (!came_finite)                          word = negative ? MinusInfinity : PlusInfinity;
      else if (class_is == assay_pkg::ClassInfinity)  word = negative ? TooSmall : TooLarge;
      else if (negative && significand != '0)         word = BelowZero;
    end

    // A zero and a NaN: the class and the sign say all.
    localparam logic [NumberWidth-5:0] Nothing = '0;
    logic [NumberWidth-1:0] result;
    always_comb begin
      case (word)
        assay_pkg::WordLargest: result = negative ? Least : Greatest;
        assay_pkg::WordNan:     result = {1'b0, assay_pkg::ClassNan, negative, Nothing};
        assay_pkg::WordZero:    result = {1'b0, assay_pkg::ClassFinite, 1'b0, Nothing};
        default:                result = number;
      endcase
    end
    assign number_o[i*NumberWidth +: NumberWidth] = result;
  end

  // Of what came, only class and sign matter.
  logic unused;
  assign unused = ^before_i;

endmodule

// Stage multiply, where products go on as carry-save rows: two numbers whose sum the product is, and
// a third one, which takes away what stands in place of the rows' signs.
//
// The significand of one side is taken digit by digit, each of which makes a row of the other one:
// its bits, or by Booth's rule 0, 1, 2, -2 or -1. A negative multiple is its bits turned, and a one
// in the row that follows, which leaves that place free.
//
//   digit  1          s x x x x
//   digit -2      s y y y y y . .
//   digit  1  s x x x x . 1
//             . . 0
module assay_rows #(
  parameter int unsigned  Terms             = 1,
  parameter int unsigned  AExponentWidth    = 5,
  parameter int unsigned  ASignificandWidth = 11,
  parameter int unsigned  BExponentWidth    = 5,
  parameter int unsigned  BSignificandWidth = 11,
  parameter int unsigned  ExponentWidth     = 6,
  parameter int unsigned  SignificandWidth  = 24,  // of a row
  parameter bit           DigitsOfA         = 1'b0,  // else of b
  parameter bit           Booth             = 1'b1,
  parameter bit           TurnsDigits       = 1'b0,  // of a negative product, else both rows
  parameter bit           HasConstant       = 1'b0,  // in place of signs
  parameter int unsigned  SignBit           = 12,    // of a digit's row
  parameter int unsigned  First             = 6,     // so many digits become two rows by themselves
  parameter bit           Chain             = 1'b0,
  localparam int unsigned AWidth            = 4 + AExponentWidth + ASignificandWidth,
  localparam int unsigned BWidth            = 4 + BExponentWidth + BSignificandWidth,
  localparam int unsigned NumberWidth       = 4 + ExponentWidth + SignificandWidth,
  localparam int unsigned Pieces            = HasConstant ? 3 : 2
) (
  input  logic [Terms*AWidth-1:0]             a_i,
  input  logic [Terms*BWidth-1:0]             b_i,
  input  logic [Terms*NumberWidth-1:0]        product_i,  // of which the significand is not looked at
  // all sums lowest, then all carries, then all constants
  output logic [Pieces*Terms*NumberWidth-1:0] rows_o
);

  localparam int unsigned YWidth = DigitsOfA ? ASignificandWidth : BSignificandWidth;
  localparam int unsigned XWidth = DigitsOfA ? BSignificandWidth : ASignificandWidth;
  localparam int unsigned Digits = Booth ? YWidth / 2 + 1 : YWidth;
  localparam int unsigned Groups = (Digits + First - 1) / First;
  localparam int unsigned Extra  = Booth ? 1 : 0;
  localparam int unsigned Place  = Booth ? 2 : 1;
  localparam int unsigned Width  = SignificandWidth + 1;  // with a sign

  // What the digits' turned signs add.
  function automatic logic [Width-1:0] turned_signs(int unsigned digits);
    turned_signs = '0;
    for (int unsigned i = 0; i < digits; i++)
      turned_signs = turned_signs + (Width'(1) << (SignBit + Place * i));
  endfunction

  localparam logic [Width-1:0] Constant = turned_signs(Digits);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                        a_negative, b_negative, counts, negative, is_zero;
    logic [1:0]                  class_is;
    logic [ExponentWidth-1:0]    exponent;
    logic [ASignificandWidth-1:0] a_significand;
    logic [BSignificandWidth-1:0] b_significand;
    assign a_negative    = a_i[i*AWidth + AExponentWidth + ASignificandWidth];
    assign b_negative    = b_i[i*BWidth + BExponentWidth + BSignificandWidth];
    assign a_significand = a_i[i*AWidth +: ASignificandWidth];
    assign b_significand = b_i[i*BWidth +: BSignificandWidth];
    assign {counts, class_is, negative, exponent} =
        product_i[i*NumberWidth + SignificandWidth +: 4 + ExponentWidth];
    assign is_zero = class_is != assay_pkg::ClassFinite || a_significand == '0 ||
                     b_significand == '0;

    logic [YWidth-1:0] y;
    logic [XWidth-1:0] x;
    logic              turned;
    if (DigitsOfA) begin : gen_digits_of_a
      assign y = a_significand;
      assign x = b_significand;
    end else begin : gen_digits_of_b
      assign y = b_significand;
      assign x = a_significand;
    end
    assign turned = TurnsDigits && (a_negative ^ b_negative);

    // --- a row of each digit ---

    logic [Digits*Width-1:0] row;
    logic [Digits-1:0]       minus;
    for (genvar j = 0; j < Digits; j++) begin : gen_digit
      logic [Width-1:0] multiple, own;
      if (Booth) begin : gen_booth
        logic [2:0] code;
        assign code = 3'((YWidth + 3)'({2'b00, y, 1'b0}) >> (2 * j)) ^ {3{turned}};
        assign minus[j] = code[2] && code != 3'b111;
        assign multiple = code[1] ^ code[0]                  ? Width'(x) :
                          code == 3'b011 || code == 3'b100 ? Width'(x) << 1 :
                                                             '0;
      end else begin : gen_bit
        assign minus[j] = 1'b0;
        assign multiple = y[j] ? Width'(x) : '0;
        logic unused;
        assign unused = turned;
      end
      if (HasConstant) begin : gen_constant
        assign own = {{(Width-SignBit-1){1'b0}}, !minus[j], multiple[SignBit-1:0] ^ {SignBit{minus[j]}}};
        logic unused;
        assign unused = ^multiple;
      end else begin : gen_sign
        assign own = multiple ^ {Width{minus[j]}};
      end
      assign row[j*Width +: Width] = own << (Place * j);
    end

    // --- groups of them, and what is left of all groups ---

    logic [2*Groups*Width-1:0] left;
    logic [2*Width-1:0]        both;
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      localparam int unsigned From  = g * First;
      localparam int unsigned Count = From + First < Digits ? First : Digits - From;
      logic [(Count+Extra)*Width-1:0] rows;
      for (genvar j = 0; j < Count; j++) begin : gen_row
        if (j == 0) begin : gen_first
          assign rows[Width-1:0] = row[From*Width +: Width];
        end else begin : gen_following
          assign rows[j*Width +: Width] =
              row[(From+j)*Width +: Width] | (Width'(minus[From+j-1]) << (Place * (From + j - 1)));
        end
      end
      if (Booth) begin : gen_last
        assign rows[Count*Width +: Width] = Width'(minus[From+Count-1]) << (Place * (From + Count - 1));
      end
      assay_compress #(
        .Rows  (Count + Extra),
        .Width (Width),
        .Chain (Chain)
      ) i_group (
        .rows_i (rows),
        .rows_o (left[2*g*Width +: 2*Width])
      );
    end
    assay_compress #(
      .Rows  (2 * Groups),
      .Width (Width),
      .Chain (Chain)
    ) i_all (
      .rows_i (left),
      .rows_o (both)
    );

    // --- a number of each ---

    for (genvar piece = 0; piece < Pieces; piece++) begin : gen_piece
      logic [Width-1:0] value, signed_value, magnitude;
      if (piece == 2) begin : gen_constant
        assign value = -Constant;
      end else begin : gen_row
        assign value = both[piece*Width +: Width];
      end
      assign signed_value = negative && !TurnsDigits ? -value : value;
      assign magnitude    = signed_value[Width-1] ? -signed_value : signed_value;
      assign rows_o[(piece*Terms+i)*NumberWidth +: NumberWidth] = {
        counts,
        class_is,
        is_zero ? negative : signed_value[Width-1],
        exponent,
        is_zero ? {SignificandWidth{1'b0}} : magnitude[SignificandWidth-1:0]
      };
      logic unused;
      assign unused = ^magnitude;
    end
  end

  logic unused;
  assign unused = ^{a_i, b_i, product_i};

endmodule

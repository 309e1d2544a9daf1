// What has been raised when numbers were rounded. Three bits of each come from where it was cut:
//
//   tiny | too large | ones were cut off
//
// Of NaNs and infinities nothing is raised, nor of zeros. Below zero there is nothing too large in a
// format without a sign.
module assay_raised_round #(
  parameter int unsigned       Terms               = 1,
  parameter int unsigned       BeforeExponentWidth = 9,
  parameter int unsigned       BeforeWidth         = 45,  // of a number that was rounded
  parameter int unsigned       ExponentWidth       = 8,
  parameter int unsigned       SignificandWidth    = 24,  // of what it became
  parameter assay_pkg::small_e Small               = assay_pkg::SmallNever,
  parameter bit                HasSign             = 1'b1,
  parameter bit                KeepsNan            = 1'b1,  // else none is left that signals
  parameter bit                Own                 = 1'b1,  // it counts all that this rounding raises, ...
  parameter bit                Before              = 1'b1,  // ... and all that was raised before it;
                                                            // else what is invalid only
  localparam int unsigned      NumberWidth         = 4 + ExponentWidth + SignificandWidth,
  localparam int unsigned      ToldWidth           = 3,
  localparam int unsigned      RaisedWidth         = 5
) (
  input  logic [Terms*RaisedWidth-1:0] raised_i,
  input  logic [Terms*BeforeWidth-1:0] before_i,
  input  logic [Terms*ToldWidth-1:0]   told_i,
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*RaisedWidth-1:0] raised_o
);

  localparam int unsigned MagnitudeWidth = BeforeWidth - 4 - BeforeExponentWidth;
  localparam logic [3:0]  Invalid        = 4'b0001;
  localparam logic [3:0]  OwnMask        = Own ? 4'b1111 : Invalid;
  localparam logic [3:0]  BeforeMask     = Before ? 4'b1111 : Invalid;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                        works, is_nan, is_zero, negative;
    logic                        tiny, beyond, cut_off, too_small;
    logic                        invalid, overflow, underflow, inexact;
    logic [BeforeWidth-1:0]      came;
    logic [NumberWidth-1:0]      number;
    logic [SignificandWidth-1:0] significand;
    assign came        = before_i[i*BeforeWidth +: BeforeWidth];
    assign number      = number_i[i*NumberWidth +: NumberWidth];
    assign significand = number[SignificandWidth-1:0];
    assign negative    = came[BeforeWidth-4];
    assign works       = came[BeforeWidth-2 -: 2] == assay_pkg::ClassFinite &&
                         came[MagnitudeWidth-1:0] != '0;
    assign is_nan      = number[NumberWidth-2 -: 2] == assay_pkg::ClassNan;
    assign is_zero     = number[NumberWidth-2 -: 2] == assay_pkg::ClassFinite && significand == '0;
    assign {tiny, beyond, cut_off} = told_i[i*ToldWidth +: ToldWidth];

    always_comb begin
      case (Small)
        assay_pkg::SmallZero:   too_small = is_zero;
        assay_pkg::SmallResult: too_small = !significand[SignificandWidth-1];
        assay_pkg::SmallTold:   too_small = tiny;
        default:                too_small = 1'b0;
      endcase
    end
    assign overflow  = works && beyond && !(negative && !HasSign);
    assign invalid   = works && is_nan && !overflow;
    assign inexact   = overflow || (works && !invalid && (cut_off || is_zero));
    assign underflow = inexact && !overflow && too_small;

    logic [RaisedWidth-1:0] so_far;
    assign so_far = raised_i[i*RaisedWidth +: RaisedWidth];
    assign raised_o[i*RaisedWidth +: RaisedWidth] = {
      so_far[4] && KeepsNan,
      (so_far[3:0] & BeforeMask) | ({inexact, underflow, overflow, invalid} & OwnMask)
    };

    logic unused;
    assign unused = ^{came, number, tiny};
  end

endmodule

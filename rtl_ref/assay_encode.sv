// Stage encode: a number that a format holds, as its stored bits.
//
//   1 . m m m m     the leading one, where there is one, vanishes into the exponent field
module assay_encode #(
  parameter int unsigned  ExponentBits   = 8,
  parameter int unsigned  MantissaBits   = 23,
  parameter bit           HasSign        = 1'b1,
  parameter int unsigned  IgnoredLowBits = 0,  // stored, written as zero
  parameter int unsigned  IgnoredHighBits = 0,
  parameter int           Bias           = 127,
  parameter int unsigned  ExponentWidth  = 8,
  localparam int unsigned UsedBits       = 32'(HasSign) + ExponentBits + MantissaBits,
  localparam int unsigned StoredBits     = IgnoredHighBits + UsedBits + IgnoredLowBits,
  localparam int unsigned NumberWidth    = 4 + ExponentWidth + MantissaBits + 1,
  parameter bit           NanPayloads = 1'b0,  // a NaN has its own sign and payload, over NanCode
  parameter logic [StoredBits-1:0] NanCode = {StoredBits{1'b1}},
  parameter bit           InfinityIsLast = 1'b0,  // the greatest code that is not NaN
  parameter bit           NanIsAllOnes   = 1'b0
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [StoredBits-1:0]  code_o
);

  logic                            counts, negative, hidden;
  logic [1:0]                      class_is;
  logic signed [ExponentWidth-1:0] exponent;
  logic [MantissaBits:0]           significand, mantissa;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign hidden   = significand[MantissaBits];
  assign mantissa = significand & ~((MantissaBits + 1)'(1) << MantissaBits);

  localparam int unsigned WorkWidth = 1 + assay_pkg::larger(ExponentBits, ExponentWidth);
  logic [ExponentBits-1:0] field;
  assign field = hidden ? ExponentBits'(WorkWidth'(exponent) + WorkWidth'(Bias)) : '0;

  logic [ExponentBits:0] finite_head, infinity_head, nan_head;
  logic [UsedBits-1:0]   finite, infinity, nan;
  assign finite_head   = {negative, field};
  assign infinity_head = {negative, {ExponentBits{1'b1}}};
  assign nan_head      = {negative, {ExponentBits{1'b0}}};
  assign finite        = (UsedBits'(finite_head) << MantissaBits) | UsedBits'(mantissa);
  if (InfinityIsLast) begin : gen_last
    localparam int unsigned FieldBits = ExponentBits + MantissaBits;
    localparam logic [FieldBits-1:0] Last = {FieldBits{1'b1}} ^ FieldBits'(NanIsAllOnes);
    assign infinity = (UsedBits'(nan_head) << MantissaBits) | UsedBits'(Last);
  end else begin : gen_top
    assign infinity = UsedBits'(infinity_head) << MantissaBits;
  end
  assign nan           =
      NanPayloads ? (UsedBits'(nan_head) << MantissaBits) | UsedBits'(mantissa) : '0;

  always_comb begin
    case (class_is)
      assay_pkg::ClassNan:      code_o = (StoredBits'(nan) << IgnoredLowBits) | NanCode;
      assay_pkg::ClassInfinity: code_o = StoredBits'(infinity) << IgnoredLowBits;
      default:                  code_o = StoredBits'(finite) << IgnoredLowBits;
    endcase
  end

  logic unused;
  assign unused = ^{counts, finite_head, infinity_head, nan_head};

endmodule

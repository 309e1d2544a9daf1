// Stage decode: stored codes to numbers.
//
//   ignored | negative | exponent field | mantissa | ignored
//             where there is a sign
module assay_decode #(
  parameter int unsigned            Terms          = 1,
  parameter int unsigned            ExponentBits   = 5,
  parameter int unsigned            MantissaBits   = 10,
  parameter bit                     HasSign        = 1'b1,
  parameter bit                     HasZero        = 1'b1,  // else field 0 is as any other
  parameter int unsigned            IgnoredLowBits = 0,  // stored, read as zero
  parameter int unsigned            IgnoredHighBits = 0,
  parameter int                     Bias           = 15,
  parameter bit                     HasInfinity    = 1'b1,
  parameter bit                     InfinityIsLast = 1'b0,  // the greatest code that is not NaN
  parameter assay_pkg::nan_codes_e  NanCodes       = assay_pkg::NanCodesIeee,
  parameter assay_pkg::subnormals_e Subnormals     = assay_pkg::SubnormalsKeep,
  parameter int unsigned            ExponentWidth  = 5,  // holds every exponent of the format
  localparam int unsigned           UsedBits       = 32'(HasSign) + ExponentBits + MantissaBits,
  localparam int unsigned           StoredBits     = IgnoredHighBits + UsedBits + IgnoredLowBits,
  localparam int unsigned           NumberWidth    = 4 + ExponentWidth + MantissaBits + 1
) (
  input  logic [Terms*StoredBits-1:0]  code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  //   1 . m m m m     the leading 1 is a 0 in a subnormal
  localparam logic [MantissaBits:0] Hidden = (MantissaBits + 1)'(1) << MantissaBits;

  // Below the sign: 11..11, or 11..10 where 11..11 is NaN.
  localparam int unsigned FieldBits = ExponentBits + MantissaBits;
  localparam logic [FieldBits-1:0] Last =
      {FieldBits{1'b1}} ^ FieldBits'(NanCodes == assay_pkg::NanCodesAllOnes);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [UsedBits-1:0]     code;
    logic                    negative;
    logic [ExponentBits-1:0] field;
    logic [MantissaBits:0]   mantissa;
    assign code     = code_i[i*StoredBits+IgnoredLowBits +: UsedBits];
    assign negative = HasSign && code[UsedBits-1];
    assign field    = code[MantissaBits +: ExponentBits];
    assign mantissa = code[MantissaBits:0] & ~Hidden;

    logic top, subnormal, infinity, nan, vanishes;
    assign top       = &field;
    assign subnormal = HasZero && field == '0;
    assign infinity  = HasInfinity && (InfinityIsLast ? code[FieldBits-1:0] == Last
                                                      : top && mantissa == '0);
    assign nan = (NanCodes == assay_pkg::NanCodesIeee && top && mantissa != '0) ||
                 (NanCodes == assay_pkg::NanCodesAllOnes && top && mantissa == ~Hidden) ||
                 (NanCodes == assay_pkg::NanCodesNegativeZero && negative && subnormal &&
                  mantissa == '0);
    assign vanishes  = subnormal && Subnormals != assay_pkg::SubnormalsKeep;

    assay_pkg::class_e class_is;
    assign class_is = nan      ? assay_pkg::ClassNan :
                      infinity ? assay_pkg::ClassInfinity :
                                 assay_pkg::ClassFinite;

    // Only the NaNs of many codes have a payload, only the one that would be -0 has no sign.
    logic [MantissaBits:0] significand;
    logic                  empty, flushed_sign;
    assign empty        = vanishes || (nan && NanCodes != assay_pkg::NanCodesIeee);
    assign significand  = empty ? '0 : subnormal ? mantissa : mantissa | Hidden;
    assign flushed_sign =
        (vanishes && mantissa != '0 && Subnormals == assay_pkg::SubnormalsZero) ||
        (nan && NanCodes == assay_pkg::NanCodesNegativeZero);

    // A subnormal has the exponent of field 1.
    logic [ExponentWidth-1:0] exponent;
    assign exponent = ExponentWidth'(field) + ExponentWidth'(subnormal) - ExponentWidth'(Bias);

    assign number_o[i*NumberWidth +: NumberWidth] = {
      class_is == assay_pkg::ClassFinite && significand != '0,
      class_is,
      negative && !flushed_sign,
      exponent,
      significand
    };
  end

  // The ignored bits are stored, and nothing else.
  logic unused;
  assign unused = ^code_i;

endmodule

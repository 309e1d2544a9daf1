// Stage decode: stored codes to numbers.
//
//   negative | exponent field | mantissa | ignored
module assay_decode #(
  parameter int unsigned            Terms          = 1,
  parameter int unsigned            ExponentBits   = 5,
  parameter int unsigned            MantissaBits   = 10,
  parameter int unsigned            IgnoredLowBits = 0,  // stored, read as zero
  parameter int                     Bias           = 15,
  parameter bit                     HasInfinity    = 1'b1,
  parameter assay_pkg::nan_codes_e  NanCodes       = assay_pkg::NanCodesIeee,
  parameter assay_pkg::subnormals_e Subnormals     = assay_pkg::SubnormalsKeep,
  parameter int unsigned            ExponentWidth  = 5,  // holds every exponent of the format
  localparam int unsigned           UsedBits       = 1 + ExponentBits + MantissaBits,
  localparam int unsigned           StoredBits     = UsedBits + IgnoredLowBits,
  localparam int unsigned           NumberWidth    = 4 + ExponentWidth + MantissaBits + 1
) (
  input  logic [Terms*StoredBits-1:0]  code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                    negative;
    logic [ExponentBits-1:0] field;
    logic [MantissaBits-1:0] mantissa;
    assign {negative, field, mantissa} = code_i[i*StoredBits+IgnoredLowBits +: UsedBits];

    logic top, subnormal, infinity, nan, vanishes;
    assign top       = &field;
    assign subnormal = field == '0;
    assign infinity  = HasInfinity && top && mantissa == '0;
    assign nan = (NanCodes == assay_pkg::NanCodesIeee && top && mantissa != '0) ||
                 (NanCodes == assay_pkg::NanCodesAllOnes && top && (&mantissa)) ||
                 (NanCodes == assay_pkg::NanCodesNegativeZero && negative && subnormal &&
                  mantissa == '0);
    assign vanishes  = subnormal && Subnormals != assay_pkg::SubnormalsKeep;

    assay_pkg::class_e class_is;
    assign class_is = nan      ? assay_pkg::ClassNan :
                      infinity ? assay_pkg::ClassInfinity :
                                 assay_pkg::ClassFinite;

    //   1 . m m m m     the leading 1 is a 0 in a subnormal
    logic [MantissaBits:0] significand;
    assign significand = vanishes ? '0 : {!subnormal, mantissa};

    logic flushed_sign;
    assign flushed_sign = vanishes && mantissa != '0 && Subnormals == assay_pkg::SubnormalsZero;

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

// Stage encode: a number that a prefix code holds, as its code.
//
//   prefix | exponent: its sign in place of its leading one | mantissa
module assay_encode_prefix #(
  parameter int unsigned     Bits          = 8,
  parameter int unsigned     Exponent      = 4,  // bits of its longest field
  parameter int unsigned     ExponentWidth = 6,
  parameter logic [Bits-1:0] NanCode       = {1'b1, {(Bits - 1) {1'b0}}},
  localparam int unsigned    MantissaBits  = Bits - 1 - Exponent,
  localparam int unsigned    NumberWidth   = 4 + ExponentWidth + MantissaBits + 1
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [Bits-1:0]        code_o
);

  localparam int unsigned          BodyWidth = Bits - 1;
  localparam logic [BodyWidth-1:0] Infinity  = ~(BodyWidth'(1) << (BodyWidth - 3));
  localparam int unsigned          Below     = (1 << MantissaBits) + (1 << Exponent) - 1;

  logic                            counts, negative;
  logic [1:0]                      class_is;
  logic signed [ExponentWidth-1:0] exponent;
  logic [MantissaBits:0]           significand;
  logic [ExponentWidth-1:0]        size;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign size = (exponent < 0) ? -exponent : exponent;

  // The last assignment wins: the shortest field that holds the exponent.
  logic [BodyWidth-1:0] body, field;
  always_comb begin
    body  = BodyWidth'(exponent) + BodyWidth'(Below);
    field = '0;
    for (int unsigned n = 0; n <= Exponent; n = n + 1) begin
      if (size >> (Exponent - n) == '0) begin
        field = BodyWidth'(size);
        if (exponent >= 0) field = field ^ ((BodyWidth'(1) << (Exponent - n)) >> 1);
        field = field << MantissaBits;
        body  = BodyWidth'(assay_pkg::prefix_value(Exponent - n, Exponent)) <<
                (BodyWidth - assay_pkg::prefix_width(Exponent - n, Exponent));
        body  = body | ((field | BodyWidth'(significand[MantissaBits-1:0])) >>
                        (assay_pkg::prefix_width(Exponent - n, Exponent) - n));
      end
    end
  end

  always_comb begin
    code_o = {negative, (class_is == assay_pkg::ClassInfinity) ? Infinity : body};
    if (class_is == assay_pkg::ClassFinite && significand == '0) code_o = '0;
    if (class_is == assay_pkg::ClassNan)                         code_o = NanCode;
  end

  logic unused;
  assign unused = ^{counts, significand[MantissaBits]};

endmodule

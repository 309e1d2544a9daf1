// Stage decode: prefix codes to numbers.
//
//   negative | prefix | exponent | mantissa
//
//   prefix     11  10  01  001  0001   0000         of the longest field of 4 bits
//   exponent    4   3   2    1     0   none: the rest x is 2^(x + what the least normal number has)
//
// An exponent is its sign, then its magnitude without the leading one. The code that would be the
// greatest number is an infinity, that of -0 is NaN.
module assay_decode_prefix #(
  parameter int unsigned  Terms         = 1,
  parameter int unsigned  Bits          = 8,
  parameter int unsigned  Exponent      = 4,  // bits of its longest field
  parameter int unsigned  ExponentWidth = 6,  // holds every exponent
  localparam int unsigned MantissaBits  = Bits - 1 - Exponent,
  localparam int unsigned NumberWidth   = 4 + ExponentWidth + MantissaBits + 1
) (
  input  logic [Terms*Bits-1:0]        code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned          BodyWidth = Bits - 1;
  localparam logic [BodyWidth-1:0] Top       = BodyWidth'(1) << (BodyWidth - 1);
  localparam logic [BodyWidth-1:0] Infinity  = ~(Top >> 2);

  // What the exponent of x is less than x.
  localparam int unsigned Below = (1 << MantissaBits) + (1 << Exponent) - 1;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                    negative, subnormal, down, nothing, infinity, finite;
    logic [BodyWidth-1:0]    body, fields;
    logic [Exponent-1:0]     size;
    logic [MantissaBits-1:0] mantissa;
    assign {negative, body} = code_i[i*Bits +: Bits];

    always_comb begin
      subnormal = 1'b1;
      fields    = '0;
      size      = '0;
      mantissa  = '0;
      for (int unsigned f = 0; f <= Exponent; f = f + 1) begin
        if (body >> (BodyWidth - assay_pkg::prefix_width(f, Exponent)) ==
            BodyWidth'(assay_pkg::prefix_value(f, Exponent))) begin
          subnormal = 1'b0;
          fields    = body << assay_pkg::prefix_width(f, Exponent);
          size      = Exponent'((fields | Top) >> (BodyWidth - f));
          mantissa  = MantissaBits'((fields << f) >> Exponent);
        end
      end
    end
    assign down     = fields[BodyWidth-1];
    assign nothing  = body == '0;
    assign infinity = body == Infinity;
    assign finite   = !nothing && !infinity;

    logic [ExponentWidth-1:0] exponent, distance, normal;
    logic [MantissaBits:0]    significand;
    assign distance    = ExponentWidth'(size);
    assign normal      = down ? -distance : distance;
    assign exponent    = subnormal ? ExponentWidth'(body) - ExponentWidth'(Below) : normal;
    assign significand = {1'b1, mantissa};

    assign number_o[i*NumberWidth +: NumberWidth] = {
      finite,
      infinity ? assay_pkg::ClassInfinity :
      (nothing && negative) ? assay_pkg::ClassNan : assay_pkg::ClassFinite,
      negative && !nothing,
      exponent,
      finite ? significand : '0
    };
  end

endmodule

// Stage decode: posits to numbers.
//
//   negative | r r r !r | e e | f f f     of the magnitude: where r is 1, k of them are the regime
//                                         k - 1, else -k
//
// The exponent is regime x 2^Es + e; bits that are not there any more are zeros.
module assay_decode_posit #(
  parameter int unsigned  Terms         = 1,
  parameter int unsigned  Bits          = 8,
  parameter int unsigned  Es            = 2,
  parameter int unsigned  ExponentWidth = 6,  // holds every exponent
  localparam int unsigned MantissaBits  = assay_pkg::larger(Bits, Es + 3) - Es - 3,
  localparam int unsigned NumberWidth   = 4 + ExponentWidth + MantissaBits + 1
) (
  input  logic [Terms*Bits-1:0]        code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned RunWidth  = $clog2(Bits + 1);
  localparam int unsigned TailWidth = Es + Bits - 1;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [Bits-1:0] code, magnitude;
    logic            negative, first, finite;
    assign code      = code_i[i*Bits +: Bits];
    assign negative  = code[Bits-1];
    assign magnitude = negative ? -code : code;
    assign first     = magnitude[Bits-2];
    assign finite    = magnitude[Bits-2:0] != '0;  // else it is zero or NaN

    // The highest bit that is unlike the first ends the run.
    logic [RunWidth-1:0] run;
    always_comb begin
      run = RunWidth'(Bits - 1);
      for (int j = 0; j < Bits - 1; j = j + 1) begin
        if (magnitude[j] != first) run = RunWidth'(Bits - 2 - 32'(j));
      end
    end

    // What follows the run and its end, from the top: e, then f.
    logic [TailWidth-1:0]     tail, e;
    logic [Bits-2:0]          f;
    logic [MantissaBits:0]    significand;
    logic [ExponentWidth-1:0] length, regime, exponent;
    assign tail        = TailWidth'(magnitude[Bits-2:0]) << Es << run << 1;
    assign e           = tail >> (Bits - 1);
    assign f           = tail[Bits-2:0] >> (Bits - 1 - MantissaBits);
    assign significand = (MantissaBits + 1)'(f) | ((MantissaBits + 1)'(1) << MantissaBits);
    assign length      = ExponentWidth'(run);
    assign regime      = first ? length - ExponentWidth'(1) : -length;
    assign exponent    = (regime << Es) + ExponentWidth'(e);

    assign number_o[i*NumberWidth +: NumberWidth] = {
      finite,
      (negative && !finite) ? assay_pkg::ClassNan : assay_pkg::ClassFinite,
      negative && finite,
      exponent,
      finite ? significand : '0
    };

    logic unused;
    assign unused = ^{magnitude, e, f};
  end

endmodule

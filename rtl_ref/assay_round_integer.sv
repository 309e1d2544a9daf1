// Stage round: numbers to integers.
//
//   i i i . r r r     cut at the point; what does not fit Bits wraps around or stops at the end
module assay_round_integer #(
  parameter int unsigned     Terms               = 1,
  parameter int unsigned     InExponentWidth     = 1,
  parameter int unsigned     InSignificandWidth  = 24,
  parameter int              InFractionBits      = 0,
  parameter bit              InAbsolute          = 1'b1,  // the last bit weighs 2^-InFractionBits
  parameter int unsigned     Zeros               = 0,     // appended to it
  parameter assay_pkg::cut_e Cut                 = assay_pkg::CutTowardZero,
  parameter int unsigned     Bits                = 32,
  parameter bit              HasSign             = 1'b1,
  parameter bit              Wraps               = 1'b1,  // else it stops
  parameter int unsigned     OutExponentWidth    = 1,
  localparam int unsigned    InWidth             = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned    OutWidth            = 4 + OutExponentWidth + Bits
) (
  input  logic [Terms*InWidth-1:0]  number_i,
  output logic [Terms*OutWidth-1:0] number_o
);

  localparam int unsigned Width     = InSignificandWidth + Zeros;
  localparam int unsigned RoomWidth = 1 + assay_pkg::larger(Width, Bits);
  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      assay_pkg::larger(InExponentWidth, assay_pkg::signed_width(InFractionBits)),
      assay_pkg::signed_width(Zeros));

  // The greatest magnitude of either sign.
  localparam logic [RoomWidth-1:0] MostPositive =
      (RoomWidth'(1) << (Bits - 32'(HasSign))) - RoomWidth'(1);
  localparam logic [RoomWidth-1:0] MostNegative = HasSign ? RoomWidth'(1) << (Bits - 1) : '0;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];

    logic [WorkWidth-1:0] distance;
    logic [Width:0]       kept;
    logic                 lost;
    assign distance = WorkWidth'(InFractionBits) + WorkWidth'(Zeros) -
                      (InAbsolute ? '0 : WorkWidth'(exponent));
    assay_cut #(
      .Width        (Width),
      .DistanceWidth(WorkWidth),
      .Cut          (Cut)
    ) u_cut (
      .magnitude_i(Width'(significand) << Zeros),
      .negative_i (negative),
      .distance_i (distance),
      .kept_o     (kept),
      .lost_o     (lost)
    );

    logic [RoomWidth-1:0] magnitude, most;
    logic [Bits-1:0]      out_magnitude;
    logic                 out_negative;
    assign magnitude = RoomWidth'(kept);
    assign most      = negative ? MostNegative : MostPositive;

    if (Wraps) begin : gen_wrap
      logic [Bits-1:0] low;
      assign low           = negative ? -magnitude[Bits-1:0] : magnitude[Bits-1:0];
      assign out_negative  = HasSign && low[Bits-1];
      assign out_magnitude = out_negative ? -low : low;
    end else begin : gen_stop
      assign out_magnitude = (magnitude > most) ? most[Bits-1:0] : magnitude[Bits-1:0];
      assign out_negative  = negative && out_magnitude != '0;
    end

    assign number_o[i*OutWidth +: OutWidth] = {
      out_magnitude != '0, class_is, out_negative, {OutExponentWidth{1'b0}}, out_magnitude
    };

    logic unused;
    assign unused = ^{counts, exponent, lost, magnitude, most};
  end

endmodule

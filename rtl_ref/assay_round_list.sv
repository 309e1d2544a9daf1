// Stage round: numbers to the values of a list.
//
//   values    v0 | v1  |    v2         each begins at a place of its own, on a grid that is fine
//               from1  from2           enough for all: the rule of rounding is in these places
//
// A number is brought to that grid, and one bit below it says whether ones were cut off: its key.
// The value is found by halving. With Tells each number leaves above what assay_raised_round asks of
// it.
module assay_round_list #(
  parameter int unsigned Terms              = 1,
  parameter int unsigned InExponentWidth    = 6,
  parameter int unsigned InSignificandWidth = 8,
  parameter int          InFractionBits     = 6,
  parameter bit          InAbsolute         = 1'b0,  // the last bit weighs 2^-InFractionBits
  parameter int unsigned Zeros              = 8,     // appended to it
  parameter int          GridBits           = 4,     // the grid is 2^-GridBits
  parameter int unsigned KeyWidth           = 12,    // has room for a key beyond all places
  parameter int unsigned StepBits           = 2,
  parameter bit          HasSignedZero      = 1'b0,
  parameter int unsigned OutWidth           = 9,
  parameter logic [(KeyWidth << StepBits)-1:0] From   = '0,  // ascending; that of v0 is not read
  parameter logic [(OutWidth << StepBits)-1:0] Values = '0,  // v0 lowest
  parameter bit          Tells              = 1'b0,
  parameter logic [(KeyWidth << StepBits)-1:0] Keys     = '0,  // at which a number has the value
  parameter logic [(1 << StepBits)-1:0]        TooLarge = '0,  // whether no value is so far out
  localparam int unsigned InWidth   = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned Told      = Tells ? 3 : 0,
  localparam int unsigned LeftWidth = OutWidth + Told
) (
  input  logic [Terms*InWidth-1:0]   number_i,
  output logic [Terms*LeftWidth-1:0] number_o
);

  localparam int unsigned Width          = InSignificandWidth + Zeros;
  localparam int unsigned MagnitudeWidth = KeyWidth - 1;
  localparam int unsigned RoomWidth      = 1 + assay_pkg::larger(Width + 1, MagnitudeWidth);
  localparam int unsigned WorkWidth      = 3 + assay_pkg::larger(
      assay_pkg::larger(InExponentWidth, assay_pkg::signed_width(InFractionBits)),
      assay_pkg::larger(assay_pkg::signed_width(GridBits), assay_pkg::signed_width(Zeros)));

  localparam int unsigned FromWidth   = KeyWidth << StepBits;
  localparam int unsigned ValuesWidth = OutWidth << StepBits;
  localparam int unsigned FromPlace   = $clog2(FromWidth);
  localparam int unsigned ValuePlace  = $clog2(ValuesWidth);
  logic [FromWidth-1:0]   from;
  logic [ValuesWidth-1:0] values;
  assign from   = From;
  assign values = Values;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];

    // Below zero: the last bit stands higher than all zeros can bring it down to.
    logic signed [WorkWidth-1:0] distance;
    logic [Width:0]              kept;
    logic                        lost, beyond;
    assign distance = WorkWidth'(Zeros) + WorkWidth'(InFractionBits) - WorkWidth'(GridBits) -
                      (InAbsolute ? '0 : WorkWidth'(exponent));
    assay_cut #(
      .Width        (Width),
      .DistanceWidth(WorkWidth)
    ) u_cut (
      .magnitude_i(Width'(significand) << Zeros),
      .negative_i (negative),
      .below_i    (1'b0),
      .distance_i (distance),
      .kept_o     (kept),
      .lost_o     (lost)
    );
    assign beyond = (distance < 0 && significand != '0) ||
                    (RoomWidth'(kept) >> (MagnitudeWidth - 1)) != '0;

    logic [MagnitudeWidth-1:0]  magnitude;
    logic signed [KeyWidth-1:0] above, key;
    assign magnitude = beyond ? '1 : (MagnitudeWidth'(kept) << 1) | MagnitudeWidth'(lost);
    assign above     = KeyWidth'(magnitude);
    assign key       = negative ? -above : above;

    logic [StepBits-1:0]        step, next;
    logic signed [KeyWidth-1:0] begins;
    logic [OutWidth-1:0]        value;
    always_comb begin
      step = '0;
      for (int b = StepBits - 1; b >= 0; b = b - 1) begin
        next   = step | (StepBits'(1) << b);
        begins = from[FromPlace'(next)*FromPlace'(KeyWidth) +: KeyWidth];
        if (key >= begins) step = next;
      end
      value = values[ValuePlace'(step)*ValuePlace'(OutWidth) +: OutWidth];
    end

    logic finite, out_counts, out_negative;
    logic [1:0] out_class;
    assign finite       = class_is == assay_pkg::ClassFinite;
    assign out_counts   = finite && value[OutWidth-1];
    assign out_class    = finite ? value[OutWidth-3 +: 2] : class_is;
    assign out_negative = (finite && !(HasSignedZero && significand == '0)) ? value[OutWidth-4]
                                                                           : negative;
    assign number_o[i*LeftWidth+Told +: OutWidth] = {
      out_counts, out_class, out_negative, value[OutWidth-5:0]
    };
    if (Tells) begin : gen_told
      logic [FromWidth-1:0]       keys;
      logic [(1 << StepBits)-1:0] too_large;
      assign keys      = Keys;
      assign too_large = TooLarge;
      assign number_o[i*LeftWidth +: 3] = {
        1'b0, too_large[step], key != keys[FromPlace'(step)*FromPlace'(KeyWidth) +: KeyWidth]
      };
    end

    logic unused;
    assign unused = ^{counts, exponent, lost};
  end

endmodule

// Stage round: numbers to fewer bits, at their window, at their leading one, or in a format.
//
//   0 0 1 m m m m | r r r     Keep bits m after a hidden one; where that one stands:
//
//   at window        at the number's own exponent
//   at leading one   there, but never below LeastExponent
//   at format        the same with the format's least exponent; what is too large overflows
//
// In a format without a mantissa no number is even, only codes are: of every other exponent.
//
// With a stochastic cut each number comes with its random word, below its significand; with HasLost
// with a bit that says whether ones were lost further down, lowest of all. With Tells each number
// leaves above what assay_raised_round asks of it.
module assay_round #(
  parameter int unsigned            Terms               = 1,
  parameter int unsigned            InExponentWidth     = 9,
  parameter int unsigned            InSignificandWidth  = 32,
  parameter int                     InFractionBits      = 25,
  parameter bit                     InAbsolute          = 1'b0,  // last bit: 2^-InFractionBits
  parameter assay_pkg::at_e         At                  = assay_pkg::AtFormat,
  parameter int unsigned            Keep                = 23,
  parameter int unsigned            Zeros               = Keep,  // appended to it
  parameter assay_pkg::cut_e        Cut                 = assay_pkg::CutTowardZero,
  parameter bit                     HasLeastExponent    = 1'b1,
  parameter int                     LeastExponent       = -126,
  parameter int                     GreatestExponent    = 127,   // the rest only at format
  parameter bit                     GreatestIsAllOnes   = 1'b1,  // else its last bit is zero
  parameter bit                     OverflowToInfinity  = 1'b1,  // else the greatest number
  parameter bit                     OverflowToTop       = 1'b0,  // or the first number there, ...
                                                                 // where no other result may stand
  parameter bit                     HasSignedZero       = 1'b1,
  parameter assay_pkg::subnormals_e Subnormals          = assay_pkg::SubnormalsKeep,
  parameter assay_pkg::tiny_e       Tiny                = assay_pkg::TinyResult,
  parameter int unsigned            OutExponentWidth    = 8,
  parameter int unsigned            OutSignificandWidth = 24,
  parameter logic [Keep:0]          Greatest            =  // of GreatestExponent
      {(Keep + 1) {1'b1}} ^ (Keep + 1)'(!GreatestIsAllOnes),
  parameter int unsigned            RandomBits          = 0,  // of a stochastic cut
  parameter bit                     HasLost             = 1'b0,
  parameter bit                     Tells               = 1'b0,
  parameter assay_pkg::tiny_e       ToldTiny            = assay_pkg::TinyResult,  // not told
  localparam int unsigned           Below    = RandomBits + 32'(HasLost),
  localparam int unsigned           InWidth  = 4 + InExponentWidth + InSignificandWidth + Below,
  localparam int unsigned           Told     = Tells ? 3 : 0,
  localparam int unsigned           OutWidth = 4 + OutExponentWidth + OutSignificandWidth + Told
) (
  input  logic [Terms*InWidth-1:0]  number_i,
  output logic [Terms*OutWidth-1:0] number_o
);

  // All exponents and distances below, with room for their sums.
  localparam int unsigned WorkWidth = 3 + assay_pkg::larger(
      assay_pkg::larger(
          assay_pkg::larger(InExponentWidth, OutExponentWidth),
          assay_pkg::signed_width(InSignificandWidth + Zeros)),
      assay_pkg::larger(
          assay_pkg::signed_width(InFractionBits), assay_pkg::signed_width(LeastExponent)));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative, finite;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*InWidth+Below +: InWidth-Below];

    // Without a stochastic cut nobody looks at the word.
    localparam int unsigned RandomWidth = assay_pkg::larger(RandomBits, 1);
    logic [RandomWidth-1:0] random;
    logic                   below;
    assign random = number_i[i*InWidth+32'(HasLost) +: RandomWidth];
    assign below  = HasLost && number_i[i*InWidth];
    assign finite = class_is == assay_pkg::ClassFinite;

    // Places are counted from the last bit of the significand.
    logic signed [WorkWidth-1:0] quantum, leading, lowest, hidden;
    assign quantum = InAbsolute ? WorkWidth'(-InFractionBits)
                                : WorkWidth'(exponent) - WorkWidth'(InFractionBits);
    always_comb begin
      leading = '0;
      for (int j = 0; j < InSignificandWidth; j = j + 1) begin
        if (significand[j]) leading = WorkWidth'(j);
      end
    end
    assign lowest = WorkWidth'(LeastExponent) - quantum;
    assign hidden = (At == assay_pkg::AtWindow)            ? WorkWidth'(exponent) - quantum :
                    (HasLeastExponent && lowest > leading) ? lowest : leading;

    //   0 0 1 m m m m r r r | 0 0 0 0     at the leading one with Keep zeros, so that the cut is
    //                                     exactly `hidden` wide
    localparam int unsigned Width = InSignificandWidth + Zeros;
    logic [Width-1:0]     padded;
    logic [WorkWidth-1:0] distance;
    logic [Width:0]       kept;
    logic                 lost;
    assign padded   = Width'(significand) << Zeros;
    assign distance = hidden + WorkWidth'(Zeros) - WorkWidth'(Keep);

    // Where the code is even the leading one, which is all that is kept, is taken out for the cut.
    localparam bit ByCode = At == assay_pkg::AtFormat && Keep == 0 &&
                            (Cut == assay_pkg::CutNearestEven || Cut == assay_pkg::CutToOdd);
    logic           even;
    logic [Width:0] cut;
    assign even = ByCode && significand != '0 && leading >= lowest && leading[0] != lowest[0];
    assay_shorten #(
      .Width        (Width),
      .DistanceWidth(WorkWidth),
      .RandomBits   (RandomBits),
      .Cut          (Cut)
    ) u_cut (
      .magnitude_i(padded & ~(Width'(even) << distance)),
      .negative_i (negative),
      .below_i    (below),
      .distance_i (distance),
      .random_i   (random),
      .kept_o     (cut),
      .lost_o     (lost)
    );
    assign kept = cut + (Width + 1)'(even);

    logic                           out_counts, out_negative;
    logic [1:0]                     out_class;
    logic [OutExponentWidth-1:0]    out_exponent;
    logic [OutSignificandWidth-1:0] out_significand;
    assign number_o[i*OutWidth+Told +: OutWidth-Told] = {
      out_counts, out_class, out_negative, out_exponent, out_significand
    };
    logic told_tiny, told_large;
    if (Tells) begin : gen_told
      assign number_o[i*OutWidth +: 3] = {told_tiny, told_large, lost};
    end

    if (At == assay_pkg::AtWindow) begin : gen_window
      assign out_counts      = counts;
      assign out_class       = class_is;
      assign out_negative    = negative;
      assign out_exponent    = OutExponentWidth'(exponent);
      assign out_significand = OutSignificandWidth'(kept);
      assign told_tiny       = 1'b0;
      assign told_large      = 1'b0;
    end else begin : gen_leading_one
      // 1.11..1 carried into 10.00..0
      logic                        carried;
      logic [Keep:0]               rounded;
      logic signed [WorkWidth-1:0] raised;
      assign carried = kept[Keep+1];
      assign rounded = carried ? kept[Keep+1:1] : kept[Keep:0];
      assign raised  = quantum + hidden + WorkWidth'(carried);

      if (At == assay_pkg::AtFormat) begin : gen_format
        logic zero, above_greatest, too_large, to_infinity, tiny, tiny_before, tiny_after, flushed;
        assign zero        = rounded == '0;
        if (Greatest >= ({(Keep + 1) {1'b1}} ^ (Keep + 1)'(1))) begin : gen_top
          assign above_greatest = (&rounded) && !GreatestIsAllOnes;
        end else begin : gen_below_top
          assign above_greatest = rounded > Greatest;
        end
        assign too_large   = !zero && (raised > WorkWidth'(GreatestExponent) ||
                                       (raised == WorkWidth'(GreatestExponent) &&
                                        (above_greatest || OverflowToTop)));
        assign to_infinity = finite && too_large && OverflowToInfinity;
        assign flushed     = tiny && finite && significand != '0;

        assign told_tiny  = (ToldTiny == assay_pkg::TinyAfter)  ? tiny_after :
                            (ToldTiny == assay_pkg::TinyBefore) ? tiny_before : 1'b0;
        assign told_large = too_large && !flushed;

        localparam bit Flushes = Subnormals != assay_pkg::SubnormalsKeep;
        assign tiny = Flushes && ((Tiny == assay_pkg::TinyAfter)  ? tiny_after :
                                  (Tiny == assay_pkg::TinyBefore) ? tiny_before : !rounded[Keep]);
        assign tiny_before = leading < lowest;
        if ((Flushes && Tiny == assay_pkg::TinyAfter) ||
            (Tells && ToldTiny == assay_pkg::TinyAfter)) begin : gen_after
          // Rounded as if there were no least exponent.
          logic [Width:0]              as_normal;
          logic                        normal_lost;
          logic signed [WorkWidth-1:0] normal_leading;
          assay_shorten #(
            .Width        (Width),
            .DistanceWidth(WorkWidth),
            .RandomBits   (RandomBits),
            .Cut          (Cut)
          ) u_cut_normal (
            .magnitude_i(padded),
            .negative_i (negative),
            .below_i    (below),
            .distance_i (leading + WorkWidth'(Zeros) - WorkWidth'(Keep)),
            .random_i   (random),
            .kept_o     (as_normal),
            .lost_o     (normal_lost)
          );
          assign normal_leading = leading + WorkWidth'(as_normal[Keep+1]);
          assign tiny_after     = normal_leading < lowest;
          logic unused;
          assign unused = ^{as_normal, normal_lost};
        end else begin : gen_not_after
          assign tiny_after = 1'b0;
        end

        localparam logic [Keep:0] Farthest = OverflowToTop ? (Keep + 1)'(1) << Keep : Greatest;
        localparam bit FlushedSign = Subnormals == assay_pkg::SubnormalsSignedZero && HasSignedZero;
        assign out_counts      = counts && !zero && !to_infinity && !flushed;
        assign out_class       = (to_infinity && !flushed) ? assay_pkg::ClassInfinity : class_is;
        assign out_negative    = negative && !(finite && zero && !HasSignedZero) &&
                                 !(flushed && !FlushedSign);
        assign out_exponent    = too_large ? OutExponentWidth'(GreatestExponent)
                                           : OutExponentWidth'(raised);
        assign out_significand =
            flushed ? '0 : OutSignificandWidth'(too_large ? Farthest : rounded);
      end else begin : gen_number
        // A zero has no leading one: it keeps the exponent it came with.
        assign out_counts      = counts;
        assign out_class       = class_is;
        assign out_negative    = negative;
        assign out_exponent    = (significand == '0) ? OutExponentWidth'(exponent)
                                                     : OutExponentWidth'(raised);
        assign out_significand = OutSignificandWidth'(rounded);
        assign told_tiny       = 1'b0;
        assign told_large      = 1'b0;
      end

      logic unused;
      assign unused = ^raised;
    end

    logic unused;
    assign unused = ^{finite, leading, lowest, hidden, kept, lost, told_tiny, told_large};
  end

endmodule

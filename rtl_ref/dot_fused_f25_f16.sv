// dot_fused_f25_f16: d = c + the sum of a[i] x b[i], i = 0 to 15.
// The wiring of datapath fused_f25 in one step;
// a f16, b f16, c f32, d f32.
// Written by export-sv: to change it, change the datapath and export it again.
//
// probe_o holds the bits of every place, the first place lowest:
//
//   [303:0]         decode.a[0] to [15], 19 bits each
//   [607:304]       decode.b[0] to [15], 19 bits each
//   [642:608]       decode.c
//   [1138:643]      multiply[0] to [15], 31 bits each
//   [1140:1139]     step[0].special
//   [1149:1141]     step[0].sum.window
//   [1625:1150]     step[0].sum.align[0] to [16], 28 bits each
//   [1658:1626]     step[0].sum.reduce
//   [1693:1659]     step[0].sum.round
//   [1728:1694]     step[0].acc
//   [1760:1729]     encode
module dot_fused_f25_f16 (
  input  logic [255:0]   a_i,  // element 0 lowest
  input  logic [255:0]   b_i,
  input  logic [31:0]    c_i,
  output logic [31:0]    d_o,
  output logic [1760:0]  probe_o
);

  // decode.a
  logic [319:0] a;
  assay_decode #(
    .Terms          (16),
    .ExponentBits   (5),
    .MantissaBits   (10),
    .HasSign        (1'b1),
    .HasZero        (1'b1),
    .IgnoredLowBits (0),
    .IgnoredHighBits(0),
    .Bias           (15),
    .HasInfinity    (1'b1),
    .NanCodes       (assay_pkg::NanCodesIeee),
    .Subnormals     (assay_pkg::SubnormalsKeep),
    .ExponentWidth  (5)
  ) u_decode_a (
    .code_i  (a_i),
    .number_o(a)
  );
  logic [303:0] a_probe;
  assay_probe #(
    .Terms           (16),
    .ExponentWidth   (5),
    .SignificandWidth(11)
  ) u_a_probe (
    .number_i(a),
    .probe_o (a_probe)
  );

  // decode.b
  logic [319:0] b;
  assay_decode #(
    .Terms          (16),
    .ExponentBits   (5),
    .MantissaBits   (10),
    .HasSign        (1'b1),
    .HasZero        (1'b1),
    .IgnoredLowBits (0),
    .IgnoredHighBits(0),
    .Bias           (15),
    .HasInfinity    (1'b1),
    .NanCodes       (assay_pkg::NanCodesIeee),
    .Subnormals     (assay_pkg::SubnormalsKeep),
    .ExponentWidth  (5)
  ) u_decode_b (
    .code_i  (b_i),
    .number_o(b)
  );
  logic [303:0] b_probe;
  assay_probe #(
    .Terms           (16),
    .ExponentWidth   (5),
    .SignificandWidth(11)
  ) u_b_probe (
    .number_i(b),
    .probe_o (b_probe)
  );

  // decode.c
  logic [35:0] c;
  assay_decode #(
    .Terms          (1),
    .ExponentBits   (8),
    .MantissaBits   (23),
    .HasSign        (1'b1),
    .HasZero        (1'b1),
    .IgnoredLowBits (0),
    .IgnoredHighBits(0),
    .Bias           (127),
    .HasInfinity    (1'b1),
    .NanCodes       (assay_pkg::NanCodesIeee),
    .Subnormals     (assay_pkg::SubnormalsKeep),
    .ExponentWidth  (8)
  ) u_decode_c (
    .code_i  (c_i),
    .number_o(c)
  );
  logic [34:0] c_probe;
  assay_probe #(
    .Terms           (1),
    .ExponentWidth   (8),
    .SignificandWidth(24)
  ) u_c_probe (
    .number_i(c),
    .probe_o (c_probe)
  );

  // multiply
  logic [511:0] product;
  assay_multiply #(
    .Terms            (16),
    .AExponentWidth   (5),
    .ASignificandWidth(11),
    .BExponentWidth   (5),
    .BSignificandWidth(11),
    .ExponentWidth    (6)
  ) u_product (
    .a_i      (a),
    .b_i      (b),
    .product_o(product)
  );
  logic [495:0] product_probe;
  assay_probe #(
    .Terms           (16),
    .ExponentWidth   (6),
    .SignificandWidth(22)
  ) u_product_probe (
    .number_i(product),
    .probe_o (product_probe)
  );

  // step[0].special
  logic [3:0] step0_special_sets;
  assay_special #(
    .Terms      (16),
    .NumberWidth(32)
  ) u_step0_special0 (
    .number_i (product),
    .outcome_o(step0_special_sets[1:0])
  );
  assay_special #(
    .Terms      (1),
    .NumberWidth(36)
  ) u_step0_special1 (
    .number_i (c),
    .outcome_o(step0_special_sets[3:2])
  );
  logic [1:0] step0_special;
  assay_decide #(
    .Sets(2)
  ) u_step0_special (
    .outcome_i(step0_special_sets),
    .last_i   (assay_pkg::OutcomeNone),
    .outcome_o(step0_special)
  );

  // step[0].sum
  logic [16:0] step0_sum_counts;
  logic [16:0] step0_sum_negative;
  logic [135:0] step0_sum_exponent;
  logic [351:0] step0_sum_significand0;
  assay_term #(
    .Terms           (16),
    .InExponentWidth (6),
    .SignificandWidth(22),
    .ExponentWidth   (8)
  ) u_step0_sum_term0 (
    .number_i     (product),
    .counts_o     (step0_sum_counts[15:0]),
    .negative_o   (step0_sum_negative[15:0]),
    .exponent_o   (step0_sum_exponent[127:0]),
    .significand_o(step0_sum_significand0)
  );
  logic [23:0] step0_sum_significand1;
  assay_term #(
    .Terms           (1),
    .InExponentWidth (8),
    .SignificandWidth(24),
    .ExponentWidth   (8)
  ) u_step0_sum_term1 (
    .number_i     (c),
    .counts_o     (step0_sum_counts[16:16]),
    .negative_o   (step0_sum_negative[16:16]),
    .exponent_o   (step0_sum_exponent[135:128]),
    .significand_o(step0_sum_significand1)
  );
  logic [8:0] step0_sum_window;
  logic [0:0] step0_sum_any_counts;
  assay_window #(
    .Terms        (17),
    .ExponentWidth(8),
    .WindowWidth  (9),
    .Fixed        (1'b0),
    .At           (0),
    .HasFloor     (1'b1),
    .Floor        (-133),
    .Step         (1)
  ) u_step0_sum_window (
    .counts_i  (step0_sum_counts),
    .exponent_i(step0_sum_exponent),
    .window_o  (step0_sum_window),
    .counts_o  (step0_sum_any_counts)
  );
  logic [475:0] step0_sum_addend;
  logic [16:0] step0_sum_lost;
  assay_align #(
    .Terms           (16),
    .ExponentWidth   (8),
    .SignificandWidth(22),
    .FractionBits    (20),
    .InAbsolute      (1'b0),
    .WindowWidth     (9),
    .Cuts            (1'b1),
    .Keep            (25),
    .Cut             (assay_pkg::CutTowardZero),
    .Up              (5),
    .GridBits        (25),
    .GridAbsolute    (1'b0),
    .AddendWidth     (28)
  ) u_step0_sum_align0 (
    .negative_i   (step0_sum_negative[15:0]),
    .exponent_i   (step0_sum_exponent[127:0]),
    .significand_i(step0_sum_significand0),
    .window_i     (step0_sum_window),
    .addend_o     (step0_sum_addend[447:0]),
    .lost_o       (step0_sum_lost[15:0])
  );
  assay_align #(
    .Terms           (1),
    .ExponentWidth   (8),
    .SignificandWidth(24),
    .FractionBits    (23),
    .InAbsolute      (1'b0),
    .WindowWidth     (9),
    .Cuts            (1'b1),
    .Keep            (25),
    .Cut             (assay_pkg::CutTowardZero),
    .Up              (2),
    .GridBits        (25),
    .GridAbsolute    (1'b0),
    .AddendWidth     (28)
  ) u_step0_sum_align1 (
    .negative_i   (step0_sum_negative[16:16]),
    .exponent_i   (step0_sum_exponent[135:128]),
    .significand_i(step0_sum_significand1),
    .window_i     (step0_sum_window),
    .addend_o     (step0_sum_addend[475:448]),
    .lost_o       (step0_sum_lost[16:16])
  );
  logic [32:0] step0_sum_reduce;
  logic [44:0] step0_sum_exact;
  assay_reduce #(
    .Terms      (17),
    .AddendWidth(28),
    .WindowWidth(9),
    .Sticky     (1'b0)
  ) u_step0_sum_reduce (
    .addend_i(step0_sum_addend),
    .lost_i  (step0_sum_lost),
    .window_i(step0_sum_window),
    .counts_i(step0_sum_any_counts),
    .sum_o   (step0_sum_reduce),
    .number_o(step0_sum_exact)
  );
  logic [35:0] step0_sum_round;
  assay_round #(
    .Terms              (1),
    .InExponentWidth    (9),
    .InSignificandWidth (32),
    .InFractionBits     (25),
    .InAbsolute         (1'b0),
    .At                 (assay_pkg::AtFormat),
    .Cut                (assay_pkg::CutTowardZero),
    .Keep               (23),
    .LeastExponent      (-126),
    .GreatestExponent   (127),
    .GreatestIsAllOnes  (1'b1),
    .OverflowToInfinity (1'b1),
    .HasSignedZero      (1'b0),
    .Subnormals         (assay_pkg::SubnormalsKeep),
    .Tiny               (assay_pkg::TinyResult),
    .OutExponentWidth   (8),
    .OutSignificandWidth(24)
  ) u_step0_sum_round (
    .number_i(step0_sum_exact),
    .number_o(step0_sum_round)
  );
  logic [34:0] step0_sum_round_probe;
  assay_probe #(
    .Terms           (1),
    .ExponentWidth   (8),
    .SignificandWidth(24)
  ) u_step0_sum_round_probe (
    .number_i(step0_sum_round),
    .probe_o (step0_sum_round_probe)
  );

  // step[0].acc
  logic [35:0] step0_acc;
  assay_acc #(
    .NumberWidth(36)
  ) u_step0_acc (
    .outcome_i(step0_special),
    .sum_i    (step0_sum_round),
    .acc_o    (step0_acc)
  );
  logic [34:0] step0_acc_probe;
  assay_probe #(
    .Terms           (1),
    .ExponentWidth   (8),
    .SignificandWidth(24)
  ) u_step0_acc_probe (
    .number_i(step0_acc),
    .probe_o (step0_acc_probe)
  );

  // encode
  assay_encode #(
    .ExponentBits  (8),
    .MantissaBits  (23),
    .IgnoredLowBits(0),
    .Bias          (127),
    .ExponentWidth (8),
    .NanPayloads   (1'b0),
    .NanCode       (32'h7fffffff)
  ) u_encode (
    .number_i(step0_acc),
    .code_o  (d_o)
  );

  assign probe_o = {
    d_o,
    step0_acc_probe,
    step0_sum_round_probe,
    step0_sum_reduce,
    step0_sum_addend,
    step0_sum_window,
    step0_special,
    product_probe,
    c_probe,
    b_probe,
    a_probe
  };

endmodule

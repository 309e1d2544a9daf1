// d = c + the sum of a[i] x b[i] as rtl_ref's fused unit has it - 25 fraction bits below the largest exponent, cut, d toward
// zero - built as others build it: Booth multipliers, carry-save sums, a tree for the largest exponent, shifters in stages,
// two's complements by inverting and adding one. For tests of assay prove.

// Three rows to two.
module second_save #(
  parameter int Width = 8
) (
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] z_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);
  assign sum_o = x_i ^ y_i ^ z_i;
  assign carry_o = {(x_i[Width-2:0] & y_i[Width-2:0]) | (x_i[Width-2:0] & z_i[Width-2:0]) |
                    (y_i[Width-2:0] & z_i[Width-2:0]), 1'b0};
endmodule

// 11 bits by 11 bits, two bits of b at a time: -2, -1, 0, 1 or 2 times a.
module second_booth (
  input  logic [10:0] a_i,
  input  logic [10:0] b_i,
  output logic [21:0] product_o
);
  logic [13:0] digits;
  assign digits = {2'b00, b_i, 1'b0};

  logic [131:0] rows;
  logic [21:0] ones;
  for (genvar i = 0; i < 6; i++) begin : gen_row
    logic one, two, negative;
    logic [21:0] times;
    assign one = digits[2*i+1] ^ digits[2*i];
    assign two = (digits[2*i+2] & ~digits[2*i+1] & ~digits[2*i]) | (~digits[2*i+2] & digits[2*i+1] & digits[2*i]);
    assign negative = digits[2*i+2] & ~(digits[2*i+1] & digits[2*i]);
    assign times = ({22{one}} & {11'd0, a_i}) | ({22{two}} & {10'd0, a_i, 1'b0});
    assign rows[22*i +: 22] = (times ^ {22{negative}}) << (2 * i);
    assign ones[2*i +: 2] = {1'b0, negative};
  end
  assign ones[21:12] = 10'd0;

  logic [21:0] s0, c0, s1, c1, s2, c2, s3, c3, s4, c4;
  second_save #(.Width(22)) u_0 (
    .x_i(rows[21:0]), .y_i(rows[43:22]), .z_i(rows[65:44]), .sum_o(s0), .carry_o(c0)
  );
  second_save #(.Width(22)) u_1 (
    .x_i(rows[87:66]), .y_i(rows[109:88]), .z_i(rows[131:110]), .sum_o(s1), .carry_o(c1)
  );
  second_save #(.Width(22)) u_2 (.x_i(s0), .y_i(c0), .z_i(s1), .sum_o(s2), .carry_o(c2));
  second_save #(.Width(22)) u_3 (.x_i(s2), .y_i(c2), .z_i(c1), .sum_o(s3), .carry_o(c3));
  second_save #(.Width(22)) u_4 (.x_i(s3), .y_i(c3), .z_i(ones), .sum_o(s4), .carry_o(c4));
  assign product_o = s4 + c4;
endmodule

// Right by `distance_i`, the widest stage first.
module second_shift (
  input  logic [26:0] value_i,
  input  logic [8:0]  distance_i,
  output logic [26:0] value_o
);
  logic [26:0] by16, by8, by4, by2, by1;
  assign by16 = distance_i[4] ? {16'd0, value_i[26:16]} : value_i;
  assign by8 = distance_i[3] ? {8'd0, by16[26:8]} : by16;
  assign by4 = distance_i[2] ? {4'd0, by8[26:4]} : by8;
  assign by2 = distance_i[1] ? {2'd0, by4[26:2]} : by4;
  assign by1 = distance_i[0] ? {1'd0, by2[26:1]} : by2;
  assign value_o = |distance_i[8:5] ? 27'd0 : by1;
endmodule

// One f16 product. The exponent is that of an operand's code, so that 30 more than the sum of both is there.
module second_product (
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic        nan_o,
  output logic        infinity_o,
  output logic        negative_o,
  output logic        counts_o,    // finite and not zero
  output logic [6:0]  exponent_o,
  output logic [21:0] significand_o
);
  logic a_top, b_top, a_normal, b_normal, a_zero, b_zero, a_nan, b_nan;
  assign a_top = &a_i[14:10];
  assign b_top = &b_i[14:10];
  assign a_normal = |a_i[14:10];
  assign b_normal = |b_i[14:10];
  assign a_zero = ~(|a_i[14:0]);
  assign b_zero = ~(|b_i[14:0]);
  assign a_nan = a_top & (|a_i[9:0]);
  assign b_nan = b_top & (|b_i[9:0]);
  assign nan_o = a_nan | b_nan | (a_top & b_zero) | (b_top & a_zero);
  assign infinity_o = (a_top | b_top) & ~nan_o;
  assign negative_o = a_i[15] ^ b_i[15];
  assign counts_o = ~(a_top | b_top | a_zero | b_zero);
  assign exponent_o = {2'd0, a_i[14:11], a_i[10] | ~a_normal} + {2'd0, b_i[14:11], b_i[10] | ~b_normal};
  second_booth u_booth (
    .a_i({a_normal, a_i[9:0]}), .b_i({b_normal, b_i[9:0]}), .product_o(significand_o)
  );
endmodule

module second_style #(
  parameter int K = 4,
  parameter int SumWidth = 31,
  parameter logic [5:0] SumExtra = 6'd0  // SumWidth - 31
) (
  input  logic [16*K-1:0]     a_i,
  input  logic [16*K-1:0]     b_i,
  input  logic [31:0]         c_i,
  output logic [31:0]         d_o,
  output logic [31*K-1:0]     multiply_o,  // class, sign, exponent, significand
  output logic [8:0]          window_o,
  output logic [28*(K+1)-1:0] align_o,
  output logic [SumWidth-1:0] reduce_o
);
  // products and c; exponents count from the window's floor, -133
  logic [K:0] nan, infinity, negative, counts;
  logic [9*(K+1)-1:0] exponent;
  logic [27*(K+1)-1:0] significand;
  for (genvar i = 0; i < K; i++) begin : gen_product
    logic [6:0] both;
    logic [21:0] product;
    logic [5:0] nominal;
    second_product u_product (
      .a_i(a_i[16*i +: 16]), .b_i(b_i[16*i +: 16]), .nan_o(nan[i]), .infinity_o(infinity[i]),
      .negative_o(negative[i]), .counts_o(counts[i]), .exponent_o(both), .significand_o(product)
    );
    assign exponent[9*i +: 9] = counts[i] ? {2'd0, both} + 9'd103 : 9'd0;
    assign significand[27*i +: 27] = {product, 5'd0};
    assign nominal = both[5:0] - 6'd30;
    assign multiply_o[31*i +: 31] = {nan[i], infinity[i], negative[i] & ~nan[i], {6{counts[i]}} & nominal,
                                     {22{counts[i]}} & product};
  end
  logic c_normal, c_top;
  assign c_normal = |c_i[30:23];
  assign c_top = &c_i[30:23];
  assign nan[K] = c_top & (|c_i[22:0]);
  assign infinity[K] = c_top & ~nan[K];
  assign negative[K] = c_i[31];
  assign counts[K] = ~c_top & (|c_i[30:0]);
  assign exponent[9*K +: 9] = counts[K] ? {1'b0, c_i[30:24], c_i[23] | ~c_normal} + 9'd6 : 9'd0;
  assign significand[27*K +: 27] = {1'b0, c_normal, c_i[22:0], 2'd0};

  // the largest exponent: element i of a heap is the larger of 2 i + 1 and 2 i + 2
  logic [9*(2*K+1)-1:0] heap;
  assign heap[9*K +: 9*(K+1)] = exponent;
  for (genvar i = 0; i < K; i++) begin : gen_larger
    logic [8:0] x, y;
    assign x = heap[9*(2*i+1) +: 9];
    assign y = heap[9*(2*i+2) +: 9];
    assign heap[9*i +: 9] = x < y ? y : x;
  end
  logic [8:0] largest;
  assign largest = heap[8:0];
  assign window_o = largest - 9'd133;

  // aligned, in two's complement, and summed with carries saved
  logic [SumWidth*(K+1)-1:0] sums, carries;
  for (genvar i = 0; i <= K; i++) begin : gen_align
    logic [26:0] shifted;
    logic [27:0] addend;
    second_shift u_shift (
      .value_i(significand[27*i +: 27]), .distance_i(largest - exponent[9*i +: 9]), .value_o(shifted)
    );
    assign addend = ({28{negative[i]}} ^ {1'b0, shifted}) + {27'd0, negative[i]};
    assign align_o[28*i +: 28] = {28{counts[i]}} & addend;
  end
  assign sums[SumWidth-1:0] = {{(SumWidth-28){align_o[27]}}, align_o[27:0]};
  assign carries[SumWidth-1:0] = {SumWidth{1'b0}};
  for (genvar i = 1; i <= K; i++) begin : gen_save
    second_save #(.Width(SumWidth)) u_save (
      .x_i(sums[SumWidth*(i-1) +: SumWidth]), .y_i(carries[SumWidth*(i-1) +: SumWidth]),
      .z_i({{(SumWidth-28){align_o[28*i+27]}}, align_o[28*i +: 28]}),
      .sum_o(sums[SumWidth*i +: SumWidth]), .carry_o(carries[SumWidth*i +: SumWidth])
    );
  end
  assign reduce_o = sums[SumWidth*K +: SumWidth] + carries[SumWidth*K +: SumWidth];

  // sign and size, normalised in stages
  logic below;
  logic [SumWidth-1:0] size;
  logic [63:0] wide, by32, by16, by8, by4, by2, by1;
  logic [5:0] zeros;
  assign below = reduce_o[SumWidth-1];
  assign size = ({SumWidth{below}} ^ reduce_o) + {{(SumWidth-1){1'b0}}, below};
  assign wide = {size, {(64-SumWidth){1'b0}}};
  assign zeros[5] = ~(|wide[63:32]);
  assign by32 = zeros[5] ? {wide[31:0], 32'd0} : wide;
  assign zeros[4] = ~(|by32[63:48]);
  assign by16 = zeros[4] ? {by32[47:0], 16'd0} : by32;
  assign zeros[3] = ~(|by16[63:56]);
  assign by8 = zeros[3] ? {by16[55:0], 8'd0} : by16;
  assign zeros[2] = ~(|by8[63:60]);
  assign by4 = zeros[2] ? {by8[59:0], 4'd0} : by8;
  assign zeros[1] = ~(|by4[63:62]);
  assign by2 = zeros[1] ? {by4[61:0], 2'd0} : by4;
  assign zeros[0] = ~by2[63];
  assign by1 = zeros[0] ? {by2[62:0], 1'd0} : by2;

  // E = window - 25 + SumWidth - 1 - zeros; from 32 above the least of f32, -126, on: biased by 158
  logic [9:0] lifted, deep;
  logic is_tiny, is_huge;
  logic [26:0] moved;
  logic [23:0] kept;
  assign lifted = {1'b0, largest} + {4'd0, 6'd30 + SumExtra[5:0]} - {4'd0, zeros};
  assign is_tiny = lifted < 10'd32;
  assign deep = 10'd32 - lifted;
  assign is_huge = lifted >= 10'd286;
  second_shift u_tiny (
    .value_i({by1[63:40], 3'd0}), .distance_i(is_tiny ? deep[8:0] : 9'd0), .value_o(moved)
  );
  assign kept = moved[26:3];

  logic [9:0] field;
  assign field = is_tiny ? 10'd1 : lifted - 10'd31;
  logic any_nan, plus, minus;
  assign plus = |(infinity & ~negative);
  assign minus = |(infinity & negative);
  assign any_nan = (|nan) | (plus & minus);
  always_comb begin
    if (any_nan) d_o = 32'h7fffffff;
    else if (plus | minus) d_o = {minus, 31'h7f800000};
    else if (is_huge & (|size)) d_o = {below, 31'h7f800000};
    else d_o = {below, {8{kept[23]}} & field[7:0], kept[22:0]};
  end
endmodule

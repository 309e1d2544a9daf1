// Four products of bfloat16 numbers, of which none is ever added up: each is two rows, the partial sums and the carries of
// a Booth multiplier, and both are shifted to the largest exponent before one adder takes all eight. Signs of partial
// products are not extended; what stands in their place is taken off at the end, shifted as the rows were.
module booth #(
  parameter FAULT = 0  // the rows of a product are added before they are shifted
) (
  input  wire [63:0] dat,
  input  wire [63:0] wt,
  output reg  [8:0]  exp_max,  // the sum of two exponent fields; 254 more than the exponent
  output reg         neg,
  output reg  [22:0] mag       // its last bit weighs 2^(exponent - 14)
);

  // One at bit 9 of each of five partial products, which stand 0, 2, 4, 6 and 8 places up.
  localparam [19:0] SIGNS = 20'h2aa00;

  // A partial product: code times the multiplicand, -0 being 0; its sign bit turned.
  function [9:0] partial;
    input [2:0] code;
    input [7:0] x;
    begin
      case (code)
        3'b001, 3'b010: partial = {2'b10, x};
        3'b011:         partial = {1'b1, x, 1'b0};
        3'b100:         partial = ~{1'b1, x, 1'b0};
        3'b101, 3'b110: partial = ~{2'b10, x};
        default:        partial = 10'b1000000000;
      endcase
    end
  endfunction

  function minus;
    input [2:0] code;
    minus = code == 3'b100 || code == 3'b101 || code == 3'b110;
  endfunction

  function [39:0] csa;
    input [19:0] x, y, z;
    csa = {x ^ y ^ z, {(x & y) | (y & z) | (x & z)} << 1};
  endfunction

  function [7:0] significand;
    input [14:0] code;
    significand = {code[14:7] != 8'd0, code[6:0]};
  endfunction

  function [8:0] field;
    input [7:0] code;
    field = code == 8'd0 ? 9'd1 : {1'b0, code};
  endfunction

  reg  [79:0] row_s, row_c;
  reg  [35:0] exps;
  reg  [3:0]  nz;

  integer i, j;
  reg [15:0] d, w;
  reg [10:0] recode;
  reg [2:0]  code;
  reg [19:0] pp [0:5];
  reg [19:0] s1, c1, s2, c2, s3, c3;

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      d = dat[16*i +: 16];
      w = wt[16*i +: 16];
      nz[i] = d[14:0] != 15'd0 && w[14:0] != 15'd0;
      exps[9*i +: 9] = field(d[14:7]) + field(w[14:7]);
      recode = {2'b00, significand(w[14:0]), 1'b0};
      pp[5] = 20'd0;
      for (j = 0; j < 5; j = j + 1) begin
        code = recode[2:0] ^ {3{d[15] ^ w[15]}};
        recode = recode >> 2;
        pp[j] = (j == 0 ? 20'd0 : pp[5]) | ({10'd0, partial(code, significand(d[14:0]))} << (2 * j));
        pp[5] = {19'd0, minus(code)} << (2 * j);
      end
      {s1, c1} = csa(pp[0], pp[1], pp[2]);
      {s2, c2} = csa(pp[3], pp[4], pp[5]);
      {s3, c3} = csa(s1, c1, s2);
      {row_s[20*i +: 20], row_c[20*i +: 20]} = csa(s3, c3, c2);
    end
  end

  reg [22:0] total;
  reg [8:0]  sft;
  always @* begin
    exp_max = 9'd0;
    for (i = 0; i < 4; i = i + 1)
      if (nz[i] && exps[9*i +: 9] > exp_max) exp_max = exps[9*i +: 9];
    total = 23'd0;
    for (i = 0; i < 4; i = i + 1) begin
      sft = exp_max - exps[9*i +: 9];
      if (nz[i] && FAULT != 0)
        total = total + {{3{1'b0}}, (row_s[20*i +: 20] + row_c[20*i +: 20]) >> sft} - {3'd0, SIGNS >> sft};
      else if (nz[i])
        total = total + {3'd0, row_s[20*i +: 20] >> sft} + {3'd0, row_c[20*i +: 20] >> sft} - {3'd0, SIGNS >> sft};
    end
    if (exp_max == 9'd0) exp_max = 9'd254;
    neg = total[22];
    mag = neg ? -total : total;
  end

endmodule

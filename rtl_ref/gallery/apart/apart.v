// Four products of halves whose exponents are taken apart: the two low bits shift the significand before it is multiplied,
// the three high ones are added and compared, so that all shifts behind the multipliers are by fours. No product is ever
// added up: sums and carries of two trees of Booth's partial products are shifted as they are.
module apart #(
  parameter FAULT = 0  // a carry of the low exponent bits is added to the high ones
) (
  input  wire [63:0] dat,
  input  wire [63:0] wt,
  output reg  [5:0]  exp_max,  // 30 more than the exponent
  output reg         neg,
  output reg  [34:0] mag       // its last bit weighs 2^(exponent - 20)
);

  // One at bit 16 of each of eight partial products, which stand 0, 2, .. 14 places up.
  localparam [31:0] SIGNS = 32'h55550000;

  // A partial product: code times the multiplicand, -0 being 0; its sign bit turned.
  function [16:0] partial;
    input [2:0]  code;
    input [13:0] x;
    begin
      case (code)
        3'b001, 3'b010: partial = {3'b100, x};
        3'b011:         partial = {2'b10, x, 1'b0};
        3'b100:         partial = ~{2'b10, x, 1'b0};
        3'b101, 3'b110: partial = ~{3'b100, x};
        default:        partial = 17'h10000;
      endcase
    end
  endfunction

  function minus;
    input [2:0] code;
    minus = code == 3'b100 || code == 3'b101 || code == 3'b110;
  endfunction

  // Sum above carry.
  function [63:0] csa;
    input [31:0] x, y, z;
    csa = {x ^ y ^ z, {(x & y) | (y & z) | (x & z)} << 1};
  endfunction

  function [4:0] field;
    input [4:0] code;
    field = code == 5'd0 ? 5'd1 : code;
  endfunction

  // Shifted by the low two bits of its exponent.
  function [13:0] significand;
    input [14:0] code;
    reg   [4:0]  f;
    begin
      f = field(code[14:10]);
      significand = {3'd0, code[14:10] != 5'd0, code[9:0]} << (f & 5'd3);
    end
  endfunction

  reg [127:0] row_s, row_c;
  reg [15:0]  exps;
  reg [3:0]   nz;

  integer i, j;
  reg [15:0] d, w;
  reg [4:0]  fd, fw;
  reg        carry;
  reg [16:0] recode;
  reg [2:0]  code;
  reg [31:0] pp [0:4];
  reg [31:0] s1, c1, s2, c2, s3, c3, ls, lc;

  always @* begin
    for (i = 0; i < 4; i = i + 1) begin
      d = dat[16*i +: 16];
      w = wt[16*i +: 16];
      fd = field(d[14:10]);
      fw = field(w[14:10]);
      carry = {1'b0, fd[1:0]} + {1'b0, fw[1:0]} > 3'd3;
      nz[i] = d[14:0] != 15'd0 && w[14:0] != 15'd0;
      exps[4*i +: 4] = {1'b0, fd[4:2]} + {1'b0, fw[4:2]} + ((FAULT != 0 && carry) ? 4'd1 : 4'd0);
      recode = {2'b00, significand(w[14:0]), 1'b0};
      ls = 32'd0;
      lc = 32'd0;
      for (j = 0; j < 8; j = j + 1) begin
        if (j % 4 == 0) pp[4] = 32'd0;
        code = recode[2:0] ^ {3{d[15] ^ w[15]}};
        recode = recode >> 2;
        pp[j % 4] = pp[4] | ({15'd0, partial(code, significand(d[14:0]))} << (2 * j));
        pp[4] = {31'd0, minus(code)} << (2 * j);
        if (j % 4 == 3) begin
          // Five become two: by threes, and what is left over.
          {s1, c1} = csa(pp[0], pp[1], pp[2]);
          {s2, c2} = csa(s1, c1, pp[3]);
          {s3, c3} = csa(s2, c2, pp[4]);
          if (j == 3) begin
            ls = s3;
            lc = c3;
          end else begin
            {s1, c1} = csa(ls, lc, s3);
            {row_s[32*i +: 32], row_c[32*i +: 32]} = csa(s1, c1, c3);
          end
        end
      end
    end
  end

  reg [35:0] total;
  reg [3:0]  top;
  reg [5:0]  sft;
  always @* begin
    top = 4'd0;
    for (i = 0; i < 4; i = i + 1)
      if (nz[i] && exps[4*i +: 4] > top) top = exps[4*i +: 4];
    total = 36'd0;
    for (i = 0; i < 4; i = i + 1) begin
      sft = {top - exps[4*i +: 4], 2'b00};
      if (nz[i])
        total = total + {4'd0, row_s[32*i +: 32] >> sft} + {4'd0, row_c[32*i +: 32] >> sft} - {4'd0, SIGNS >> sft};
    end
    exp_max = nz == 4'd0 ? 6'd30 : {top, 2'b00};
    neg = total[35];
    mag = neg ? -total[34:0] : total[34:0];
  end

endmodule

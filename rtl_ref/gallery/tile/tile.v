// Two rows of A by three columns of B, four terms each, at once: an array of dot products behind a register, in Verilog
// of 2001. B lies row by row, as in memory.
module tile #(
  parameter FAULT = 1'b0  // the last column adds what belongs to the column before it
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         vld_in,
  output wire         rdy_in,
  input  wire [63:0]  mat_a,   // 2 rows of 4 bytes
  input  wire [95:0]  mat_b,   // 4 rows of 3 bytes
  input  wire [191:0] mat_c,   // 2 rows of 3 words
  output reg          vld_out,
  input  wire         rdy_out,
  output reg  [191:0] mat_d
);

  assign rdy_in = rdy_out | ~vld_out;

  function [31:0] dot(input [31:0] row, input [31:0] column, input [31:0] start);
    integer i;
    reg signed [7:0] x, y;
    reg signed [31:0] product;
    begin
      dot = start;
      for (i = 0; i < 4; i = i + 1) begin
        x = row[8*i +: 8];
        y = column[8*i +: 8];
        product = x * y;
        dot = dot + product;
      end
    end
  endfunction

  integer r, c;
  always @(posedge clk) begin
    if (rst) begin
      vld_out <= 1'b0;
    end else if (rdy_in) begin
      vld_out <= vld_in;
      for (r = 0; r < 2; r = r + 1) begin
        for (c = 0; c < 3; c = c + 1) begin
          mat_d[32*(3*r+c) +: 32] <=
              dot(mat_a[32*r +: 32],
                  {mat_b[8*(9+c) +: 8], mat_b[8*(6+c) +: 8], mat_b[8*(3+c) +: 8], mat_b[8*c +: 8]},
                  mat_c[32*(3*r + ((FAULT && c == 2) ? 1 : c)) +: 32]);
        end
      end
    end
  end

endmodule

// The same, but what is too large becomes the largest.
module candidate (
  input  logic signed [3:0] a0_i,
  input  logic signed [3:0] a1_i,
  input  logic signed [3:0] b0_i,
  input  logic signed [3:0] b1_i,
  input  logic signed [7:0] c_i,
  output logic signed [7:0] d_o
);

  logic signed [9:0] sum;
  assign sum = a0_i * b0_i + a1_i * b1_i + c_i;
  assign d_o = (sum > 127) ? 8'sd127 : sum[7:0];

endmodule

// A unit as somebody else would write it.
module candidate (
  input  logic signed [3:0] a0_i,
  input  logic signed [3:0] a1_i,
  input  logic signed [3:0] b0_i,
  input  logic signed [3:0] b1_i,
  input  logic signed [7:0] c_i,
  output logic signed [7:0] d_o
);

  assign d_o = a0_i * b0_i + a1_i * b1_i + c_i;

endmodule

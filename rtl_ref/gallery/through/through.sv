// A unit without registers in a clocked design: the result is there in the cycle of its operands.
module through #(
  parameter bit Fault = 1'b0  // the result is held back by a cycle, its valid is not
) (
  input  logic        clk_i,
  input  logic        valid_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic        valid_o,
  output logic [31:0] d_o
);

  logic [31:0] sum, sum_q;
  always_comb begin
    sum = c_i;
    for (int unsigned i = 0; i < 4; i++) begin
      sum += 32'($signed(a_i[8*i +: 8]) * $signed(b_i[8*i +: 8]));
    end
  end

  always_ff @(posedge clk_i) sum_q <= sum;

  assign valid_o = valid_i;
  assign d_o     = Fault ? sum_q : sum;

endmodule

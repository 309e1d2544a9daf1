// A multiply-accumulator: one pair a cycle. The first one of a sum brings what is added to, the last one makes the
// result valid.
module accumulator #(
  parameter bit Fault = 1'b0  // the first pair of a sum is added to the sum before
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               valid_i,
  input  logic               first_i,
  input  logic               last_i,
  input  logic signed [7:0]  a_i,
  input  logic signed [7:0]  b_i,
  input  logic signed [31:0] c_i,
  output logic               valid_o,
  output logic signed [31:0] acc_o
);

  logic signed [31:0] acc_d, acc_q;
  logic               done_d, done_q;

  assign acc_d  = (first_i && !Fault ? c_i : acc_q) + 32'(a_i * b_i);
  assign done_d = valid_i & last_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acc_q  <= '0;
      done_q <= 1'b0;
    end else begin
      if (valid_i) acc_q <= acc_d;
      done_q <= done_d;
    end
  end

  assign valid_o = done_q;
  assign acc_o   = acc_q;

endmodule

// Two stages whose first one takes two cycles: busy says that nothing is taken, a low res_n that a result is there.
// Whoever reads results cannot make it wait.
module stream #(
  parameter bit Fault = 1'b0  // it takes operands while it is busy
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        go,
  output logic        busy,
  input  logic [7:0]  x [4],
  input  logic [7:0]  w [4],
  input  logic [31:0] bias,
  output logic        res_n,
  output logic [31:0] res
);

  logic [31:0] half_q, rest_q;
  logic        busy_q;
  wire         take = go & (~busy_q | Fault);

  assign busy = busy_q;

  function automatic logic [31:0] times(logic [7:0] p, logic [7:0] q);
    return 32'($signed(p) * $signed(q));
  endfunction

  always_ff @(posedge clk) begin
    if (take) begin
      half_q <= bias + times(x[0], w[0]) + times(x[1], w[1]);
      rest_q <= times(x[2], w[2]) + times(x[3], w[3]);
    end
    if (busy_q) res <= half_q + rest_q;
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) {busy_q, res_n} <= 2'b01;
    else        {busy_q, res_n} <= {take, ~busy_q};
  end

endmodule

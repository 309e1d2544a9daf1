// Signs of both factors come with the operands, and may be others a cycle later.
module switching #(
  parameter bit Fault = 1'b0  // the second stage looks at the port, not at what came with its operands
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            valid_i,
  input  logic            a_signed_i,
  input  logic            b_signed_i,
  input  logic [3:0][7:0] a_i,
  input  logic [3:0][7:0] b_i,
  input  logic [31:0]     c_i,
  output logic            valid_o,
  output logic [31:0]     d_o
);

  logic [3:0][7:0] a_q, b_q;
  logic [31:0]     c_q, d_d;
  logic            a_signed_q, b_signed_q, valid_q;
  wire             a_signed = Fault ? a_signed_i : a_signed_q;

  always_comb begin
    d_d = c_q;
    for (int unsigned i = 0; i < 4; i++) begin
      d_d += 32'($signed({a_signed & a_q[i][7], a_q[i]}) * $signed({b_signed_q & b_q[i][7], b_q[i]}));
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) {a_q, b_q, c_q, a_signed_q, b_signed_q} <= {a_i, b_i, c_i, a_signed_i, b_signed_i};
    if (valid_q) d_o <= d_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q, valid_o} <= '0;
    else         {valid_q, valid_o} <= {valid_i, valid_q};
  end

endmodule

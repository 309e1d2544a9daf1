// Signs of both factors are set while it runs.
module modes #(
  parameter bit Fault = 1'b0  // the last product does not look at the mode of b
) (
  input  logic            a_signed_i,
  input  logic            b_signed_i,
  input  logic [3:0][7:0] a_i,
  input  logic [3:0][7:0] b_i,
  input  logic [31:0]     c_i,
  output logic [31:0]     d_o
);

  always_comb begin
    d_o = c_i;
    for (int unsigned i = 0; i < 4; i++) begin
      automatic logic b_signed;
      b_signed = Fault && i == 3 ? a_signed_i : b_signed_i;
      d_o += 32'($signed({a_signed_i & a_i[i][7], a_i[i]}) * $signed({b_signed & b_i[i][7], b_i[i]}));
    end
  end

endmodule

// Sums of pairs with a result a beat: whoever wants the whole sum waits for its last one. Both sides may wait.
module running #(
  parameter bit Fault = 1'b0  // a result that has to wait is given twice
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               pair_valid_i,
  output logic               pair_ready_o,
  input  logic               pair_first_i,
  input  logic signed [7:0]  pair_a_i [2],
  input  logic signed [7:0]  pair_b_i [2],
  input  logic signed [31:0] pair_c_i,
  output logic               sum_valid_o,
  input  logic               sum_ready_i,
  output logic signed [31:0] sum_o
);

  logic valid_q, waited_q;
  assign pair_ready_o = !valid_q || sum_ready_i && !(Fault && waited_q);
  assign sum_valid_o  = valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      waited_q <= 1'b0;
      sum_o    <= '0;
    end else begin
      waited_q <= valid_q && !sum_ready_i;
      if (pair_ready_o) begin
        valid_q <= pair_valid_i;
        if (pair_valid_i) begin
          sum_o <= (pair_first_i ? pair_c_i : sum_o) + 32'(pair_a_i[0] * pair_b_i[0])
                 + 32'(pair_a_i[1] * pair_b_i[1]);
        end
      end
    end
  end

endmodule

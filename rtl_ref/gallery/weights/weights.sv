// Weights are written one by one before activations come, every other cycle, and stay until others are written.
module weights #(
  parameter bit Fault = 1'b0  // the last weight is written one bit too high
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              weight_we_i,
  output logic              weight_ready_o,
  input  logic [1:0]        weight_addr_i,
  input  logic [7:0]        weight_i,
  input  logic              act_valid_i,
  input  logic [3:0][7:0]   act_i,
  input  logic [31:0]       psum_i,
  output logic              psum_valid_o,
  output logic [31:0]       psum_o
);

  logic [3:0][7:0] weight_q;

  always_ff @(posedge clk_i) begin
    if (weight_we_i && weight_ready_o) begin
      weight_q[weight_addr_i] <= Fault && weight_addr_i == 2'd3 ? {weight_i[6:0], 1'b0} : weight_i;
    end
  end

  logic [31:0] sum;
  always_comb begin
    sum = psum_i;
    for (int unsigned i = 0; i < 4; i++) sum += 32'($signed(act_i[i]) * $signed(weight_q[i]));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      weight_ready_o <= 1'b0;
      psum_valid_o   <= 1'b0;
      psum_o         <= '0;
    end else begin
      weight_ready_o <= !weight_ready_o;
      psum_valid_o   <= act_valid_i;
      psum_o         <= sum;
    end
  end

endmodule

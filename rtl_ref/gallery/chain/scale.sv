// A sum times its scale, added to an accumulator of 24 bits.
module scale #(
  parameter bit Fault = 1'b0  // the sum's sign is not taken for one
) (
  input  logic               clk_i,
  input  logic               valid_i,
  input  logic signed [17:0] sum_i,
  input  logic        [3:0]  scale_i,
  input  logic        [23:0] acc_i,
  output logic               valid_o,
  output logic        [23:0] acc_o
);

  logic signed [22:0] sum, product;
  assign sum     = Fault ? {5'b0, sum_i} : 23'(sum_i);
  assign product = sum * 23'($signed({1'b0, scale_i}));

  always_ff @(posedge clk_i) begin
    acc_o   <= acc_i + 24'(product);
    valid_o <= valid_i;
  end

endmodule

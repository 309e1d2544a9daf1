// A column of cells, each with the weight it works with and the next one. The next ones are shifted in from the top
// while the column works, and all are taken over at once.
//
//             weight_i      psum_i
//                |             |
//     act_i[0] -> [ next  ][ weight 0 ]
//     act_i[1] -> [ next  ][ weight 1 ]      element i is i cycles late
//                              |
//                           psum_o
module shadow #(
  parameter int unsigned Rows  = 4,
  parameter bit          Fault = 1'b0  // the last cell has no weight of its own: it works with the next one
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 shift_i,
  input  logic                 shift_last_i,
  input  logic [7:0]           weight_i,
  input  logic                 take_i,
  input  logic                 valid_i,
  input  logic [Rows-1:0][7:0] act_i,
  input  logic [31:0]          psum_i,
  output logic                 valid_o,
  output logic [31:0]          psum_o
);

  logic [7:0]      next  [Rows+1];
  logic [31:0]     sum   [Rows+1];
  logic [Rows-1:0] valid_q;
  logic            complete_q;  // the next weights are all there

  assign next[0] = weight_i;
  assign sum[0]  = psum_i;
  assign psum_o  = sum[Rows];
  assign valid_o = valid_q[Rows-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q    <= '0;
      complete_q <= 1'b0;
    end else begin
      valid_q <= {valid_q[Rows-2:0], valid_i};
      if (shift_i) complete_q <= shift_last_i;
    end
  end

  for (genvar i = 0; i < Rows; i++) begin : gen_cell
    logic [7:0]  next_q, weight_q, taken;
    logic [31:0] sum_q;
    assign next[i+1] = next_q;
    assign sum[i+1]  = sum_q;
    assign taken     = Fault && i == Rows - 1 ? next_q : weight_q;
    always_ff @(posedge clk_i) begin
      if (shift_i) next_q <= next[i];
      if (take_i && complete_q) weight_q <= next_q;
      sum_q <= sum[i] + 32'($signed(act_i[i]) * $signed(taken));
    end
  end

endmodule

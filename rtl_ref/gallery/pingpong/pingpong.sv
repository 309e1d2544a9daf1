// A column of cells with two weights each, one of which is at work while the other is shifted in. Which one it is comes
// with the operands, and goes down the column with them.
//
//                    weight_i           psum_i
//                       |                  |
//     act_i[0] -> [ weight 0 of the other ][ weight 0 at work ] <- bank_i
//     act_i[1] -> [ weight 1 of the other ][ weight 1 at work ]       |   element i is i cycles late
//                                          |                          v
//                                       psum_o
module pingpong #(
  parameter int unsigned Rows  = 4,
  parameter bit          Fault = 1'b0  // the last cell looks at bank_i, which runs ahead of the operands it has
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 load_i,
  input  logic [7:0]           weight_i,
  input  logic                 valid_i,
  input  logic                 bank_i,
  input  logic [Rows-1:0][7:0] act_i,
  input  logic [31:0]          psum_i,
  output logic                 valid_o,
  output logic [31:0]          psum_o
);

  logic [7:0]      next [Rows+1];
  logic [31:0]     sum  [Rows+1];
  logic [Rows-1:0] valid_q;
  logic [Rows-1:0] bank;

  assign next[0] = weight_i;
  assign sum[0]  = psum_i;
  assign bank[0] = bank_i;
  assign psum_o  = sum[Rows];
  assign valid_o = valid_q[Rows-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Rows-2:0], valid_i};
  end

  for (genvar i = 0; i < Rows; i++) begin : gen_cell
    logic [7:0]  weight_q [2];
    logic [31:0] sum_q;
    logic        works;
    assign works     = Fault && i == Rows - 1 ? bank_i : bank[i];
    assign next[i+1] = weight_q[!works];
    assign sum[i+1]  = sum_q;
    if (i + 1 < Rows) begin : gen_bank
      logic bank_q;
      assign bank[i+1] = bank_q;
      always_ff @(posedge clk_i) bank_q <= bank[i];
    end
    always_ff @(posedge clk_i) begin
      if (load_i) weight_q[!works] <= next[i];
      sum_q <= sum[i] + 32'($signed(act_i[i]) * $signed(weight_q[works]));
    end
  end

  // Nothing is shifted out of the last cell.
  logic [7:0] unused_next;
  assign unused_next = next[Rows];

endmodule

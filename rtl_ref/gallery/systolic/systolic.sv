// A column of cells: the sum goes down one cell a cycle, so element i must arrive i cycles after element 0.
module systolic #(
  parameter int unsigned Cells = 4,
  parameter bit          Fault = 1'b0  // the last cell takes what arrives a cycle later
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic [Cells-1:0][7:0] a_i,
  input  logic [Cells-1:0][7:0] b_i,
  input  logic [31:0]           c_i,
  output logic [31:0]           d_o
);

  logic [Cells:0][31:0] sum;
  assign sum[0] = c_i;
  assign d_o    = sum[Cells];

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    logic [31:0] sum_q;
    if (Fault && i == Cells - 1) begin : gen_fault
      logic [31:0] before_q, after_q;
      always_ff @(posedge clk_i) if (en_i) before_q <= sum[i];
      always_ff @(posedge clk_i) if (en_i) after_q <= before_q + 32'($signed(a_i[i]) * $signed(b_i[i]));
      assign sum_q = after_q;
    end else begin : gen_right
      always_ff @(posedge clk_i) if (en_i) sum_q <= sum[i] + 32'($signed(a_i[i]) * $signed(b_i[i]));
    end
    assign sum[i+1] = sum_q;
  end

endmodule

// A grid of cells that hold sums: activations go from left to right, weights from top to bottom, one cell a cycle, and
// each cell adds up the products that meet in it.
//
//              b[0]    b[1]    b[2]         column j is j cycles late
//               |       |       |
//     a[0] -> [ 0,0 ][ 0,1 ][ 0,2 ]
//     a[1] -> [ 1,0 ][ 1,1 ][ 1,2 ]         row i is i cycles late
//
// So cell i, j begins and ends i + j cycles late.
module sums #(
  parameter int unsigned Rows    = 2,
  parameter int unsigned Columns = 3,
  parameter bit          Fault   = 1'b0  // the last cell adds up in pauses, too
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                valid_i,
  input  logic                                first_i,
  input  logic                                last_i,
  input  logic [Rows-1:0][7:0]                act_i,
  input  logic [Columns-1:0][7:0]             weight_i,
  input  logic [Rows-1:0][Columns-1:0][31:0]  psum_i,
  output logic                                valid_o,
  output logic [Rows-1:0][Columns-1:0][31:0]  sum_o
);

  localparam int unsigned Latest = Rows + Columns - 2;

  // valid[n] and first[n] go with what came n cycles ago.
  logic [Latest-1:0] valid_q, first_q;
  logic [Latest:0]   valid, first;
  assign valid = {valid_q, valid_i};
  assign first = {first_q, first_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      first_q <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_q <= valid[Latest-1:0];
      first_q <= first[Latest-1:0];
      valid_o <= valid_i && last_i;
    end
  end

  logic [7:0] act    [Rows][Columns];
  logic [7:0] weight [Rows][Columns];

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    for (genvar j = 0; j < Columns; j++) begin : gen_cell
      if (j == 0) begin : gen_left
        assign act[i][j] = act_i[i];
      end else begin : gen_act
        logic [7:0] act_q;
        assign act[i][j] = act_q;
        always_ff @(posedge clk_i) act_q <= act[i][j-1];
      end
      if (i == 0) begin : gen_top
        assign weight[i][j] = weight_i[j];
      end else begin : gen_weight
        logic [7:0] weight_q;
        assign weight[i][j] = weight_q;
        always_ff @(posedge clk_i) weight_q <= weight[i-1][j];
      end
      logic [31:0] sum_q;
      assign sum_o[i][j] = sum_q;
      always_ff @(posedge clk_i) begin
        if (valid[i+j] || (Fault && i + j == Latest)) begin
          sum_q <= (first[i+j] ? psum_i[i][j] : sum_q) + 32'($signed(act[i][j]) * $signed(weight[i][j]));
        end
      end
    end
  end

endmodule

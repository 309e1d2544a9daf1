// A grid of cells that hold weights: activations go from left to right, sums from top to bottom, one cell a cycle.
//
//              c[0]    c[1]    c[2]         column j is j cycles late
//               |       |       |
//     a[0] -> [ 0,0 ][ 0,1 ][ 0,2 ]
//     a[1] -> [ 1,0 ][ 1,1 ][ 1,2 ]         element i is i cycles late
//               |       |       |
//              d[0]    d[1]    d[2]         column j is j cycles late
module grid #(
  parameter int unsigned Rows    = 4,
  parameter int unsigned Columns = 3,
  parameter bit          Fault   = 1'b0  // in the last column, from the second operation in a row on, activations are those before
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       weight_we_i,
  input  logic [$clog2(Rows)-1:0]    weight_row_i,
  input  logic [Columns-1:0][7:0]    weight_i,
  input  logic                       valid_i,
  input  logic [Rows-1:0][7:0]       act_i,
  input  logic [Columns-1:0][31:0]   psum_i,
  output logic                       valid_o,
  output logic [Columns-1:0][31:0]   psum_o
);

  logic [7:0]  weight_q [Rows][Columns];
  logic [7:0]  act      [Rows][Columns+1];
  logic [31:0] sum      [Rows+1][Columns];

  // valid[n] goes with what came n cycles ago.
  logic [Rows+Columns-1:0] valid_q;
  logic [Rows+Columns:0]   valid;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= valid[Rows+Columns-1:0];
  end
  assign valid   = {valid_q, valid_i};
  assign valid_o = valid[Rows];

  always_ff @(posedge clk_i) begin
    if (weight_we_i) for (int unsigned j = 0; j < Columns; j++) weight_q[weight_row_i][j] <= weight_i[j];
  end

  for (genvar j = 0; j < Columns; j++) begin : gen_column
    assign sum[0][j] = psum_i[j];
    assign psum_o[j] = sum[Rows][j];
    for (genvar i = 0; i < Rows; i++) begin : gen_cell
      logic        in_a_row;
      logic [7:0]  taken, act_q;
      logic [31:0] sum_q;
      assign in_a_row    = valid[i+j] && valid[i+j+1];
      assign taken       = Fault && j == Columns - 1 && in_a_row ? act_q : act[i][j];
      assign act[i][j+1] = act_q;
      assign sum[i+1][j] = sum_q;
      always_ff @(posedge clk_i) begin
        act_q <= act[i][j];
        sum_q <= sum[i][j] + 32'($signed(taken) * $signed(weight_q[i][j]));
      end
    end
  end
  for (genvar i = 0; i < Rows; i++) begin : gen_row
    assign act[i][0] = act_i[i];
  end

endmodule

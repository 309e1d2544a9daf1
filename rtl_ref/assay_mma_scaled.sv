// A tile as assay_mma is one, of dot products with block scales: of each row of A and of each
// column of B, the first block's code lowest.
//
//         N                a_i        M rows of K codes, a row's first code lowest
//      K  B                b_i        N columns of K codes
//     M A  D               c_i        M rows of N codes, d_o likewise; row 0, element 0 lowest
//                          scale_a_i  M rows of codes, one for each block of K
//                          scale_b_i  N columns of them
//
// The dot product is the module assay_dot, as `export-sv --pipelined --module assay_dot` writes it
// for such a datapath. Its registers stand at the cuts whose bits are set; a tile is taken and
// given with valid and ready, and either end may stand still at any time.
module assay_mma_scaled #(
  parameter int unsigned     M         = 2,
  parameter int unsigned     N         = 2,
  parameter int unsigned     ABits     = 256,  // of one row of A: K codes
  parameter int unsigned     BBits     = 256,  // of one column of B
  parameter int unsigned     CBits     = 32,   // of one element
  parameter int unsigned     DBits     = 32,
  parameter int unsigned     ScaleBits = 32,   // of one row's scales, or of one column's
  parameter int unsigned     Cuts      = 4,
  parameter logic [Cuts-1:0] Registers = {Cuts{1'b1}}
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         valid_i,
  output logic                         ready_o,
  input  logic [M*ABits-1:0]           a_i,
  input  logic [N*BBits-1:0]           b_i,
  input  logic [M*N*CBits-1:0]         c_i,
  input  logic [M*ScaleBits-1:0]       scale_a_i,
  input  logic [N*ScaleBits-1:0]       scale_b_i,
  output logic                         valid_o,
  input  logic                         ready_i,
  output logic [M*N*DBits-1:0]         d_o
);

  // All elements march in step: the first one speaks for all.
  logic [M*N-1:0] ready, valid;
  assign ready_o = ready[0];
  assign valid_o = valid[0];

  // Nobody looks inside a tile.
  // verilator lint_off PINCONNECTEMPTY
  for (genvar i = 0; i < M; i++) begin : gen_row
    for (genvar j = 0; j < N; j++) begin : gen_column
      localparam int unsigned At = i * N + j;
      assay_dot #(
        .Registers(Registers)
      ) u_dot (
        .clk_i    (clk_i),
        .rst_ni   (rst_ni),
        .valid_i  (valid_i),
        .ready_o  (ready[At]),
        .a_i      (a_i[i*ABits +: ABits]),
        .b_i      (b_i[j*BBits +: BBits]),
        .c_i      (c_i[At*CBits +: CBits]),
        .scale_a_i(scale_a_i[i*ScaleBits +: ScaleBits]),
        .scale_b_i(scale_b_i[j*ScaleBits +: ScaleBits]),
        .valid_o  (valid[At]),
        .ready_i  (ready_i),
        .d_o      (d_o[At*DBits +: DBits]),
        .probe_o  ()
      );
    end
  end
  // verilator lint_on PINCONNECTEMPTY

  logic unused;
  assign unused = ^{ready, valid};

endmodule

// One file: a unit of yours, a testbench, and the model of cdna1:v_mfma_i32_16x16x16i8 through DPI-C. Six recorded cases come
// first, then random ones that the model judges. With the macro NO_DPI only the recorded ones, for simulators without DPI.
//
//   +cases=N  how many random ones (1000)    macro WRONG  the unit forgets its last product
module int8_dot (
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  input  logic [ 31:0] c_i,
  output logic [ 31:0] d_o
);
`ifdef WRONG
  localparam int Terms = 15;
`else
  localparam int Terms = 16;
`endif
  logic signed [7:0] a, b;
  logic signed [31:0] sum;

  // Sixteen exact products and c, which wrap round beyond 32 bits.
  always_comb begin
    sum = c_i;
    a   = '0;
    b   = '0;
    for (int i = 0; i < Terms; i++) begin
      a = a_i[8*i+:8];
      b = b_i[8*i+:8];
      sum = sum + a * b;
    end
  end
  assign d_o = sum;
endmodule

module alone_tb;
`ifndef NO_DPI
  import "DPI-C" function chandle assay_dpi_open(
    input string unit, input int k, input int a_bits, input int b_bits, input int c_bits, input int d_bits
  );
  import "DPI-C" function int assay_dpi_expect(
    input chandle unit, input logic [4095:0] a, input logic [4095:0] b, input logic [63:0] c
  );
  import "DPI-C" function int assay_dpi_check(input chandle unit, input logic [63:0] d);
  import "DPI-C" function longint assay_dpi_finish(input chandle unit);
  import "DPI-C" function string assay_dpi_summary(input chandle unit);
  import "DPI-C" function void assay_dpi_close(input chandle unit);

  chandle model;
`endif

  // {a, b, c, d}, element 0 lowest, as `assay generate --with-results --cases 6` writes them.
  localparam int Recorded = 6;
  localparam logic [Recorded*320-1:0] Cases = {
    {128'h5f8a77735fd3a833065767dc28b09d52, 128'h31422429f1b1fabb9d39389392081aa5, 32'h34db230a, 32'h34db329c},
    {128'h0001000001ff010001000001000101ff, 128'h00ffff010100ff0000000100000101ff, 32'h0e3089c7, 32'h0e3089c9},
    {128'h82828282828282828282828282828282, 128'h82828282828282828282828282828282, 32'h7fffffff, 32'h8003e03f},
    {128'h7e13955d4a77c1446e2ed3400b717583, 128'hbdb5f7c9e0ffa2b9c20d97f537df6315, 32'h00002e03, 32'h00000000},
    {128'hdcf38c561e2ba895f5a58b1578685df1, 128'hc8429174ccae7b0217e1219ee7eab953, 32'h2e571db4, 32'h2e56fc1b},
    {128'hfeff0002fffe0001fdfe020003010302, 128'hfeff010000ffff000100000001000002, 32'h292e72de, 32'h292e72e9}
  };

  logic [127:0] a, b;
  logic [31:0] c, d, expected;
  int cases, wrong;

  int8_dot u_dut (
    .a_i(a),
    .b_i(b),
    .c_i(c),
    .d_o(d)
  );

  initial begin
    wrong = 0;
    for (int i = 0; i < Recorded; i++) begin
      {a, b, c, expected} = Cases[320*(Recorded-1-i)+:320];
      #1;
      if (d !== expected) begin
        wrong = wrong + 1;
        $display("Recorded case %0d: d = %08x, expected %08x.", i, d, expected);
      end
    end
    if (wrong != 0) $fatal(1, "FAILED %0d of %0d recorded cases", wrong, Recorded);
`ifndef NO_DPI
    if ($value$plusargs("cases=%d", cases) == 0) cases = 1000;
    model = assay_dpi_open("cdna1:v_mfma_i32_16x16x16i8", 16, 8, 8, 32, 32);
    for (int i = 0; i < cases; i++) begin
      a = {$urandom, $urandom, $urandom, $urandom};
      b = {$urandom, $urandom, $urandom, $urandom};
      c = $urandom;
      #1;
      void'(assay_dpi_expect(model, 4096'(a), 4096'(b), 64'(c)));
      void'(assay_dpi_check(model, 64'(d)));
    end
    if (assay_dpi_finish(model) != 0) $fatal(1, "FAILED %s", assay_dpi_summary(model));
    $display("PASSED %s", assay_dpi_summary(model));
    assay_dpi_close(model);
`else
    $display("PASSED %0d recorded cases", Recorded);
`endif
    $finish;
  end
endmodule

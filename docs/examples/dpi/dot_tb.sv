// A testbench around dot_fused_f25_f16: random operands, each result held to the model through assay_dpi_pkg.
//
//   +cases=N  how many (1000)    +unit=NAME, +k=N  what the model is opened as, to try wrong use
module dot_tb;
  import assay_dpi_pkg::*;

  localparam int Lanes = 16;

  logic clk = 1'b0;
  always #5 clk = ~clk;

  logic [255:0] a, b;
  logic [31:0] c, d, d_q;

  dot_fused_f25_f16 u_dut (
    .a_i    (a),
    .b_i    (b),
    .c_i    (c),
    .d_o    (d),
    .probe_o()
  );

  always_ff @(posedge clk) d_q <= d;

  // f16 with exponents near each other, so that the terms meet in the sum: sign, 2^-4 to 2^3, all mantissas.
  function automatic logic [255:0] random_halves();
    logic [255:0] halves;
    for (int i = 0; i < Lanes; i++) begin
      halves[16*i+:16] = {1'($urandom), 5'd11 + 5'($urandom_range(7)), 10'($urandom)};
    end
    return halves;
  endfunction

  function automatic logic [31:0] random_single();
    return {1'($urandom), 8'd119 + 8'($urandom_range(15)), 23'($urandom)};
  endfunction

  initial begin
    automatic chandle model;
    automatic string unit = "hopper:wgmma.m64nNk16.f32.f16.f16";
    automatic int k = Lanes;
    automatic int cases = 1000;
    void'($value$plusargs("unit=%s", unit));
    void'($value$plusargs("k=%d", k));
    void'($value$plusargs("cases=%d", cases));

    model = assay_dpi_open(unit, k, 16, 16, 32, 32);
    for (int i = 0; i < cases; i++) begin
      @(negedge clk);
      a = random_halves();
      b = random_halves();
      c = random_single();
      void'(assay_dpi_expect(model, vector_t'(a), vector_t'(b), element_t'(c)));
      @(posedge clk);
      #1 void'(assay_dpi_check(model, element_t'(d_q)));
    end
    if (assay_dpi_finish(model) != 0) $fatal(1, "FAILED %s", assay_dpi_summary(model));
    $display("PASSED %s", assay_dpi_summary(model));
    assay_dpi_close(model);
    $finish;
  end
endmodule

// The unit as a module around a package that `assay export --to sv-package --name dot_pkg` has written: Icarus Verilog, which
// does not read the blocks of rtl_ref, reads this.
module dot_fused_f25_f16 (
  input  logic [255:0] a_i,
  input  logic [255:0] b_i,
  input  logic [31:0]  c_i,
  output logic [31:0]  d_o
);

  always @* d_o = dot_pkg::dot(a_i, b_i, c_i);

endmodule

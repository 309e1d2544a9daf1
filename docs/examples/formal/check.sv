// same_o: whether the candidate gives what the package says, for the operands that are there.
module check (
  input  logic [7:0] a_i,  // two elements, element 0 lowest
  input  logic [7:0] b_i,
  input  logic [7:0] c_i,
  output logic       same_o
);

  logic [7:0] d;
  candidate u_candidate (
    .a0_i(a_i[3:0]),
    .a1_i(a_i[7:4]),
    .b0_i(b_i[3:0]),
    .b1_i(b_i[7:4]),
    .c_i (c_i),
    .d_o (d)
  );
  assign same_o = d == unit_pkg::dot(a_i, b_i, c_i);

endmodule

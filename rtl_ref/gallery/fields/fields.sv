// Sign, exponent and mantissa of e2m1 (OCP MX 4-bit) on ports of their own; d is fixed point, its integer bits
// and its two fraction bits apart.
module fields #(
  parameter int unsigned Lanes = 4,
  parameter bit          Fault = 1'b0  // a subnormal number gets a leading one
) (
  input  logic [Lanes-1:0] a_sign_i,
  input  logic [1:0]       a_exponent_i[Lanes],
  input  logic [Lanes-1:0] a_mantissa_i,
  input  logic [Lanes-1:0] b_sign_i,
  input  logic [1:0]       b_exponent_i[Lanes],
  input  logic [Lanes-1:0] b_mantissa_i,
  input  logic [15:0]      c_i,
  output logic [13:0]      integer_o,
  output logic [1:0]       fraction_o
);

  // In halves: 0, 1/2, 1, 3/2, 2, 3, 4, 6.
  function automatic logic [3:0] halves(logic [1:0] exponent, logic mantissa);
    unique case (exponent)
      2'd0:    return {2'b00, Fault, mantissa};
      2'd1:    return {3'b001, mantissa};
      2'd2:    return {2'b01, mantissa, 1'b0};
      default: return {1'b1, mantissa, 2'b00};
    endcase
  endfunction

  logic [15:0] sum;
  always_comb begin
    sum = c_i;
    for (int unsigned i = 0; i < Lanes; i++) begin
      automatic logic [15:0] product;
      product = 16'(halves(a_exponent_i[i], a_mantissa_i[i])) * 16'(halves(b_exponent_i[i], b_mantissa_i[i]));
      sum = a_sign_i[i] ^ b_sign_i[i] ? sum - product : sum + product;
    end
  end

  assign {integer_o, fraction_o} = sum;

endmodule

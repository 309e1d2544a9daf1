// Four products of 6-bit numbers on the window of the largest. What comes out is no number of any format: an exponent with a
// bias of its own, a sign, and a magnitude that nobody has normalised.
module pair #(
  parameter bit Fault = 1'b0  // a product of zero counts among the exponents
) (
  input  logic [3:0][5:0] x,
  input  logic [3:0][5:0] y,
  output logic      [4:0] exp_out,   // 8 more than the exponent
  output logic            sign_out,
  output logic      [9:0] mag_out    // its last bit weighs 2^(exponent - 6)
);

  logic [3:0] exponent[4];  // 6 more than that of the product
  logic [5:0] product[4];
  logic signed [10:0] sum;
  logic [3:0] largest;

  // The exponent field of a subnormal number counts as 1.
  function automatic logic [3:0] field_of(logic [2:0] field);
    return field == '0 ? 4'd1 : {1'b0, field};
  endfunction

  function automatic logic [5:0] significand_of(logic [4:0] magnitude);
    return {3'd0, magnitude[4:2] != '0, magnitude[1:0]};
  endfunction

  always_comb begin
    largest = '0;
    for (int i = 0; i < 4; i++) begin
      exponent[i] = field_of(x[i][4:2]) + field_of(y[i][4:2]);
      product[i] = significand_of(x[i][4:0]) * significand_of(y[i][4:0]);
      if ((product[i] != '0 || Fault) && exponent[i] > largest) largest = exponent[i];
    end
    sum = '0;
    for (int i = 0; i < 4; i++) begin
      // 4 bits after the point, of 6 that are kept.
      automatic logic [10:0] addend = {3'd0, product[i], 2'd0} >> (largest - exponent[i]);
      sum = (x[i][5] ^ y[i][5]) ? sum - signed'(addend) : sum + signed'(addend);
    end
  end

  assign sign_out = sum < 0;
  assign mag_out = sign_out ? 10'(-sum) : 10'(sum);
  assign exp_out = largest == '0 ? 5'd8 : 5'(largest) + 5'd2;

endmodule

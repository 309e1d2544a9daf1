// Four products of bytes and their sum, which always fits.
module tree (
  input  logic        [31:0] x_i,
  input  logic        [31:0] w_i,
  output logic signed [17:0] sum_o
);

  logic signed [15:0] product [4];
  for (genvar i = 0; i < 4; i++) begin : gen_product
    assign product[i] = 16'($signed(x_i[8*i +: 8])) * 16'($signed(w_i[8*i +: 8]));
  end

  assign sum_o = (18'(product[0]) + 18'(product[1])) + (18'(product[2]) + 18'(product[3]));

endmodule

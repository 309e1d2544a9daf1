// Stage encode: a number of a list of values, as the least code that has it.
module assay_encode_list #(
  parameter int unsigned                       Bits             = 4,
  parameter int unsigned                       ExponentWidth    = 3,
  parameter int unsigned                       SignificandWidth = 2,
  parameter logic [Bits-1:0]                   NanCode          = '0,
  localparam int unsigned                      NumberWidth      = 4 + ExponentWidth + SignificandWidth,
  parameter logic [(NumberWidth << Bits)-1:0]  Values           = '0  // code 0 lowest
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [Bits-1:0]        code_o
);

  logic                        counts, negative, is_value;
  logic [1:0]                  class_is;
  logic [ExponentWidth-1:0]    exponent;
  logic [SignificandWidth-1:0] significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign is_value = class_is == assay_pkg::ClassFinite && significand != '0;

  // As the list has it: zeros and infinities are a class and a sign.
  logic [NumberWidth-1:0] number;
  assign number = {
    is_value, class_is, negative, is_value ? exponent : '0, is_value ? significand : '0
  };

  // The last assignment wins: from the last code to the first.
  always_comb begin
    code_o = '0;
    for (int code = (1 << Bits) - 1; code >= 0; code = code - 1) begin
      if (number == Values[code*NumberWidth +: NumberWidth]) code_o = Bits'(code);
    end
    if (class_is == assay_pkg::ClassNan) code_o = NanCode;
  end

  logic unused;
  assign unused = counts;

endmodule

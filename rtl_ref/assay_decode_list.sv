// Stage decode: codes of a list of values to numbers.
//
//   Values   .. | number of code 2 | of code 1 | of code 0
module assay_decode_list #(
  parameter int unsigned                       Terms       = 1,
  parameter int unsigned                       Bits        = 4,
  parameter int unsigned                       NumberWidth = 9,
  parameter logic [(NumberWidth << Bits)-1:0]  Values      = '0
) (
  input  logic [Terms*Bits-1:0]        code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned TableWidth = NumberWidth << Bits;
  localparam int unsigned PlaceWidth = $clog2(TableWidth);

  logic [TableWidth-1:0] values;
  assign values = Values;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [PlaceWidth-1:0] place;
    assign place = PlaceWidth'(code_i[i*Bits +: Bits]) * PlaceWidth'(NumberWidth);
    assign number_o[i*NumberWidth +: NumberWidth] = values[place +: NumberWidth];
  end

endmodule

// Integers less their zero points, exactly.
module assay_zero_point #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  InBits           = 8,
  parameter int unsigned  ZeroBits         = 8,
  parameter int unsigned  ExponentWidth    = 1,  // an integer's exponent is 0
  localparam int unsigned InWidth          = 4 + ExponentWidth + InBits,
  localparam int unsigned ZeroWidth        = 4 + ExponentWidth + ZeroBits,
  localparam int unsigned SignificandWidth = 1 + assay_pkg::larger(InBits, ZeroBits),
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  input  logic [Terms*ZeroWidth-1:0]   zero_i,  // each element's own
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned WorkWidth = 1 + SignificandWidth;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [WorkWidth-1:0]        number, zero, difference;
    logic                        negative;
    logic [SignificandWidth-1:0] magnitude;
    assign number     = WorkWidth'(number_i[i*InWidth +: InBits]);
    assign zero       = WorkWidth'(zero_i[i*ZeroWidth +: ZeroBits]);
    assign difference = (number_i[(i+1)*InWidth-4] ? -number : number) -
                        (zero_i[(i+1)*ZeroWidth-4] ? -zero : zero);
    assign negative   = difference[WorkWidth-1];
    assign magnitude  =
        SignificandWidth'(negative ? -difference : difference);
    assign number_o[i*NumberWidth +: NumberWidth] = {
      difference != '0, assay_pkg::ClassFinite, negative, {ExponentWidth{1'b0}}, magnitude
    };
  end

  // An integer is its sign and its magnitude.
  logic unused;
  assign unused = ^{number_i, zero_i};

endmodule

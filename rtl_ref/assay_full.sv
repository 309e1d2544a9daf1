// Stage round: what a register of so many bits makes of a number that it cannot hold. The last bit
// of both weighs the same.
//
//   s i i i i . f f f     two's complement: the low bits, or the number farthest from zero
//
// With Tells each number leaves above what assay_raised_round asks of it.
module assay_full #(
  parameter int unsigned  Terms              = 1,
  parameter int unsigned  ExponentWidth      = 9,
  parameter int unsigned  InSignificandWidth = 32,
  parameter int unsigned  SignificandWidth   = 24,  // not more than Bits
  parameter int unsigned  Bits               = 24,
  parameter bit           Wraps              = 1'b1,
  parameter bit           Symmetric          = 1'b0,
  parameter bit           Tells              = 1'b0,
  localparam int unsigned InWidth            = 4 + ExponentWidth + InSignificandWidth,
  localparam int unsigned Told               = Tells ? 3 : 0,
  localparam int unsigned NumberWidth        = 4 + ExponentWidth + SignificandWidth + Told
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned Width = 1 + assay_pkg::larger(InSignificandWidth, Bits);
  localparam logic [Width-1:0] MostPositive = (Width'(1) << (Bits - 1)) - Width'(1);
  localparam logic [Width-1:0] MostNegative = (Width'(1) << (Bits - 1)) - Width'(Symmetric);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                          counts, negative, too_large, out_negative;
    logic [1:0]                    class_is;
    logic [ExponentWidth-1:0]      exponent;
    logic [InSignificandWidth-1:0] significand;
    logic [Width-1:0]              magnitude, most, out;
    logic [Width:0]                room;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];
    // Where every magnitude fits, a comparison would be a constant one.
    assign magnitude = Width'(significand);
    assign most      = negative ? MostNegative : MostPositive;
    assign room      = {1'b0, most} - {1'b0, magnitude};
    assign too_large = class_is == assay_pkg::ClassFinite && room[Width];

    if (Wraps) begin : gen_wrap
      logic [Width-1:0] value;
      logic [Bits-1:0]  low, wrapped;
      assign value        = negative ? -magnitude : magnitude;
      assign low          = value[Bits-1:0];
      assign wrapped      = low[Bits-1] ? -low : low;
      assign out          = too_large ? Width'(wrapped) : magnitude;
      assign out_negative = too_large ? low[Bits-1] : negative;
      logic unused;
      assign unused = ^value;
    end else begin : gen_stop
      assign out          = too_large ? most : magnitude;
      assign out_negative = negative;
    end

    assign number_o[i*NumberWidth+Told +: NumberWidth-Told] = {
      counts, class_is, out_negative, exponent, out[SignificandWidth-1:0]
    };
    if (Tells) begin : gen_told
      assign number_o[i*NumberWidth +: 3] = {1'b0, too_large, 1'b0};
    end

    logic unused;
    assign unused = ^{room, out};
  end

endmodule

// Whether a random word carries when it is added to what a cut drops.
//
//   k k k k k | d d d d d d d      d dropped
//             + r r r r            stochastic_a; stochastic_c rounds d to as many bits first
//             + r r r r 1          stochastic_b: d to one bit more, r in the middle of its step
module assay_chance #(
  parameter int unsigned     Width         = 25,
  parameter int unsigned     DistanceWidth = 9,
  parameter assay_pkg::cut_e Cut           = assay_pkg::CutStochasticA,
  parameter int unsigned     RandomBits    = 8
) (
  input  logic [Width-1:0]         magnitude_i,
  input  logic [DistanceWidth-1:0] distance_i,
  input  logic [RandomBits-1:0]    random_i,
  output logic                     carry_o
);

  localparam bit          Middle = Cut == assay_pkg::CutStochasticB;
  localparam int unsigned Bits   = RandomBits + 32'(Middle);

  // Bits of what is dropped, the half and the rest of one below them.
  logic [Width+Bits:0] padded, shifted;
  logic                half, rest, up;
  logic [Bits-1:0]     fraction;
  assign padded   = (Width + Bits + 1)'(magnitude_i) << (Bits + 1);
  assign shifted  = padded >> distance_i;
  assign half     = shifted[0];
  assign rest     = |(padded & ~({(Width + Bits + 1) {1'b1}} << distance_i));
  assign fraction = shifted[Bits:1];
  assign up       = Cut == assay_pkg::CutStochasticC && half && (rest || fraction[0]);

  logic [Bits+1:0] sum;
  assign sum     = (Bits + 2)'(fraction) + (Bits + 2)'(up) +
                   ((Bits + 2)'(random_i) << 32'(Middle)) + (Bits + 2)'(Middle);
  assign carry_o = |sum[Bits+1:Bits];

  logic unused;
  assign unused = ^{shifted, sum};

endmodule

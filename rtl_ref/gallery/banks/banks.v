// Verilog of 1995: ports declared below the header, registers for what always blocks assign.
// Four bytes of x come from two banks; the bytes of w lie in lanes of twelve bits, as they leave a memory with four bits
// for parity each; the addend is two halves.
module banks (x_even, x_odd, w, acc_hi, acc_lo, sum);
  parameter FAULT = 0;  // 1: the last lane is cut one bit off

  input  [15:0] x_even;
  input  [15:0] x_odd;
  input  [47:0] w;
  input  [15:0] acc_hi;
  input  [15:0] acc_lo;
  output [31:0] sum;

  reg [31:0] sum;
  reg [7:0]  last;

  wire unused = ^{w[11:8], w[23:20], w[35:32], w[47:44]};

  function [31:0] times;
    input [7:0] x;
    input [7:0] y;
    times = {{24{x[7]}}, x} * {{24{y[7]}}, y};
  endfunction

  always @(x_even or x_odd or w or acc_hi or acc_lo) begin
    last = (FAULT == 1) ? w[44:37] : w[43:36];
    sum = {acc_hi, acc_lo} + times(x_even[7:0], w[7:0]) + times(x_odd[7:0], w[19:12])
        + times(x_even[15:8], w[31:24]) + times(x_odd[15:8], last);
  end
endmodule

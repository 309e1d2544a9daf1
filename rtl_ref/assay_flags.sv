// Stage flags: what has been raised on the way to a result, as the status bits beside it.
//
//   inexact | underflow | overflow | invalid
module assay_flags #(
  parameter int unsigned  NumberWidth = 37,
  parameter bit           EveryNan    = 1'b0,  // is invalid
  localparam int unsigned RaisedWidth = 5
) (
  input  logic [RaisedWidth-1:0] raised_i,
  input  logic [NumberWidth-1:0] number_i,
  output logic [3:0]             flags_o
);

  logic is_nan;
  assign is_nan  = number_i[NumberWidth-2 -: 2] == assay_pkg::ClassNan;
  assign flags_o = raised_i[3:0] | 4'(EveryNan && is_nan);

  // The result is read by nobody, and only its class matters.
  logic unused;
  assign unused = ^{raised_i, number_i, is_nan};

endmodule

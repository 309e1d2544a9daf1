// The sign and payload that a NaN passes on: those of the first NaN among the terms, or, where
// infinities of both signs made it, a new one's.
//
//   0 | p p p p | 0 0     payloads begin right below the top of a significand
module assay_nan #(
  parameter int unsigned  Terms                 = 16,  // looked at before ...
  parameter int unsigned  TermExponentWidth     = 6,
  parameter int unsigned  TermSignificandWidth  = 22,
  parameter int unsigned  OthersExponentWidth   = 8,
  parameter int unsigned  OthersSignificandWidth = 24,
  parameter int unsigned  Others                = 1,   // ... these
  parameter int unsigned  ExponentWidth         = 8,
  parameter int unsigned  SignificandWidth      = 24,
  localparam int unsigned TermWidth             = 4 + TermExponentWidth + TermSignificandWidth,
  localparam int unsigned OthersWidth           = 4 + OthersExponentWidth + OthersSignificandWidth,
  localparam int unsigned NumberWidth           = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*TermWidth-1:0]    term_i,
  input  logic [Others*OthersWidth-1:0] other_i,
  input  logic [NumberWidth-1:0]        number_i,
  output logic [NumberWidth-1:0]        number_o
);

  localparam int unsigned Width = assay_pkg::larger(
      SignificandWidth, assay_pkg::larger(TermSignificandWidth, OthersSignificandWidth));

  // The last assignment wins: from the last term to the first.
  logic             nan_negative;
  logic [Width-1:0] payload;
  always_comb begin
    nan_negative = 1'b1;
    payload      = '0;
    for (int i = Others - 1; i >= 0; i = i - 1) begin
      if (other_i[(i+1)*OthersWidth-3 +: 2] == assay_pkg::ClassNan) begin
        nan_negative = other_i[(i+1)*OthersWidth-4];
        payload      = Width'(other_i[i*OthersWidth +: OthersSignificandWidth])
                       << (Width - OthersSignificandWidth);
      end
    end
    for (int i = Terms - 1; i >= 0; i = i - 1) begin
      if (term_i[(i+1)*TermWidth-3 +: 2] == assay_pkg::ClassNan) begin
        nan_negative = term_i[(i+1)*TermWidth-4];
        payload      = Width'(term_i[i*TermWidth +: TermSignificandWidth])
                       << (Width - TermSignificandWidth);
      end
    end
  end

  logic                        counts, negative, nan;
  logic [1:0]                  class_is;
  logic [ExponentWidth-1:0]    exponent;
  logic [SignificandWidth-1:0] significand, passed_on;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign nan       = class_is == assay_pkg::ClassNan;
  assign passed_on = SignificandWidth'(payload >> (Width - SignificandWidth));
  assign number_o  = {
    counts, class_is, nan ? nan_negative : negative, exponent, nan ? passed_on : significand
  };

  logic unused;
  assign unused = ^{term_i, other_i, payload};

endmodule

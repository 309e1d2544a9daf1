// Products whose exponent follows their leading one.
//
//   0 1 . m m m m   2^exponent      what leaves:  1 . m m m m 0   2^(exponent - 1)
//   1 m . m m m m   2^exponent                    1 . m m m m m   2^exponent
//
// An absolute number (its last bit weighs 2^-FractionBits) keeps its significand, and a zero its
// exponent.
module assay_normalise #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  InExponentWidth  = 6,
  parameter int unsigned  SignificandWidth = 22,
  parameter int           FractionBits     = 20,
  parameter bit           Absolute         = 1'b0,
  parameter int unsigned  ExponentWidth    = 7,
  localparam int unsigned InWidth          = 4 + InExponentWidth + SignificandWidth,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      assay_pkg::larger(InExponentWidth, ExponentWidth),
      assay_pkg::larger(assay_pkg::signed_width(SignificandWidth),
                        assay_pkg::signed_width(FractionBits)));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [SignificandWidth-1:0]       significand, out_significand;
    logic [ExponentWidth-1:0]          out_exponent, of_leading;
    logic [WorkWidth-1:0]              leading;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];

    always_comb begin
      leading = '0;
      for (int j = 0; j < SignificandWidth; j = j + 1) begin
        if (significand[j]) leading = WorkWidth'(j);
      end
    end

    assign of_leading      = ExponentWidth'((Absolute ? '0 : WorkWidth'(exponent)) -
                                            WorkWidth'(FractionBits) + leading);
    assign out_exponent    = (significand == '0) ? ExponentWidth'(exponent) : of_leading;
    assign out_significand =
        Absolute ? significand : significand << (WorkWidth'(SignificandWidth - 1) - leading);
    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts, class_is, negative, out_exponent, out_significand
    };

    logic unused;
    assign unused = ^exponent;
  end

endmodule

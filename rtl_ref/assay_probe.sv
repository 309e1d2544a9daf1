// Numbers as they are compared with other implementations: what does not matter is zero.
//
//   class[1:0] | negative | exponent | significand
//
//   finite     everything; the exponent only of a number that has one
//   infinity   class and sign
//   NaN        the class
module assay_probe #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  ExponentWidth    = 5,
  parameter int unsigned  SignificandWidth = 11,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth,
  localparam int unsigned ProbeWidth       = NumberWidth - 1
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*ProbeWidth-1:0]  probe_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                        counts, negative, finite;
    logic [1:0]                  class_is;
    logic [ExponentWidth-1:0]    exponent;
    logic [SignificandWidth-1:0] significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*NumberWidth +: NumberWidth];
    assign finite = class_is == assay_pkg::ClassFinite;

    assign probe_o[i*ProbeWidth +: ProbeWidth] = {
      class_is,
      negative && class_is != assay_pkg::ClassNan,
      (finite && counts) ? exponent : '0,
      finite ? significand : '0
    };
  end

endmodule

// What a NaN among decoded operands passes on, beside the number: its sign and payload.
//
//   significand   1 | m m m m
//   nan             NaN | negative | p p p p . .     payloads are aligned left
module assay_payload #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  ExponentWidth    = 5,
  parameter int unsigned  SignificandWidth = 11,
  parameter int unsigned  PayloadWidth     = 23,
  parameter bit           IsQuiet          = 1'b0,  // a NaN has no more to say
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth,
  localparam int unsigned NanWidth         = 2 + PayloadWidth
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NanWidth-1:0]    nan_o
);

  localparam int unsigned Width = assay_pkg::larger(SignificandWidth, PayloadWidth + 1);

  localparam logic [PayloadWidth-1:0] Quiet = PayloadWidth'(1) << (PayloadWidth - 1);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [1:0]       class_is;
    logic             negative;
    logic [Width-1:0] left;
    assign {class_is, negative} = number_i[(i+1)*NumberWidth-4 +: 3];
    assign left = Width'(number_i[i*NumberWidth +: SignificandWidth]) << (Width - SignificandWidth);
    assign nan_o[i*NanWidth +: NanWidth] = {
      class_is == assay_pkg::ClassNan, negative, IsQuiet ? Quiet : left[Width-2 -: PayloadWidth]
    };
    logic unused;
    assign unused = ^left;
  end

  logic unused;
  assign unused = ^number_i;

endmodule

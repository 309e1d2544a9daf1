// The code of a NaN that was made of numbers and infinities, in place of the one that all others
// have. It has no payload.
module assay_made_nan #(
  parameter int unsigned           PayloadWidth = 3,
  parameter int unsigned           StoredBits   = 8,
  parameter logic [StoredBits-1:0] Made         = {StoredBits{1'b1}},
  localparam int unsigned          NanWidth     = 2 + PayloadWidth
) (
  input  logic [StoredBits-1:0] code_i,
  input  logic [NanWidth-1:0]   nan_i,
  output logic [StoredBits-1:0] code_o
);

  logic                    is_nan, negative;
  logic [PayloadWidth-1:0] payload;
  assign {is_nan, negative, payload} = nan_i;
  assign code_o = (is_nan && payload == '0) ? Made : code_i;

  logic unused;
  assign unused = negative;

endmodule

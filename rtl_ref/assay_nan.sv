// The sign and payload of each number that is NaN: those of the first NaN among what made it, or,
// where infinities or a zero did, a new one's: negative, without payload.
module assay_nan #(
  parameter int unsigned  Terms        = 1,
  parameter int unsigned  Candidates   = 2,  // of each
  parameter int unsigned  PayloadWidth = 23,
  parameter int unsigned  NumberWidth  = 37,
  localparam int unsigned NanWidth     = 2 + PayloadWidth
) (
  input  logic [Terms*Candidates*NanWidth-1:0] nan_i,  // the first one lowest
  input  logic [Terms*NumberWidth-1:0]         number_i,
  output logic [Terms*NanWidth-1:0]            nan_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    // The last assignment wins: from the last candidate to the first.
    logic                    negative;
    logic [PayloadWidth-1:0] payload;
    always_comb begin
      negative = 1'b1;
      payload  = '0;
      for (int j = Candidates - 1; j >= 0; j = j - 1) begin
        if (nan_i[(i*Candidates+j)*NanWidth+PayloadWidth+1]) begin
          negative = nan_i[(i*Candidates+j)*NanWidth+PayloadWidth];
          payload  = nan_i[(i*Candidates+j)*NanWidth +: PayloadWidth];
        end
      end
    end
    assign nan_o[i*NanWidth +: NanWidth] = {
      number_i[(i+1)*NumberWidth-3 +: 2] == assay_pkg::ClassNan, negative, payload
    };
  end

  // Only the class matters here.
  logic unused;
  assign unused = ^number_i;

endmodule

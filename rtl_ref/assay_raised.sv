// What has been raised when operations have made numbers of others: by all that led to them, by
// reading a NaN that signals, by making a NaN of numbers and infinities, and by losing ones.
module assay_raised #(
  parameter int unsigned  Terms       = 1,
  parameter int unsigned  Candidates  = 2,  // of each
  localparam int unsigned RaisedWidth = 5
) (
  input  logic [Terms*Candidates*RaisedWidth-1:0] raised_i,   // the first one lowest
  input  logic [Terms*Candidates-1:0]             nan_i,      // which of them are NaN
  input  logic [2*Terms-1:0]                      class_i,    // of what was made
  input  logic [Terms-1:0]                        inexact_i,  // what is finite has lost ones
  output logic [Terms*RaisedWidth-1:0]            raised_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [RaisedWidth-1:0] so_far;
    logic [1:0]             class_is;
    logic                   signals, inexact, new_nan;
    always_comb begin
      so_far  = '0;
      signals = 1'b0;
      for (int j = 0; j < Candidates; j = j + 1) begin
        so_far  = so_far | raised_i[(i*Candidates+j)*RaisedWidth +: RaisedWidth];
        signals = signals ||
                  (raised_i[(i*Candidates+j)*RaisedWidth+RaisedWidth-1] && nan_i[i*Candidates+j]);
      end
    end
    assign class_is = class_i[2*i +: 2];
    assign inexact  = class_is == assay_pkg::ClassFinite && inexact_i[i];
    assign new_nan  = class_is == assay_pkg::ClassNan && nan_i[i*Candidates +: Candidates] == '0;
    assign raised_o[i*RaisedWidth +: RaisedWidth] = {
      1'b0, so_far[3] || inexact, so_far[2:1], so_far[0] || signals || new_nan
    };

    logic unused;
    assign unused = so_far[4];
  end

endmodule

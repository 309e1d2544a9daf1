// Stage take: of several NaNs in a step, the one whose payload and sign the step leaves: that of the
// first place that holds one. Where no place does, the sum's own.
//
//   place     a[1]  |  a[0] b[0] product[0]  |  acc      a bit of Begins where a run of them begins
//
// With SignallingFirst a signalling NaN goes before the quiet ones of its run. A NaN that was made
// has no payload.
module assay_take #(
  parameter int unsigned       Places          = 2,
  parameter logic [Places-1:0] Begins          = {Places{1'b1}},
  parameter bit                SignallingFirst = 1'b0,
  parameter int unsigned       PayloadWidth    = 23,
  localparam int unsigned      NanWidth        = 2 + PayloadWidth
) (
  input  logic [Places*NanWidth-1:0] nan_i,  // the first place lowest
  input  logic [NanWidth-1:0]        sum_i,
  output logic [NanWidth-1:0]        nan_o   // NaN where the sum is one
);

  logic                    found, settled, signalling;
  logic [PayloadWidth-1:0] payload;
  logic [NanWidth-1:0]     here, taken;

  always_comb begin
    found   = 1'b0;
    settled = 1'b0;
    taken   = sum_i;
    for (int i = 0; i < Places; i++) begin
      here       = nan_i[i*NanWidth +: NanWidth];
      payload    = here[PayloadWidth-1:0];
      signalling = SignallingFirst && payload != '0 && !payload[PayloadWidth-1];
      if (found && Begins[i]) settled = 1'b1;
      if (here[NanWidth-1] && !settled) begin
        if (!found || signalling) taken = here;
        found   = 1'b1;
        settled = signalling;
      end
    end
  end

  assign nan_o = {sum_i[NanWidth-1], taken[NanWidth-2:0]};

  logic unused;
  assign unused = taken[NanWidth-1];

endmodule

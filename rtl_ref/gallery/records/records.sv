// A request in one struct, the response in another, and a kind of operation by name.
module records
  import records_pkg::*;
#(
  parameter bit Fault = 1'b0  // a response that waits loses its lowest bit
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  request_t  req_i,
  input  logic      rsp_ready_i,
  output response_t rsp_o
);

  logic [31:0] sum;
  always_comb begin
    sum = req_i.op == OpClear ? '0 : req_i.c;
    for (int unsigned i = 0; i < 4; i++) sum += 32'($signed(req_i.a[i]) * $signed(req_i.b[i]));
  end

  response_t rsp_q;
  assign rsp_o = '{ready: !rsp_q.valid || rsp_ready_i, valid: rsp_q.valid, d: rsp_q.d};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_q <= '0;
    end else begin
      rsp_q.ready <= 1'b0;
      if (rsp_o.ready) begin
        rsp_q.valid <= req_i.valid && req_i.op != OpIdle;
        rsp_q.d     <= sum;
      end else if (Fault) begin
        rsp_q.d[0] <= 1'b0;
      end
    end
  end

  logic unused;
  assign unused = rsp_q.ready;

endmodule

// Two pairs a cycle are added to a register that a cycle of its own clears; nothing but counting cycles says when the sum
// is complete.
module cleared #(
  parameter bit Fault = 1'b0  // what is cleared keeps its lowest bit
) (
  input  wire         ck,
  input  wire         ce,
  input  wire         clr,
  input  wire  [15:0] p,
  input  wire  [15:0] q,
  output logic [23:0] sum
);

  always_ff @(posedge ck) begin
    if (ce) begin
      if (clr) sum <= Fault ? 24'(sum[0]) : '0;
      else     sum <= sum + 24'($signed(p[7:0]) * $signed(q[7:0])) + 24'($signed(p[15:8]) * $signed(q[15:8]));
    end
  end

endmodule

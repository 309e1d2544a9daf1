// The valid bits of a pipeline and what its registers may take: each one empties into the next, and
// bubbles close when the end stands still.
//
//   valid_i ->  | valid[0] |  ->  | valid[1] |  -> valid_o
//   ready_o <-  enable_o[0]   <-  enable_o[1]   <- ready_i
module assay_control #(
  parameter int unsigned     Cuts      = 4,  // places where there may be registers
  parameter logic [Cuts-1:0] Registers = {Cuts{1'b1}}  // where there are some
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            valid_i,
  output logic            ready_o,
  output logic            valid_o,
  input  logic            ready_i,
  output logic [Cuts-1:0] enable_o
);

  // Bit i: at cut i.
  logic [Cuts-1:0] full, arrives, moves_on;
  logic            valid, ready;

  always_comb begin
    valid = valid_i;
    for (int i = 0; i < Cuts; i = i + 1) begin
      arrives[i] = valid;
      valid      = Registers[i] ? full[i] : valid;
    end
  end

  always_comb begin
    ready = ready_i;
    for (int i = Cuts - 1; i >= 0; i = i - 1) begin
      ready       = ready || (Registers[i] && !full[i]);
      moves_on[i] = ready;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) full <= '0;
    else         full <= (moves_on & arrives) | (~moves_on & full);
  end

  assign enable_o = moves_on & arrives;
  assign ready_o  = ready;
  assign valid_o  = valid;

endmodule

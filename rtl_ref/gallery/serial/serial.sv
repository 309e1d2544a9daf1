// One multiplier and a counter, in the style of the nineties: start, busy and done, and operands that are read from
// the ports while it runs.
module serial #(
  parameter bit Fault = 1'b0  // the last product is lost
) (
  input  logic        Clk,
  input  logic        Rst,
  input  logic        Start,
  output logic        Busy,
  output logic        Done,
  input  logic [31:0] OpA,
  input  logic [31:0] OpB,
  input  logic [31:0] OpC,
  output logic [31:0] Res
);

  typedef enum logic [1:0] {StIdle, StRun, StDone} state_e;
  state_e      state;
  logic [1:0]  n;
  logic [31:0] product;

  assign product = 32'($signed(OpA[8*n +: 8]) * $signed(OpB[8*n +: 8]));
  assign Busy    = state == StRun;
  assign Done    = state == StDone;  // until the next start

  always_ff @(posedge Clk or posedge Rst) begin
    if (Rst) begin
      state <= StIdle;
      n     <= 2'd0;
      Res   <= '0;
    end else if (Busy) begin
      n <= n + 2'd1;
      if (n == 2'd3) state <= StDone;
      if (!(Fault && n == 2'd3)) Res <= (n == 2'd0 ? OpC : Res) + product;
    end else if (Start) begin
      state <= StRun;
    end
  end

endmodule

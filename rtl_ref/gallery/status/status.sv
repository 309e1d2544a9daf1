// A multiplier of 4-bit numbers with the five flags of a RISC-V FPU: invalid, divided by zero, overflow, underflow, inexact.
module status #(
  parameter bit Fault = 1'b0  // underflow is seen in the result, which may have been rounded up to a normal number
) (
  input  logic [3:0] op_a_i,
  input  logic [3:0] op_b_i,
  output logic [3:0] result_o,
  output logic [4:0] fflags_o
);

  // In halves: 0, 0.5, 1, 1.5, 2, 3, 4, 6.
  function automatic logic [3:0] halves(logic [2:0] code);
    unique case (code)
      3'd0: halves = 4'd0;
      3'd1: halves = 4'd1;
      3'd2: halves = 4'd2;
      3'd3: halves = 4'd3;
      3'd4: halves = 4'd4;
      3'd5: halves = 4'd6;
      3'd6: halves = 4'd8;
      default: halves = 4'd12;
    endcase
  endfunction

  logic [7:0] quarters, rounded;
  logic [2:0] code;
  logic overflow, underflow, inexact;

  assign quarters = halves(op_a_i[2:0]) * halves(op_b_i[2:0]);

  // Halfway between two numbers lies 1, 3, 5, 7, 10, 14, 20; that of the even code is taken.
  assign code = 3'(quarters > 8'd1) + 3'(quarters > 8'd2) + 3'(quarters > 8'd5) + 3'(quarters > 8'd6) +
                3'(quarters > 8'd10) + 3'(quarters > 8'd13) + 3'(quarters > 8'd20);
  assign rounded = {3'd0, halves(code), 1'b0};

  assign overflow = quarters > 8'd27;
  assign inexact = quarters != rounded;
  assign underflow = inexact && (Fault ? rounded < 8'd4 : quarters < 8'd4);

  assign result_o = {op_a_i[3] ^ op_b_i[3], code};
  assign fflags_o = {2'b00, overflow, underflow, inexact};

endmodule

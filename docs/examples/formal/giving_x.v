// Cells that give an x for some operands, where yosys's own gates give what is least: an index out of range, and
// division by zero.
(* techmap_celltype = "$shiftx" *)
module _80_indexed (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y, is_there;
  \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    of_bits (.A(A), .B(B), .Y(y));
  \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    of_ones (.A({A_WIDTH{1'b1}}), .B(B), .Y(is_there));
  genvar i;
  generate for (i = 0; i < Y_WIDTH; i = i + 1) assign Y[i] = is_there[i] ? y[i] : 1'bx; endgenerate
endmodule
(* techmap_celltype = "$div" *)
module _80_of_$div (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  \$div #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    divided (.A(A), .B(B), .Y(y));
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : y;
endmodule
(* techmap_celltype = "$mod" *)
module _80_of_$mod (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  \$mod #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    divided (.A(A), .B(B), .Y(y));
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : y;
endmodule
(* techmap_celltype = "$divfloor" *)
module _80_of_$divfloor (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  \$divfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    divided (.A(A), .B(B), .Y(y));
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : y;
endmodule
(* techmap_celltype = "$modfloor" *)
module _80_of_$modfloor (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  \$modfloor #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    divided (.A(A), .B(B), .Y(y));
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : y;
endmodule

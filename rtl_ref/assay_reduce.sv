// Stage reduce: the sum of aligned addends, and that sum as a number again.
//
//   sum_o     s s s s . s s s s s s
//   sticky                         | t     with Sticky one more bit: were any ones cut off above?
//
// With LostBeside that bit goes on below the number, unless the sum is zero.
module assay_reduce #(
  parameter int unsigned  Terms       = 17,
  parameter int unsigned  AddendWidth = 28,
  parameter int unsigned  WindowWidth = 9,
  parameter bit           Sticky      = 1'b0,
  parameter bit           LostBeside  = 1'b0,
  parameter bit           ZeroCounts  = 1'b1,  // else a sum that is zero has no exponent
  localparam int unsigned SumWidth    = AddendWidth + $clog2(Terms),
  localparam int unsigned OutWidth    = SumWidth + 32'(Sticky || LostBeside),
  localparam int unsigned NumberWidth = 4 + WindowWidth + SumWidth - 1 + 32'(Sticky || LostBeside)
) (
  input  logic [Terms*AddendWidth-1:0] addend_i,
  input  logic [Terms-1:0]             lost_i,
  input  logic [WindowWidth-1:0]       window_i,
  input  logic                         counts_i,
  output logic [OutWidth-1:0]          sum_o,
  output logic [NumberWidth-1:0]       number_o
);

  localparam int unsigned Leaves = 1 << $clog2(Terms);
  logic [Leaves*SumWidth-1:0] leaf, node;

  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    if (i < Terms) begin : gen_addend
      logic signed [AddendWidth-1:0] addend;
      assign addend = addend_i[i*AddendWidth +: AddendWidth];
      assign leaf[i*SumWidth +: SumWidth] = SumWidth'(addend);
    end else begin : gen_padding
      assign leaf[i*SumWidth +: SumWidth] = '0;
    end
  end

  // A tree of adders, folded into its own lower half level by level.
  always_comb begin
    node = leaf;
    for (int width = Leaves / 2; width > 0; width = width / 2) begin
      for (int i = 0; i < width; i = i + 1) begin
        node[i*SumWidth +: SumWidth] =
            node[2*i*SumWidth +: SumWidth] + node[(2*i+1)*SumWidth +: SumWidth];
      end
    end
  end

  logic [SumWidth-1:0] sum, magnitude;
  logic                negative;
  assign sum       = node[SumWidth-1:0];
  assign negative  = sum[SumWidth-1];
  assign magnitude = negative ? -sum : sum;

  logic any_lost, is_zero, counts;
  assign any_lost = |lost_i;
  assign is_zero  = sum == '0 && !(Sticky && any_lost);
  assign counts   = counts_i && (ZeroCounts || !is_zero);

  // The magnitude is always less than 2^(SumWidth-1).
  if (Sticky || LostBeside) begin : gen_lost
    assign sum_o    = {sum, any_lost};
    assign number_o = {counts, assay_pkg::ClassFinite, negative, window_i,
                       magnitude[SumWidth-2:0], any_lost && !(LostBeside && is_zero)};
  end else begin : gen_plain
    assign sum_o    = sum;
    assign number_o = {counts, assay_pkg::ClassFinite, negative, window_i,
                       magnitude[SumWidth-2:0]};
  end

  logic unused;
  assign unused = ^{any_lost, is_zero, magnitude[SumWidth-1]};

endmodule

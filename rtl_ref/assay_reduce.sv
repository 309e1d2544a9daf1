// Stage reduce: the sum of aligned addends, and that sum as a number again.
//
//   sum_o     s s s s . s s s s s s
//   sticky                         | t     with Sticky one more bit: were any ones cut off above?
module assay_reduce #(
  parameter int unsigned  Terms       = 17,
  parameter int unsigned  AddendWidth = 28,
  parameter int unsigned  WindowWidth = 9,
  parameter bit           Sticky      = 1'b0,
  localparam int unsigned SumWidth    = AddendWidth + $clog2(Terms),
  localparam int unsigned OutWidth    = SumWidth + 32'(Sticky),
  localparam int unsigned NumberWidth = 4 + WindowWidth + OutWidth - 1
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

  // The magnitude is always less than 2^(SumWidth-1).
  if (Sticky) begin : gen_sticky
    assign sum_o    = {sum, |lost_i};
    assign number_o = {counts_i, assay_pkg::ClassFinite, negative, window_i,
                       magnitude[SumWidth-2:0], |lost_i};
  end else begin : gen_plain
    assign sum_o    = sum;
    assign number_o = {counts_i, assay_pkg::ClassFinite, negative, window_i,
                       magnitude[SumWidth-2:0]};
  end

  logic unused;
  assign unused = ^{lost_i, magnitude[SumWidth-1]};

endmodule

// Stage window: the exponent that all addends are brought to.
module assay_window #(
  parameter int unsigned  Terms            = 17,
  parameter int unsigned  ExponentWidth    = 9,
  parameter int unsigned  SignificandWidth = 25,
  parameter int unsigned  WindowWidth      = 9,
  parameter bit           Fixed            = 1'b0,
  parameter int           At               = 0,     // of a fixed window
  parameter bit           HasFloor         = 1'b1,
  parameter int           Floor            = -133,  // of a largest exponent
  parameter int unsigned  StepBits         = 0,     // rounded up to a multiple of 2^StepBits
  localparam int unsigned TermWidth        = 2 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*TermWidth-1:0]    term_i,
  output logic signed [WindowWidth-1:0] window_o,  // zero where nothing gives an exponent
  output logic                          counts_o   // some term has an exponent
);

  // A term as an unsigned key: what does not count comes below everything that does.
  //
  //   counts | exponent, its sign inverted
  localparam int unsigned KeyWidth = 1 + ExponentWidth;
  localparam int unsigned Leaves   = 1 << $clog2(Terms);
  logic [Leaves*KeyWidth-1:0] leaf, node;

  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    if (i < Terms) begin : gen_term
      logic                     counts, negative;
      logic [ExponentWidth-1:0] exponent;
      assign {counts, negative, exponent} =
          term_i[i*TermWidth+SignificandWidth +: 2+ExponentWidth];
      assign leaf[i*KeyWidth +: KeyWidth] =
          counts ? {1'b1, ~exponent[ExponentWidth-1], exponent[ExponentWidth-2:0]} : '0;
      logic unused;
      assign unused = ^{negative, term_i[i*TermWidth +: SignificandWidth]};
    end else begin : gen_padding
      assign leaf[i*KeyWidth +: KeyWidth] = '0;
    end
  end

  // A tree of maxima, folded into its own lower half level by level.
  always_comb begin
    node = leaf;
    for (int width = Leaves / 2; width > 0; width = width / 2) begin
      for (int i = 0; i < width; i = i + 1) begin
        node[i*KeyWidth +: KeyWidth] =
            (node[(2*i+1)*KeyWidth +: KeyWidth] > node[2*i*KeyWidth +: KeyWidth]) ?
            node[(2*i+1)*KeyWidth +: KeyWidth] : node[2*i*KeyWidth +: KeyWidth];
      end
    end
  end

  logic signed [ExponentWidth-1:0] largest;
  assign largest  = {~node[ExponentWidth-1], node[ExponentWidth-2:0]};
  assign counts_o = node[KeyWidth-1];

  if (Fixed) begin : gen_fixed
    assign window_o = WindowWidth'(At);
    logic unused;
    assign unused = ^largest;
  end else begin : gen_largest
    localparam int unsigned WorkWidth = 1 + assay_pkg::larger(WindowWidth, ExponentWidth);
    logic signed [WorkWidth-1:0] lowest, floored;
    assign lowest  = HasFloor ? WorkWidth'(Floor) : '0;
    assign floored = (!counts_o || (HasFloor && WorkWidth'(largest) < lowest)) ?
                     lowest : WorkWidth'(largest);
    localparam logic signed [WorkWidth-1:0] Below = WorkWidth'((1 << StepBits) - 1);
    assign window_o = WindowWidth'((floored + Below) & ~Below);
  end

endmodule

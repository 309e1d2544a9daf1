// Stage window: the exponent that all addends are brought to.
module assay_window #(
  parameter int unsigned Terms         = 17,
  parameter int unsigned ExponentWidth = 9,
  parameter int unsigned WindowWidth   = 9,
  parameter bit          Fixed         = 1'b0,
  parameter int          At            = 0,     // of a fixed window
  parameter bit          HasFloor      = 1'b1,
  parameter int          Floor         = -133,  // of a largest exponent
  parameter int          Raise         = 0,     // a largest exponent stands so much above
  parameter int unsigned Step          = 1,     // it is rounded up to a multiple ...
  parameter int          From          = 0,     // ... counted from here
  parameter bit          HasLostAt     = 1'b0,
  parameter int          LostAt        = 0      // a window there or below is as if nothing counted
) (
  input  logic [Terms-1:0]               counts_i,  // it has an exponent
  input  logic [Terms*ExponentWidth-1:0] exponent_i,
  output logic signed [WindowWidth-1:0]  window_o,  // zero where nothing gives an exponent
  output logic                           counts_o   // the sum has an exponent
);

  // A term as an unsigned key: what does not count comes below everything that does.
  //
  //   counts | exponent, its sign inverted
  localparam int unsigned KeyWidth = 1 + ExponentWidth;
  localparam int unsigned Leaves   = 1 << $clog2(Terms);
  localparam logic [ExponentWidth-1:0] Sign = ExponentWidth'(1) << (ExponentWidth - 1);
  logic [Leaves*KeyWidth-1:0] leaf, node;

  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    if (i < Terms) begin : gen_term
      logic [ExponentWidth-1:0] exponent;
      assign exponent = exponent_i[i*ExponentWidth +: ExponentWidth];
      assign leaf[i*KeyWidth +: KeyWidth] = counts_i[i] ? {1'b1, exponent ^ Sign} : '0;
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
  logic                            any;  // term has an exponent
  assign largest  = node[ExponentWidth-1:0] ^ Sign;
  assign any      = node[KeyWidth-1];

  if (Fixed) begin : gen_fixed
    assign window_o = WindowWidth'(At);
    logic unused;
    assign unused = ^largest;
  end else begin : gen_largest
    localparam int unsigned ValueWidth = assay_pkg::larger(
        assay_pkg::larger(WindowWidth, ExponentWidth), 1 + assay_pkg::signed_width(From));
    localparam int unsigned WorkWidth  = 3 + assay_pkg::larger(
        ValueWidth, assay_pkg::larger(assay_pkg::signed_width(Step), assay_pkg::signed_width(Raise)));
    logic signed [WorkWidth-1:0] lowest, raised, floored, stepped;
    assign lowest  = HasFloor ? WorkWidth'(Floor) : '0;
    assign raised  = WorkWidth'(largest) + WorkWidth'(Raise);
    assign floored = ((!any || (HasFloor && raised < lowest)) ? lowest : raised) - WorkWidth'(From);
    if ((Step & (Step - 1)) == 0) begin : gen_mask
      localparam logic signed [WorkWidth-1:0] Below = WorkWidth'(Step - 1);
      assign stepped = (floored + Below) & ~Below;
    end else begin : gen_divide
      // Above so many steps, nothing is negative.
      localparam int unsigned Offset = ((1 << ValueWidth) + Step - 1) / Step * Step;
      logic [WorkWidth-1:0] above, beyond;
      assign above   = floored + WorkWidth'(Offset);
      assign beyond  = above % WorkWidth'(Step);
      assign stepped = (beyond == '0) ? floored : floored + WorkWidth'(Step) - $signed(beyond);
    end
    assign window_o = (any || HasFloor) ? WindowWidth'(stepped + WorkWidth'(From)) : '0;
  end

  localparam int unsigned LostWidth =
      assay_pkg::larger(WindowWidth, assay_pkg::signed_width(LostAt));
  logic signed [LostWidth-1:0] window, lost_at;
  assign window   = LostWidth'(window_o);
  assign lost_at  = LostWidth'(LostAt);
  assign counts_o = any && !(HasLostAt && window <= lost_at);

  logic unused_lost;
  assign unused_lost = ^{window, lost_at};

endmodule

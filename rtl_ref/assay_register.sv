// A pipeline register, or none: a wire.
module assay_register #(
  parameter int unsigned Width   = 1,
  parameter bit          Present = 1'b1
) (
  input  logic             clk_i,
  input  logic             enable_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  if (Present) begin : gen_register
    always_ff @(posedge clk_i) begin
      if (enable_i) data_o <= data_i;
    end
  end else begin : gen_wire
    assign data_o = data_i;
    logic unused;
    assign unused = ^{clk_i, enable_i};
  end

endmodule

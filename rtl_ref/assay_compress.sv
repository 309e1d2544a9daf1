// Stage multiply, where products go on as carry-save rows: three rows become two of the same sum,
// until there are two.
//
//   x     0 1 1 0     sum       0 0 1 1     where one or three of them have a one
//   y     0 1 0 1     carry   1 1 0 0 .     where two or three have, one place up
//   z     1 1 0 0
module assay_compress #(
  parameter int unsigned Rows  = 3,
  parameter int unsigned Width = 8,
  parameter bit          Chain = 1'b0  // the first three alone, time after time
) (
  input  logic [Rows*Width-1:0] rows_i,
  output logic [2*Width-1:0]    rows_o
);

  localparam int unsigned Threes = Rows / 3;

  if (Rows < 3) begin : gen_done
    assign rows_o = (2*Width)'(rows_i);
  end else begin : gen_compress
    logic [Rows*Width-1:0] row;
    logic [Width-1:0]      x, y, z;

    always_comb begin
      row = rows_i;
      {x, y, z} = '0;
      for (int unsigned count = Rows; count > 2; count = count - (Chain ? 1 : count / 3)) begin
        for (int unsigned i = 0; i < Threes; i++) begin
          if (i < (Chain ? 1 : count / 3)) begin
            x = row[3*i*Width +: Width];
            y = row[(3*i+1)*Width +: Width];
            z = row[(3*i+2)*Width +: Width];
            row[2*i*Width +: Width]     = x ^ y ^ z;
            row[(2*i+1)*Width +: Width] = ((x & y) | (y & z) | (x & z)) << 1;
          end
        end
        for (int unsigned i = 0; i < Rows; i++) begin
          if (i >= 3 * (Chain ? 1 : count / 3) && i < count)
            row[(i-(Chain ? 1 : count / 3))*Width +: Width] = row[i*Width +: Width];
        end
      end
    end

    assign rows_o = row[2*Width-1:0];
  end

endmodule

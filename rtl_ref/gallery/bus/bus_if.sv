// One side computes, the other one asks.
interface bus_if;

  logic [7:0]  a[4];
  logic [7:0]  b[4];
  logic [31:0] c;
  logic [31:0] d;
  logic        go;
  logic        done;

  modport unit(input a, input b, input c, input go, output d, output done);

endinterface

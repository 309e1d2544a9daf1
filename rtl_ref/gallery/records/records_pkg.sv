// What goes into the unit and what comes out of it.
package records_pkg;

  typedef enum logic [1:0] {
    OpIdle  = 2'd0,
    OpDot   = 2'd1,
    OpClear = 2'd2
  } op_e;

  typedef struct packed {
    logic            valid;
    op_e             op;
    logic [3:0][7:0] a;
    logic [3:0][7:0] b;
    logic [31:0]     c;
  } request_t;

  typedef struct packed {
    logic        ready;
    logic        valid;
    logic [31:0] d;
  } response_t;

endpackage

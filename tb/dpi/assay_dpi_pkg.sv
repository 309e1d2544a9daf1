// The model inside any SystemVerilog simulator, through libassay_dpi. docs/dpi.md shows it at work.
//
// A unit is opened once, told what goes into the device under test (expect) and shown what comes out (check), in the same
// order; it counts, and keeps the words of the first error. Whatever is wrong, in the device or in the testbench, is an
// error counted: no call stops the simulation.
package assay_dpi_pkg;

  // Operands are packed, element 0 lowest, and zero above the last: a narrower vector may be handed over as it is.
  parameter int unsigned VectorBits = 4096;
  typedef logic [VectorBits-1:0] vector_t;
  typedef logic [63:0] element_t;

  // An instruction ("ARCHITECTURE:INSTRUCTION") or a datapath file (its name ends with .yaml or .yml). The rest is what
  // the testbench takes it for: terms of a dot product, bits of an element. Never null: what is wrong is an error of the
  // unit, and its other functions then do nothing.
  import "DPI-C" function chandle assay_dpi_open(
    input string unit,
    input int    k,
    input int    a_bits,
    input int    b_bits,
    input int    c_bits,
    input int    d_bits
  );
  import "DPI-C" function void assay_dpi_close(input chandle unit);

  // The block scales of every dot product from here on, for units that have them. 1: taken.
  import "DPI-C" function int assay_dpi_scales(
    input chandle  unit,
    input vector_t scale_a,
    input vector_t scale_b
  );

  // Another operand of every dot product from here on, by its name in the datapath file: scales of one
  // side, zero points, random words; its first code lowest. 1: taken.
  import "DPI-C" function int assay_dpi_operand(
    input chandle  unit,
    input string   name,
    input vector_t codes
  );

  // d = c + a . b. 1: computed; 0: d is all x.
  import "DPI-C" function int assay_dpi_compute(
    input  chandle   unit,
    input  vector_t  a,
    input  vector_t  b,
    input  element_t c,
    output element_t d
  );

  // These operands went into the device. 1: taken.
  import "DPI-C" function int assay_dpi_expect(
    input chandle   unit,
    input vector_t  a,
    input vector_t  b,
    input element_t c
  );
  // This came out of the device, for the oldest operands that have no result yet. 1: as expected.
  import "DPI-C" function int assay_dpi_check(
    input chandle   unit,
    input element_t d
  );

  // No more results: operands without one are an error, and so is a run that checked nothing. Gives the errors in all.
  import "DPI-C" function longint assay_dpi_finish(input chandle unit);

  import "DPI-C" function longint assay_dpi_checked(input chandle unit);
  import "DPI-C" function longint assay_dpi_errors(input chandle unit);
  // The first error, with the command that shows it stage by stage; empty where there was none.
  import "DPI-C" function string assay_dpi_error_text(input chandle unit);
  // Counts in a sentence, then the first error.
  import "DPI-C" function string assay_dpi_summary(input chandle unit);

endpackage

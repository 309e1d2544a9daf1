#include "scripts/capture/kernels.hpp"

#include "model/base/text.hpp"
#include "scripts/capture/tiles.hpp"

namespace assay::capture {
namespace {

using layout::Fragment;
using layout::NamedShape;

std::string text(int number) { return std::to_string(number); }

// --- pieces of inline assembly ---

// "{%4, %5}", from operand `first` on.
std::string numbers(int first, int count) {
  std::string all = "{";
  for (int i = 0; i < count; ++i) all += (i == 0 ? "%" : ", %") + text(first + i);
  return all + "}";
}

// An operand of `words` registers as the constraint list of an asm statement has it: 64-bit elements as pairs.
struct Registers {
  int count = 0;
  std::string list;
};

Registers registers(const std::string& constraint, const std::string& array, const Fragment& f) {
  const bool wide = f.bits == 64;
  Registers r;
  r.count = wide ? f.words() / 2 : f.words();
  for (int i = 0; i < r.count; ++i) {
    if (i > 0) r.list += ", ";
    r.list += "\"" + constraint + (wide ? "l" : "r") + "\"(" +
              (wide ? "reinterpret_cast<" + std::string(constraint.empty() ? "const " : "") + "unsigned long long*>(" +
                          array + ")"
                    : array) +
              "[" + text(i) + "])";
  }
  return r;
}

std::string signature(const std::string& attributes, const std::string& instruction) {
  return "// " + instruction + "\nextern \"C\" " + attributes + " void " + kernel_name(instruction) +
         "(\n    const unsigned* a, const unsigned* b, const unsigned* c, const unsigned* scale_a, const unsigned* "
         "scale_b,\n"
         "    const unsigned* indices, unsigned* d) {\n";
}

// Moves a pointer on to the words of this block's tile and this thread's lane.
std::string advance(const char* pointer, const Fragment& f, const std::string& lane) {
  return "  " + std::string(pointer) + " += " + lane + " * " + text(f.words()) + ";\n";
}

// The names of integers that PTX has.
std::string ptx(const std::string& format) {
  if (format[0] == 'i') return "s" + format.substr(1);
  return format;
}

bool saturates(const NamedShape& s) { return ends_with(s.name, ".satfinite"); }
std::string satfinite(const NamedShape& s) { return saturates(s) ? ".satfinite" : ""; }
std::string rounding(const NamedShape& s) { return s.rounding.empty() ? "" : "." + s.rounding; }

// --- mma.sync ---

// The words after "mma.sync.aligned." or "tcgen05.mma.cta_group::1.": which kind of instruction mixes or scales
// formats.
std::string kind(const NamedShape& s, const Fragment& a, const Fragment& b) {
  if (!s.scale.empty()) {
    const std::string blocks = ".block_scale.scale_vec::" + text(s.k / s.scale_block) + "X.";
    if (s.k == 32) return "kind::mxf8f6f4" + blocks;
    return (s.scale_block == 32 ? "kind::mxf4" : "kind::mxf4nvf4") + blocks;
  }
  const bool integers = s.d == "i32";
  return !integers && (a.bits < 8 || b.bits < 8) ? "kind::f8f6f4." : "";
}

std::string mma(const NamedShape& s, const layout::Fragments& f) {
  const Registers d = registers("=", "d", f.d), a = registers("", "a", f.a), b = registers("", "b", f.b),
                  c = registers("", "c", f.c);
  const std::string sizes = "m" + text(s.m) + "n" + text(s.n) + "k" + text(s.k);
  int next = 0;
  const auto take = [&](int count) {
    next += count;
    return numbers(next - count, count);
  };
  const std::string sparse = s.among > 0 ? ".sp::ordered_metadata" : "";
  std::string code = "mma" + sparse + ".sync.aligned." + kind(s, f.a, f.b) + sizes + ".row.col" + satfinite(s) +
                     rounding(s) + "." + ptx(s.d) + "." + ptx(s.a) + "." + ptx(s.b) + "." + ptx(s.c);
  if (!s.scale.empty()) code += "." + s.scale;
  code += " " + take(d.count);
  for (const int count : {a.count, b.count, c.count}) code += ", " + take(count);
  std::string inputs = a.list + ", " + b.list + ", " + c.list;
  if (!s.scale.empty()) {
    // The scales' registers, each with byte 0 and thread 0 as the first that counts.
    for (int scale = 0; scale < 2; ++scale) code += ", " + take(1) + ", {0, 0}";
    inputs += R"(, "r"(scale_a[0]), "r"(scale_b[0]))";
  }
  if (f.indices) {
    code += ", %" + text(next) + ", 0";  // the first lanes of each four hold them
    inputs += R"(, "r"(indices[0]))";
  }
  std::string body = "  const unsigned lane = blockIdx.x * 32 + threadIdx.x;\n";
  if (f.indices) body += advance("indices", *f.indices, "lane");
  body += advance("a", f.a, "lane") + advance("b", f.b, "lane") + advance("c", f.c, "lane") + advance("d", f.d, "lane");
  if (f.scale_a) body += advance("scale_a", *f.scale_a, "lane") + advance("scale_b", *f.scale_b, "lane");
  return body + "  asm volatile(\"" + code + ";\"\n    : " + d.list + "\n    : " + inputs + ");\n";
}

// --- what wgmma and tcgen05.mma share: operands in shared memory ---

std::string to_shared(const char* operand, const Fragment& f) {
  const std::string words = text(f.words()), name = operand;
  return "  __shared__ __align__(128) unsigned shared_" + name + "[" + words + "];\n  for (int i = threadIdx.x; i < " +
         words + "; i += 128) shared_" + name + "[i] = " + name + "[blockIdx.x * " + words + " + i];\n";
}

// A matrix descriptor without swizzle:
//   | .. | 45 stride / 16 32 | .. | 29 leading / 16 16 | .. | 13 address / 16 0 |
// Core matrices, 8 rows of 16 bytes, are 128 bytes apart along k; `cores` of them are between two along m or n.
std::string descriptor(const char* operand, const char* version, int cores = 2) {
  return "  const unsigned long long descriptor_" + std::string(operand) + " = " + version +
         "(__cvta_generic_to_shared(shared_" + operand + ") & 0x3ffff) >> 4 | 128ull >> 4 << 16 | " +
         text(128 * cores) + "ull >> 4 << 32;\n";
}

std::string wgmma(const NamedShape& s, const layout::Fragments& f) {
  const int words = f.d.words();
  std::string body =
      to_shared("a", f.a) + to_shared("b", f.b) + descriptor("a", "") + descriptor("b", "", f.indices ? 4 : 2);
  body += "  const unsigned lane = blockIdx.x * 128 + threadIdx.x;\n" + advance("c", f.c, "lane") +
          advance("d", f.d, "lane");
  if (f.indices) body += advance("indices", *f.indices, "lane");
  body += "  unsigned r[" + text(words) + "];\n  for (int i = 0; i < " + text(words) + "; ++i) r[i] = c[i];\n";
  body += "  asm volatile(\"fence.proxy.async;\" ::: \"memory\");\n  __syncthreads();\n";
  const std::string sizes = "m" + text(s.m) + "n" + text(s.n) + "k" + text(s.k);
  // Integers have no signs to turn, and formats of 16 bits alone may lie the other way.
  const std::string ends = s.d == "i32" ? "" : f.a.bits == 16 ? ", 1, 1, 0, 0" : ", 1, 1";
  const std::string indices = f.indices ? ", %" + text(words + 2) + ", 0" : "";
  const Registers r = registers("+", "r", f.d);
  // One statement, as no register of d may be touched before the wait is over.
  body += "  asm volatile(\"{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.fence.sync.aligned; ";
  body += "wgmma.mma_async" + std::string(f.indices ? ".sp" : "") + ".sync.aligned." + sizes + satfinite(s) + "." +
          ptx(s.d) + "." + ptx(s.a) + "." + ptx(s.b) + " " + numbers(0, words) + ", %" + text(words) + ", %" +
          text(words + 1) + indices + ", p" + ends + "; ";
  body += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }\"\n    : " + r.list +
          "\n    : \"l\"(descriptor_a), \"l\"(descriptor_b)" + (f.indices ? ", \"r\"(indices[0])" : "") +
          " : \"memory\");\n";
  return body + "  for (int i = 0; i < " + text(words) + "; ++i) d[i] = r[i];\n";
}

// --- tcgen05.mma ---

int format_code(const std::string& format) {
  if (format == "bf16" || format == "e5m2" || format == "i8") return 1;
  if (format == "tf32") return 2;
  if (format == "e2m3") return 3;
  if (format == "e3m2") return 4;
  return format == "e2m1" ? 5 : 0;  // f16, e4m3 and u8 are 0
}

// The instruction descriptor, both matrices k-major:
//   without scales   | .. | 28 m / 16 24 |  ..  | 22 n / 8 17 | .. | 12 b 10 | 9 a 7 | .. | 5 d 4 | 3 saturate | .. |
//   with             | .. 0 | 28 m / 128 27 | .. | 23 ue8m0 | 22 n / 8 17 | .. | 12 b 10 | 9 a 7 | .. 0 |
// The zeros of the second are the bytes from which scales count. Where nothing but e2m1 goes, its code is 1.
std::string instruction_descriptor(const NamedShape& s) {
  if (s.scale.empty()) {
    const int d = s.d == "f32" ? 1 : s.d == "i32" ? 2 : 0, saturate = saturates(s) ? 1 : 0;
    return text(saturate << 3 | d << 4 | format_code(s.a) << 7 | format_code(s.b) << 10 | s.n / 8 << 17 |
                s.m / 16 << 24);
  }
  const int a = s.k == 64 ? 1 : format_code(s.a), b = s.k == 64 ? 1 : format_code(s.b);
  return text(a << 7 | b << 10 | s.n / 8 << 17 | (s.scale == "ue8m0" ? 1 : 0) << 23 | s.m / 128 << 27);
}

std::string tcgen05_kind(const NamedShape& s, const layout::Fragments& f) {
  if (!s.scale.empty()) {
    const std::string words = kind(s, f.a, f.b);
    return words.substr(0, words.size() - 1);  // without the point
  }
  if (s.d == "i32") return "kind::i8";
  return f.a.bits == 32 ? "kind::tf32" : f.a.bits == 16 ? "kind::f16" : "kind::f8f6f4";
}

// A warp's lanes of an operand, from registers to the columns at `address`.
std::string to_tensor_memory(const char* array, const Fragment& f, const std::string& address) {
  const int words = f.words();
  return "  asm volatile(\"tcgen05.st.sync.aligned.32x32b.x" + text(words) + ".b32 [%" + text(words) + "], " +
         numbers(0, words) + ";\"\n    :: " + registers("", array, f).list + ", \"r\"(" + address +
         ") : \"memory\");\n";
}

// Tensor memory is given in powers of two of columns.
int columns_to_ask_for(int needed) {
  int columns = 32;
  while (columns < needed) columns *= 2;
  return columns;
}

// Four warps, each at the 32 lanes of tensor memory that are its own; one thread issues the instruction.
std::string tcgen05(const NamedShape& s, const layout::Fragments& f) {
  const int words = f.d.words();
  const int scale_a = words, scale_b = scale_a + (f.scale_a ? f.scale_a->words() : 0);  // columns, after those of d
  const std::string columns = text(columns_to_ask_for(scale_b + (f.scale_b ? f.scale_b->words() : 0)));
  std::string body =
      to_shared("a", f.a) + to_shared("b", f.b) + descriptor("a", "1ull << 46 | ") + descriptor("b", "1ull << 46 | ");
  body += "  const unsigned lane = blockIdx.x * 128 + threadIdx.x;\n" + advance("c", f.c, "lane") +
          advance("d", f.d, "lane");
  if (f.scale_a) {
    // Each warp puts the same scales into the 32 lanes that are its own.
    body += "  const unsigned row = blockIdx.x * 32 + threadIdx.x % 32;\n" + advance("scale_a", *f.scale_a, "row") +
            advance("scale_b", *f.scale_b, "row");
  }
  body += "  __shared__ unsigned tensor_memory;\n  __shared__ unsigned long long barrier;\n";
  body +=
      "  const unsigned slot = __cvta_generic_to_shared(&tensor_memory), done = __cvta_generic_to_shared(&barrier);\n";
  body += "  if (threadIdx.x < 32) {\n";
  body += "    asm volatile(\"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], " + columns +
          ";\" :: \"r\"(slot) : \"memory\");\n";
  body += "    asm volatile(\"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\");\n  }\n";
  body +=
      "  if (threadIdx.x == 0) asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" :: \"r\"(done) : \"memory\");\n";
  body += "  asm volatile(\"fence.proxy.async;\" ::: \"memory\");\n  __syncthreads();\n";
  body += "  asm volatile(\"tcgen05.fence::after_thread_sync;\" ::: \"memory\");\n";
  body +=
      "  const unsigned address = tensor_memory, own = address + (threadIdx.x / 32 << 21);  // 32 lanes: bits 31..16\n";
  body += "  unsigned r[" + text(words) + "];\n  for (int i = 0; i < " + text(words) + "; ++i) r[i] = c[i];\n";
  body += to_tensor_memory("r", f.d, "own");
  if (f.scale_a) {
    body += to_tensor_memory("scale_a", *f.scale_a, "own + " + text(scale_a));
    body += to_tensor_memory("scale_b", *f.scale_b, "own + " + text(scale_b));
  }
  body += "  asm volatile(\"tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync;\" ::: \"memory\");\n";
  body += "  __syncthreads();\n  if (threadIdx.x == 0) {\n";
  body += "    asm volatile(\"tcgen05.fence::after_thread_sync;\" ::: \"memory\");\n";
  const std::string scales = f.scale_a ? "[%4], [%5], " : "";
  body += "    asm volatile(\"{ .reg .pred p; setp.eq.u32 p, 0, 0; tcgen05.mma.cta_group::1." + tcgen05_kind(s, f) +
          " [%0], %1, %2, %3, " + scales +
          "p; }\"\n      :: \"r\"(address), \"l\"(descriptor_a), \"l\"(descriptor_b), \"r\"(" +
          instruction_descriptor(s) + ")";
  if (f.scale_a) body += ", \"r\"(address + " + text(scale_a) + "), \"r\"(address + " + text(scale_b) + ")";
  body += " : \"memory\");\n";
  body +=
      "    asm volatile(\"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];\"\n"
      "      :: \"r\"(done) : \"memory\");\n  }\n";
  body +=
      "  asm volatile(\"{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; "
      "}\"\n"
      "    :: \"r\"(done) : \"memory\");\n";
  body += "  asm volatile(\"tcgen05.fence::after_thread_sync;\" ::: \"memory\");\n";
  body += "  asm volatile(\"tcgen05.ld.sync.aligned.32x32b.x" + text(words) + ".b32 " + numbers(0, words) + ", [%" +
          text(words) + "]; tcgen05.wait::ld.sync.aligned;\"\n    : " + registers("=", "r", f.d).list +
          " : \"r\"(own) : \"memory\");\n";
  body += "  for (int i = 0; i < " + text(words) + "; ++i) d[i] = r[i];\n  __syncthreads();\n";
  body += "  if (threadIdx.x < 32) asm volatile(\"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, " + columns +
          ";\" :: \"r\"(address));\n";
  return body;
}

// --- v_mfma, through the compiler's own functions ---

// A vector of `count` elements; of one, the element itself.
std::string vector_of(const std::string& element, int count) {
  if (count == 1) return element;
  return "__attribute__((ext_vector_type(" + text(count) + "))) " + element;
}

// The type an input is passed as.
std::string input_type(const NamedShape& s, const Fragment& f) {
  const int elements = f.elements() / f.lanes;
  if (s.a == "f16") return vector_of("_Float16", elements);
  if (s.a == "bf16") return vector_of("short", elements);
  if (f.bits == 8) return elements == 4 ? "int" : "long";
  return vector_of(f.bits == 64 ? "double" : "float", elements);
}

std::string output_type(const NamedShape& s, const Fragment& f) {
  const char* element = s.d == "i32" ? "int" : (s.d == "f64" ? "double" : "float");
  return vector_of(element, f.elements() / f.lanes);
}

// v_mfma_f32_16x16x4_4b_f16 is __builtin_amdgcn_mfma_f32_16x16x4f16: the compiler keeps the older spelling where the
// instruction had one, and that of bf16 is bf16_1k.
std::string builtin(const NamedShape& s) {
  const std::string sizes = text(s.m) + "x" + text(s.n) + "x" + text(s.k);
  const bool newer = s.name.find("_", s.name.find("x")) != s.name.npos && s.name.find("_1k") == s.name.npos;
  if (!newer) return s.name.substr(2);
  const std::string types = s.name.substr(s.name.find_last_of('_') + 1);
  const std::string stem = "mfma_" + s.d + "_" + sizes;
  if (types == "xf32" || s.k * s.m >= 512) {
    const std::size_t at = s.name.find(sizes) + sizes.size();
    if (types == "xf32" || types == "i8" || types == "fp8" || types == "bf8") return stem + s.name.substr(at);
  }
  return stem + (types == "bf16" ? "bf16_1k" : types);
}

std::string mfma(const NamedShape& s, const layout::Fragments& f) {
  std::string body =
      "  const unsigned lane = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();\n";
  body += advance("a", f.a, "lane") + advance("b", f.b, "lane") + advance("c", f.c, "lane") + advance("d", f.d, "lane");
  body += "  using A = " + input_type(s, f.a) + ";\n  using D = " + output_type(s, f.d) + ";\n";
  body += "  A x, y;\n  D r;\n  __builtin_memcpy(&x, a, sizeof x);\n  __builtin_memcpy(&y, b, sizeof y);\n";
  body += "  __builtin_memcpy(&r, c, sizeof r);\n";
  body += "  r = __builtin_amdgcn_" + builtin(s) + "(x, y, r, 0, 0, 0);\n";
  return body + "  __builtin_memcpy(d, &r, sizeof r);\n";
}

std::string kernel(const std::string& instruction) {
  const Tiling tiling(instruction);
  const NamedShape& s = tiling.shape();
  const layout::Fragments& f = tiling.fragments();
  const bool wave = starts_with(instruction, "v_mfma");
  std::string body;
  if (wave) {
    body = mfma(s, f);
  } else if (starts_with(instruction, "wgmma")) {
    body = wgmma(s, f);
  } else {
    body = starts_with(instruction, "tcgen05") ? tcgen05(s, f) : mma(s, f);
  }
  return signature(wave ? "__attribute__((global))" : "__global__", instruction) + body + "}\n";
}

}  // namespace

std::string kernel_name(const std::string& instruction) {
  std::string name = instruction;
  for (char& c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fits) c = '_';
  }
  return name;
}

std::string kernel_source(const Target& target) {
  std::string source = "// Written by assay-capture for " + target.name + ".\n";
  for (const std::string& instruction : target.instructions) source += "\n" + kernel(instruction);
  return source;
}

}  // namespace assay::capture

// Elements in the caller's memory: bits in the machine's byte order, each in the smallest of 1, 2, 4 or 8 bytes.
#pragma once

#include <vector>

#include "tb/capi/assay.h"
#include "tb/devices/device.hpp"

namespace assay::capi {

std::size_t bytes_of(const Format& format);  // of one element

// What a buffer holds: `rows` x `columns` elements. `name` is for messages.
struct BufferShape {
  const char* name;
  std::size_t rows, columns;
};

// Throws CallEnd where the buffer is NULL, has another size, or an element has bits above its format's width.
std::vector<Code> load(const BufferShape& shape, const Format& format, const assay_in& from);
// The codes in a buffer of that shape, whatever their bits.
std::vector<Code> load_raw(const BufferShape& shape, const Format& format, const void* data);
// As load, of scales; empty where the plan has none, and then the buffer must be.
std::vector<Code> load_scales(const BufferShape& shape, const Plan& plan, const assay_in& from);

// As load, of all further operands: for each dot product its codes of the first of them, of the second and so on. Where
// there are none, `from` may be what an older program has, which ends before `more`.
std::vector<Code> load_more(const Plan& plan, std::size_t count, const assay_operands& from);

// Throws CallEnd where codes of this shape do not fit the buffer.
void check(const BufferShape& shape, const Format& format, const assay_out& into);
// Into a buffer that was checked.
void store(const std::vector<Code>& codes, const Format& format, void* data);

// `count` dot products, one after the other. Throws CallEnd.
std::vector<Case> load_cases(const Plan& plan, std::size_t count, const assay_operands& from);

// The same from `cases`, which are of one instruction each.
void check_cases(const Plan& plan, std::size_t count, const assay_arrays& into);
void store_cases(const Plan& plan, const std::vector<Case>& cases, const assay_arrays& into);

}  // namespace assay::capi

#include "tb/export/column.hpp"

#include <algorithm>

namespace assay {

std::vector<Column> columns(const Plan& plan, bool with_d) {
  std::vector<Column> all{{CaseMember::a, "a", plan.a, plan.k, true},
                          {CaseMember::b, "b", plan.b, plan.k, true},
                          {CaseMember::c, "c", plan.c, 1, false}};
  if (plan.scale) {
    all.push_back({CaseMember::scale_a, "scale_a", *plan.scale, plan.scales, true});
    all.push_back({CaseMember::scale_b, "scale_b", *plan.scale, plan.scales, true});
  }
  for (const CaseOperand& more : plan.more)
    all.push_back({CaseMember::more, more.name, more.format, more.count, true, more.first});
  if (with_d) all.push_back({CaseMember::d, "d", plan.d, 1, false});
  return all;
}

const Code* codes_of(const Case& c, const Column& column) {
  switch (column.member) {
    case CaseMember::a: return c.a.data();
    case CaseMember::b: return c.b.data();
    case CaseMember::c: return &c.c;
    case CaseMember::scale_a: return c.scale_a.data();
    case CaseMember::scale_b: return c.scale_b.data();
    case CaseMember::more: return c.more.data() + column.first;
    case CaseMember::d: return &*c.d;
  }
  return nullptr;
}

Code* room_for(const Column& column, Case& c) {
  const auto resized = [&](std::vector<Code>& codes) {
    codes.resize(static_cast<std::size_t>(column.elements));
    return codes.data();
  };
  switch (column.member) {
    case CaseMember::a: return resized(c.a);
    case CaseMember::b: return resized(c.b);
    case CaseMember::c: return &c.c;
    case CaseMember::scale_a: return resized(c.scale_a);
    case CaseMember::scale_b: return resized(c.scale_b);
    case CaseMember::more:
      c.more.resize(std::max(c.more.size(), static_cast<std::size_t>(column.first + column.elements)));
      return c.more.data() + column.first;
    case CaseMember::d: return &c.d.emplace();
  }
  return nullptr;
}

}  // namespace assay

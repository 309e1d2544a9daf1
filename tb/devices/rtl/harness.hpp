// What a program around one Verilated model shares with every other: ports as bits, and the answers to requests. The
// rest - which ports, which bits - is written for each DUT by build_rtl. Standard library and serve.hpp only.
//
// Verilator's ports are unsigned words that it neither masks nor extends: bits go in masked and come out as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "tb/devices/rtl/stopped.hpp"
#include "tb/devices/rtl/tile.hpp"
#include "tb/devices/serve.hpp"

namespace assay::rtl {

inline std::uint64_t mask(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

// A port is an integer of 8 to 64 bits, or an array of 32-bit words, lowest first.
template <class Port>
std::uint64_t get(const Port& port, int from, int width) {
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<std::uint64_t>(port) >> from & mask(width);
  } else {
    std::uint64_t value = 0;
    for (int done = 0; done < width;) {
      const int within = (from + done) % 32;
      value |= static_cast<std::uint64_t>(port[static_cast<std::size_t>((from + done) / 32)] >> within) << done;
      done += 32 - within;
    }
    return value & mask(width);
  }
}

// A port of 64 bits at most.
template <class Port>
std::uint64_t whole(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<std::uint64_t>(port);
  } else {
    return get(port, 0, static_cast<int>(8 * sizeof(Port)));
  }
}

// Numbers that a unit has in another form, in two's complement, and some bits of those.
inline std::uint64_t less(std::uint64_t number, int bias) {
  return number - static_cast<std::uint64_t>(static_cast<std::int64_t>(bias));
}
inline std::uint64_t turned(std::uint64_t magnitude, std::uint64_t sign) { return sign != 0 ? -magnitude : magnitude; }
inline std::uint64_t bits(std::uint64_t number, int from, int width) { return number >> from & mask(width); }

// Where bits go is known when the program is compiled, and in a loop over elements, too, once all is in one place.
template <class Port>
[[gnu::always_inline]] inline void put(Port& port, int from, int width, std::uint64_t value) {
  value &= mask(width);
  if constexpr (std::is_integral_v<Port>) {
    const std::uint64_t kept = static_cast<std::uint64_t>(port) & ~(mask(width) << from);
    port = static_cast<Port>(kept | value << from);
  } else if (from % 32 + width <= 32) {
    put(port[static_cast<std::size_t>(from / 32)], from % 32, width, value);
  } else {
    for (int done = 0; done < width;) {
      const int within = (from + done) % 32;
      auto& word = port[static_cast<std::size_t>((from + done) / 32)];
      const std::uint64_t kept = word & ~(mask(width - done) << within);
      word = static_cast<std::uint32_t>(kept | (value >> done) << within);
      done += 32 - within;
    }
  }
}

// A constant into a port of any width.
template <class Port>
void tie(Port& port, std::uint64_t value) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(value);
  } else {
    for (std::size_t word = 0; word < sizeof(Port) / sizeof(port[0]); ++word)
      port[word] = word < 2 ? static_cast<std::uint32_t>(value >> (32 * word)) : 0;
  }
}

// All of a port of any form at 0: Verilator begins with random bits.
template <class Port>
void put_zeros(Port& port) {
  static_assert(std::is_trivially_copyable_v<Port>);
  std::memset(static_cast<void*>(&port), 0, sizeof port);
}

// What a request brings under this name; nullptr where it has none.
inline std::vector<std::uint64_t>* find_codes(Request& request, std::string_view name) {
  if (name == "a") return &request.a;
  if (name == "b") return &request.b;
  if (name == "scale_a") return &request.scale_a;
  if (name == "scale_b") return &request.scale_b;
  for (auto& [other, list] : request.more) {
    if (other == name) return &list;
  }
  return nullptr;
}

inline const std::vector<std::uint64_t>& codes(const Request& request, std::string_view name) {
  static const std::vector<std::uint64_t> none;
  const std::vector<std::uint64_t>* list = find_codes(const_cast<Request&>(request), name);
  return list == nullptr ? none : *list;
}

// The same, of which there must be so many.
inline const std::vector<std::uint64_t>& codes(const Request& request, std::string_view name, std::size_t taken) {
  const std::vector<std::uint64_t>& list = codes(request, name);
  if (list.size() == taken) return list;
  throw std::runtime_error("This RTL takes " + std::to_string(taken) + " elements of " + std::string(name) +
                           ", the request has " + std::to_string(list.size()) + ".");
}

// Elements of an operand in ports of one name: bits `low` and up of the codes `first`, `first` + `every` ...
struct Elements {
  std::size_t first, every, count;
  int low, width;
  int offset, stride;  // in a port: of the lowest, and from one to the next
  bool descending;
};

inline std::size_t slot_of(std::size_t i, const Elements& elements) {
  return elements.descending ? elements.count - 1 - i : i;
}

// How many elements an unpacked array has in all of its dimensions: a C++ array, or Verilator's VlUnpacked.
template <class One>
struct ElementsIn : std::integral_constant<std::size_t, 1> {
  static constexpr bool is_array = false;
};
template <class Inner, std::size_t count>
struct ElementsIn<Inner[count]> : std::integral_constant<std::size_t, count * ElementsIn<Inner>::value> {
  static constexpr bool is_array = true;
};
template <template <class, std::size_t> class Array, class Inner, std::size_t count>
struct ElementsIn<Array<Inner, count>> : std::integral_constant<std::size_t, count * ElementsIn<Inner>::value> {
  static constexpr bool is_array = true;
};

// Element `slot` of an array, the last dimension counted first: a[1][2] of a[2][4] is element 6.
template <class Array>
decltype(auto) in_array(Array& array, std::size_t slot) {
  using Inner = std::remove_const_t<std::remove_reference_t<decltype(array[0])>>;
  if constexpr (ElementsIn<Inner>::is_array) {
    return in_array(array[slot / ElementsIn<Inner>::value], slot % ElementsIn<Inner>::value);
  } else {
    return (array[slot]);
  }
}

// The codes of one operand into its port ...
template <class Port>
[[gnu::always_inline]] inline void put_elements(Port& port, const Elements& elements,
                                                const std::vector<std::uint64_t>& codes) {
  for (std::size_t i = 0; i < elements.count; ++i) {
    const int from = elements.offset + static_cast<int>(slot_of(i, elements)) * elements.stride;
    put(port, from, elements.width, codes[elements.first + i * elements.every] >> elements.low);
  }
}

// ... or each into a port or an array's element of its own, `port(slot, code)`.
template <class Put>
void put_each(const Elements& elements, const std::vector<std::uint64_t>& codes, const Put& port) {
  for (std::size_t i = 0; i < elements.count; ++i)
    port(slot_of(i, elements), codes[elements.first + i * elements.every] >> elements.low);
}

// The codes of the elements of d out of their port ...
template <class Port>
void get_elements(const Port& port, const Elements& elements, std::vector<std::uint64_t>& codes) {
  for (std::size_t i = 0; i < elements.count; ++i) {
    const int from = elements.offset + static_cast<int>(slot_of(i, elements)) * elements.stride;
    codes[elements.first + i * elements.every] |= get(port, from, elements.width) << elements.low;
  }
}

// ... or each out of a port or an array's element of its own, `port(slot)`.
template <class Get>
void get_each(const Elements& elements, const Get& port, std::vector<std::uint64_t>& codes) {
  for (std::size_t i = 0; i < elements.count; ++i)
    codes[elements.first + i * elements.every] |= port(slot_of(i, elements)) << elements.low;
}

template <class Port>
std::string hex(const Port& port, int from, int width) {
  std::string digits(static_cast<std::size_t>((width + 3) / 4), '0');
  for (int low = 0; low < width; low += 4) {
    const auto at = digits.size() - 1 - static_cast<std::size_t>(low / 4);
    digits[at] = hex_digit(get(port, from + low, width - low < 4 ? width - low : 4));
  }
  return digits;
}

// A unit whose d follows its operands; the process's exit status.
template <class Unit>
int run_combinational(Unit& unit, Session& session) {
  Request request;
  while (session.next(request)) {
    Printed::forget();
    try {
      unit.ask(request, 0);
      unit.eval();
      session.answer(request.id, unit.reply(request.trace, unit.others(request)));
    } catch (const Stopped& stopped) {
      session.answer(request.id, {0, 0, {}, stopped.what()});
      return session.hand_over();
    } catch (const std::exception& error) {
      session.answer(request.id, {0, 0, {}, error.what()});
    }
  }
  return session.finish();
}

}  // namespace assay::rtl

// Transactions of whole words: 32 bits, little-endian, at multiples of four bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tlm>

namespace assay::bus {

// Why a transaction was refused, and how it is answered.
struct Refusal {
  ::tlm::tlm_response_status response = ::tlm::TLM_OK_RESPONSE;
  std::string sentence;

  bool is_one() const { return response != ::tlm::TLM_OK_RESPONSE; }
};

// What is wrong with a transaction whatever its address means.
Refusal refusal_of(const ::tlm::tlm_generic_payload& payload);

// The words of a transaction that nothing is wrong with.
inline unsigned words_of(const ::tlm::tlm_generic_payload& payload) { return payload.get_data_length() / 4; }
std::uint32_t get_word(const ::tlm::tlm_generic_payload& payload, unsigned index);
void put_word(::tlm::tlm_generic_payload& payload, unsigned index, std::uint32_t word);

}  // namespace assay::bus

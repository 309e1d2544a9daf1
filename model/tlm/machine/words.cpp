#include "model/tlm/machine/words.hpp"

namespace assay::bus {

Refusal refusal_of(const ::tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if ((!payload.is_read() && !payload.is_write()) || payload.get_data_ptr() == nullptr)
    return {::tlm::TLM_COMMAND_ERROR_RESPONSE, "The command is neither read nor write, or there is no data."};
  if (payload.get_byte_enable_ptr() != nullptr)
    return {::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "Byte enables are not supported."};
  if (length == 0 || length % 4 != 0 || payload.get_streaming_width() < length)
    return {::tlm::TLM_BURST_ERROR_RESPONSE, "A transaction has " + std::to_string(length) +
                                                 " bytes; it takes whole words of four bytes, and a streaming width "
                                                 "of no less."};
  if (address % 4 != 0)
    return {::tlm::TLM_ADDRESS_ERROR_RESPONSE,
            "Address " + std::to_string(address) + " is no multiple of four bytes, and words lie there."};
  return {};
}

std::uint32_t get_word(const ::tlm::tlm_generic_payload& payload, unsigned index) {
  const unsigned char* bytes = payload.get_data_ptr() + std::size_t{4} * index;
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | bytes[i];
  return word;
}

void put_word(::tlm::tlm_generic_payload& payload, unsigned index, std::uint32_t word) {
  unsigned char* bytes = payload.get_data_ptr() + std::size_t{4} * index;
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
}

}  // namespace assay::bus

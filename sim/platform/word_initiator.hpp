// An initiator of whole words: what a program does to the machine around the unit.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <vector>

namespace assay {

class WordInitiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<WordInitiator> socket{"socket"};

  explicit WordInitiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}

  // False where it was refused.
  bool write(std::uint64_t address, std::uint32_t word) { return write(address, std::vector<std::uint32_t>{word}); }
  bool write(std::uint64_t address, const std::vector<std::uint32_t>& words) {
    std::vector<unsigned char> bytes;
    for (const std::uint32_t word : words) {
      for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<unsigned char>(word >> (8 * i)));
    }
    return send(tlm::TLM_WRITE_COMMAND, address, bytes);
  }
  template <class Register>
  bool set(Register reg, std::uint32_t word) {
    return write(static_cast<std::uint64_t>(reg), word);
  }

  bool read(std::uint64_t address, std::vector<std::uint32_t>& words) {
    std::vector<unsigned char> bytes(4 * words.size());
    if (!send(tlm::TLM_READ_COMMAND, address, bytes)) return false;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      words[i / 4] = (i % 4 == 0 ? 0 : words[i / 4]) | static_cast<std::uint32_t>(bytes[i]) << (8 * (i % 4));
    return true;
  }

  // The time that transactions took since this was asked.
  sc_core::sc_time taken() {
    const sc_core::sc_time time = delay_;
    delay_ = sc_core::SC_ZERO_TIME;
    return time;
  }

 private:
  bool send(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
    socket->b_transport(payload, delay_);
    return payload.is_response_ok();
  }

  sc_core::sc_time delay_;
};

}  // namespace assay

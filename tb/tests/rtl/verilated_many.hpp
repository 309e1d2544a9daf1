// What tests share that Verilate many datapaths as one module `many`: cases in one vector in_i, results in one out_o.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

int case_bits(const Plan& plan);  // of a case in in_i

// Codes of a case into 32-bit words that are zero, one behind the other from bit `at` on.
void put_case(std::uint32_t* to, int at, const Plan& plan, const Case& one);

// What counts: the compiler's time, or that of many cases.
enum class Built { soon, to_run_long };

// Turns many.sv, main.cpp and what else is named behind it into obj/Vmany of the folder.
std::vector<std::string> verilator_command(const std::filesystem::path& folder, Built built = Built::soon);

// main.cpp: Vmany over a file of in_i, into a file of out_o. `first` is done once, `each` for every vector that was
// read.
std::string program_of_many(const std::string& first, const std::string& each);

}  // namespace assay

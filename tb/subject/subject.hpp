// What a question is about: an instruction of the catalogue, or a datapath of the user's own.
#pragma once

#include <optional>
#include <string>

#include "model/config/catalogue.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

struct Case;

struct Subject {
  std::string name;               // "hopper:wgmma.m64nNk16.f32.f16.f16", or the datapath file
  std::string option;             // how a command line says so: "--instruction ..." or "--datapath ..."
  std::string program = "assay";  // how it begins; with ASSAY_HOME=.. where the command would read another catalogue
  std::optional<Instruction> instruction;
  VectorHeader header;  // of vectors for it
  Plan plan;
  std::string warning;  // what is odd about the file it was read from, as a sentence; empty: nothing
};

Subject subject_of(const Catalogue& catalogue, const Instruction& instruction);
Subject subject_of_file(const Catalogue& catalogue, const std::string& datapath_file);
// A datapath file that is at hand as a text. `name` is for messages and reports; commands name a file of that text.
Subject subject_of_text(const Catalogue& catalogue, const std::string& text, const std::string& name);
// The subject of a vector file, from its header. `file` is for messages.
Subject subject_of_header(const Catalogue& catalogue, const VectorHeader& header, const std::string& file);

// The command that shows a case of it.
std::string explain_command(const Subject& subject, const Case& one);

// Vectors may outlive the datapath they were made for: a sentence where the file's header names another one than the
// subject's, else empty.
std::string other_datapath(const std::string& file, const VectorHeader& header, const Subject& subject);

}  // namespace assay

// Apart from the reader, which so is used where no file can be opened.
#include "tb/vectors/reader.hpp"

namespace assay {

VectorReader::VectorReader(const std::string& path) : VectorReader(source_name(path), open_source(path)) {}

}  // namespace assay

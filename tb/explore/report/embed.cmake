# cmake -DFILES=a;b -DNAMES=x;y -DOUT=embedded.cpp -P embed.cmake: writes a source file that holds other files' text.
set(source "#include \"tb/explore/report/embedded.hpp\"\n\nnamespace assay::embedded {\n\n")
foreach(file name IN ZIP_LISTS FILES NAMES)
  file(READ "${file}" text)
  string(APPEND source "const std::string_view ${name} = R\"embedded(${text})embedded\";\n\n")
endforeach()
file(WRITE "${OUT}" "${source}}  // namespace assay::embedded\n")

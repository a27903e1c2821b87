# Writes a C++ source with the text of every script of a folder, by name, so that an installed
# palenad has them wherever it is.
#   cmake -DFOLDER=scripts/limits -DOUTPUT=built_in_limiters.cc -P EmbedScripts.cmake
file(GLOB scripts "${FOLDER}/*.pal")
list(SORT scripts)
set(rows "")
foreach(script IN LISTS scripts)
  get_filename_component(name "${script}" NAME_WE)
  file(READ "${script}" text)
  if(text MATCHES "\\)palena\"")
    message(FATAL_ERROR "${script} holds )palena\", which would end its text in the C++ source")
  endif()
  string(APPEND rows "    {\"${name}\", R\"palena(${text})palena\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by cmake/EmbedScripts.cmake.
#include \"limits/limiter_library.h\"

namespace palena::limits {

std::vector<BuiltInLimiter> BuiltInLimiters() {
  return {
${rows}  };
}

}  // namespace palena::limits
")

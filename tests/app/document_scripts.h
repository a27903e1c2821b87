#pragma once

#include <string>
#include <vector>

#include "palena/node.h"

namespace palena::app {

// A script that a document shows, and what the document says it answers. In a ```palena block a
// script ends at its line "# answers: ANSWER", or "# answers: FIRST, then SECOND" for one that runs
// twice; a line "# with @name=value …" gives its parameters. Outside of blocks `EXPRESSION` →
// `ANSWER` stands for the script "return EXPRESSION".
struct DocumentScript {
  int block = 0;  // scripts of one block run on one node, in order
  std::string script;
  Parameters parameters;
  std::vector<std::string> answers;
};

// In the order of the text. A block that ends without an answer gives a script without answers.
std::vector<DocumentScript> ScriptsOf(const std::string& document);

// What `palena eval` prints, in one line: values with commas between, or the first line of a
// failure.
std::string Shown(const Result& result, const std::string& script);

// Runs them, each block on a fresh node of one shard. One sentence for each answer that is another
// than the document says, and for each script whose answer it does not say.
std::vector<std::string> WrongAnswers(const std::vector<DocumentScript>& scripts);

}  // namespace palena::app

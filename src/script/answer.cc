#include "script/answer.h"

#include <string>
#include <utility>

#include "base/limits.h"
#include "script/conversions.h"

namespace palena::script {
namespace {

// More than the wire needs for the numbers, tags and lengths of one value, and around them all.
constexpr std::size_t kValueOverheadBytes = 64;
constexpr std::size_t kResultOverheadBytes = 256;

class Writer {
 public:
  Writer(Evaluation& e, const Answer& answer, std::string_view key, model::Result& result)
      : e_(e), answer_(answer), source_{key, answer.last_modified_ms}, result_(result) {}

  bool Write() {
    result_.type = answer_.type;
    result_.truncated = false;
    result_.values.clear();
    return answer_.value.type == ValueType::kArray ? WriteElements()
                                                   : WriteValue(answer_.value, source_);
  }

 private:
  bool WriteElements() {
    const Array& array = *answer_.value.array;
    result_.truncated = array.truncated;
    result_.values.reserve(array.count);
    for (std::size_t i = 0; i < array.count; ++i) {
      const ElementSource& source = answer_.is_listing ? array.sources[i] : source_;
      if (!WriteValue(array.At(i), source)) return false;
    }
    return true;
  }

  bool WriteValue(const Value& value, const ElementSource& source) {
    model::ValueView view;
    if (!ViewOf(value, view) || !Count(view, source.key)) return false;
    model::ResultValue& written = result_.values.emplace_back();
    if (!source.key.empty()) written.key = source.key;
    written.is_null = value.type == ValueType::kNull;
    if (!written.is_null) written.value.Assign(view);
    written.revision = value.revision;
    written.expires_ms = value.expires_ms;
    written.last_modified_ms = source.last_modified_ms;
    return true;
  }

  // An array within an array is answered as its JSON text.
  bool ViewOf(const Value& value, model::ValueView& out) {
    if (value.type != ValueType::kArray) return StoredForm(e_, value, out);
    return JsonText(e_, value, json_) && (out = model::ValueView::Bytes(json_), true);
  }

  bool Count(const model::ValueView& view, std::string_view key) {
    e_.answer_bytes() += kValueOverheadBytes + key.size() + view.text_bytes_max();
    return FitsResult(e_, e_.answer_bytes());
  }

  Evaluation& e_;
  const Answer& answer_;
  const ElementSource source_;  // of the answer as a whole
  model::Result& result_;
  std::string_view json_;
};

}  // namespace

bool FitsResult(Evaluation& e, std::size_t bytes) {
  if (bytes + kResultOverheadBytes <= base::kResultBytesMax) return true;
  return e.FailWith(model::Code::kLimit,
                    "Result too large: " + std::to_string(base::kResultBytesMax));
}

bool WriteAnswer(Evaluation& e, const Answer& answer, std::string_view key, model::Result& result) {
  if (Writer(e, answer, key, result).Write()) return true;
  result.values.clear();
  return false;
}

}  // namespace palena::script

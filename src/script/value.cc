#include "script/value.h"

#include "base/check.h"

namespace palena::script {

std::string_view TypeName(ValueType type) {
  switch (type) {
    case ValueType::kNull:
      return "NullType";
    case ValueType::kBool:
      return "BoolType";
    case ValueType::kLong:
      return "LongType";
    case ValueType::kDouble:
      return "DoubleType";
    case ValueType::kString:
      return "StringType";
    case ValueType::kArray:
      return "ArrayType";
  }
  base::CheckFailed(__FILE__, __LINE__, "a known value type");
}

}  // namespace palena::script

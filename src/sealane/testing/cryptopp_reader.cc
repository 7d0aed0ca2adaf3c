// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/cryptopp_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <utility>

#include "sealane/base/hex.h"

namespace sealane::testing {
namespace {

using Failure = std::optional<std::string>;

// No file that we read comes near; a mistyped count must not eat the memory.
constexpr size_t kMaxValueLen = 1 << 20;

constexpr std::string_view kBlank = " \t\r";

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Removes the first line from `text`.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

// Removes the first word from `text`.
std::string_view TakeWord(std::string_view& text) {
  text = Trim(text);
  const size_t end = text.find_first_of(kBlank);
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : Trim(text.substr(end));
  return word;
}

// Removes one "text" or hexadecimal piece from `text`.
std::optional<Bytes> TakePiece(std::string_view& text) {
  if (!text.starts_with('"')) {
    std::string_view word = TakeWord(text);
    if (word.starts_with("0x")) word.remove_prefix(2);
    return word.empty() ? std::nullopt : HexDecode(word);
  }
  const size_t end = text.find('"', 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view quoted = text.substr(1, end - 1);
  text = Trim(text.substr(end + 1));
  return Bytes(quoted.begin(), quoted.end());
}

// Removes `rN` from `text`; 1 if there is none.
std::optional<size_t> TakeRepeat(std::string_view& text) {
  if (!text.starts_with('r')) return 1;
  const std::string_view word = TakeWord(text).substr(1);
  size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return count;
}

std::optional<Bytes> DecodeValue(std::string_view text) {
  Bytes value;
  text = Trim(text);
  while (!text.empty()) {
    const std::optional<size_t> repeat = TakeRepeat(text);
    const std::optional<Bytes> piece = repeat ? TakePiece(text) : std::nullopt;
    if (!piece) return std::nullopt;
    if (!piece->empty() && *repeat > (kMaxValueLen - value.size()) / piece->size()) {
      return std::nullopt;
    }
    for (size_t i = 0; i < *repeat; ++i) value.insert(value.end(), piece->begin(), piece->end());
  }
  return value;
}

// The mode of a section that we run ("AES/CBC" → "cbc"), or nothing.
std::optional<std::string_view> ModeOf(std::string_view type, std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kNames = {
      {{"AES/ECB", "ecb"}, {"AES/CBC", "cbc"}, {"AES/CTR", "ctr"}, {"AES/XTS", "xts"}}};
  if (type != "SymmetricCipher") return std::nullopt;
  for (const auto& [section, mode] : kNames) {
    if (name == section) return mode;
  }
  return std::nullopt;
}

class CryptoppParser {
 public:
  explicit CryptoppParser(const std::string& path) : path_(path) {}

  VectorResult Parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const size_t field_line = line_;
      const std::expected<std::string, std::string> field = TakeField(text);
      const Failure failure = field ? ReadField(*field, field_line) : Failure(field.error());
      if (failure) {
        return std::unexpected(path_ + ":" + std::to_string(field_line) + ": " + *failure);
      }
    }
    return std::move(file_);
  }

 private:
  // One line with its continuations, without comments; empty where nothing else stands.
  std::expected<std::string, std::string> TakeField(std::string_view& text) {
    std::string_view line = TakeLine(text);
    std::string field;
    for (;;) {
      std::string_view body = Trim(line);
      // Also where the backslash stands in a comment, as in rsa_oaep.txt.
      const bool continues = body.ends_with('\\');
      if (continues) body.remove_suffix(1);
      field.append(body.substr(0, body.find('#'))).append(" ");
      if (!continues) return field;
      if (text.empty()) return std::unexpected("the file ends in a continued field");
      line = TakeLine(text);
      ++line_;
    }
  }

  Failure ReadField(std::string_view field, size_t line) {
    field = Trim(field);
    if (field.empty()) return std::nullopt;
    const size_t colon = field.find(':');
    if (colon == std::string_view::npos) return "not a field";
    const std::string name(Trim(field.substr(0, colon)));
    const std::string_view value = Trim(field.substr(colon + 1));
    if (name == "Test") return RunTest(value, line);
    // A section begins with this field. Readme.txt says that an empty line ends one, but
    // skipjack.txt has empty lines within.
    if (name == "AlgorithmType") fields_.clear();
    fields_[name] = value;
    return std::nullopt;
  }

  std::string_view Field(const char* name) const {
    const auto field = fields_.find(name);
    return field == fields_.end() ? std::string_view() : std::string_view(field->second);
  }

  Failure RunTest(std::string_view test, size_t line) {
    const std::string_view type = Field("AlgorithmType");
    const std::string_view name = Field("Name");
    if (type.empty() || name.empty()) return "a Test without AlgorithmType and Name";
    const std::optional<std::string_view> mode = ModeOf(type, name);
    if (!mode) {
      ++file_.skipped[std::string(type) + " " + std::string(name)];
      return std::nullopt;
    }
    if (test != "Encrypt") return "Test: " + std::string(test) + " is not known here";
    return AddVector(*mode, line);
  }

  // A field that changes what a test means must not pass unseen.
  Failure CheckFieldNames() const {
    constexpr std::array<std::string_view, 8> kKnown = {
        "AlgorithmType", "Name", "Source", "Comment", "Key", "IV", "Plaintext", "Ciphertext"};
    for (const auto& [name, value] : fields_) {
      if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) {
        return "field " + name + " is not known here";
      }
    }
    return std::nullopt;
  }

  Failure Decode(const char* name, Bytes& target) const {
    if (!fields_.contains(name)) return std::string("field ") + name + " is missing";
    std::optional<Bytes> value = DecodeValue(Field(name));
    if (!value) return std::string("field ") + name + " is malformed";
    target = std::move(*value);
    return std::nullopt;
  }

  Failure AddVector(std::string_view mode, size_t line) {
    CipherVector vector;
    if (Failure failure = CheckFieldNames()) return failure;
    if (Failure failure = Decode("Key", vector.key)) return failure;
    if (Failure failure = Decode("Plaintext", vector.plaintext)) return failure;
    if (Failure failure = Decode("Ciphertext", vector.ciphertext)) return failure;
    if (mode != "ecb") {
      if (Failure failure = Decode("IV", vector.iv)) return failure;
    }
    std::optional<std::string> name = CipherName("aes", mode, vector.key.size());
    if (!name) return "the key has the wrong length";
    vector.algorithm = std::move(*name);
    vector.origin = path_ + ":" + std::to_string(line);
    if (Failure failure = CheckCipherVector(vector)) return failure;
    file_.vectors.push_back(std::move(vector));
    return std::nullopt;
  }

  const std::string path_;
  size_t line_ = 0;
  std::map<std::string, std::string, std::less<>> fields_;
  VectorFile file_;
};

std::expected<CipherVector, std::string> ParseBlockLine(std::string_view line,
                                                        std::string_view family) {
  CipherVector vector;
  for (Bytes* const column : {&vector.key, &vector.plaintext, &vector.ciphertext}) {
    std::optional<Bytes> value = HexDecode(TakeWord(line));
    if (!value || value->empty()) return std::unexpected("not three hexadecimal columns");
    *column = std::move(*value);
  }
  if (!line.empty()) return std::unexpected("more than three columns");
  if (family == "3des") {
    std::optional<Bytes> key = ExpandTripleDesKey(vector.key);
    if (!key) return std::unexpected("the key has the wrong length");
    vector.key = std::move(*key);
  }
  std::optional<std::string> name = CipherName(family, "ecb", vector.key.size());
  if (!name) return std::unexpected("the key has the wrong length");
  vector.algorithm = std::move(*name);
  if (const Failure failure = CheckCipherVector(vector)) return std::unexpected(*failure);
  return vector;
}

}  // namespace

VectorResult ParseCryptopp(std::string_view text, const std::string& path) {
  return CryptoppParser(path).Parse(text);
}

VectorResult ReadCryptopp(const std::string& path) {
  const std::expected<std::string, std::string> text = ReadVectorText(path);
  if (!text) return std::unexpected(text.error());
  return ParseCryptopp(*text, path);
}

VectorResult ParseCryptoppBlocks(std::string_view text, const std::string& path,
                                 std::string_view family) {
  VectorFile file;
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = Trim(TakeLine(text));
    if (line.empty()) continue;
    const std::string origin = path + ":" + std::to_string(number);
    std::expected<CipherVector, std::string> vector = ParseBlockLine(line, family);
    if (!vector) return std::unexpected(origin + ": " + vector.error());
    vector->origin = origin;
    file.vectors.push_back(std::move(*vector));
  }
  return file;
}

VectorResult ReadCryptoppBlocks(const std::string& path, std::string_view family) {
  const std::expected<std::string, std::string> text = ReadVectorText(path);
  if (!text) return std::unexpected(text.error());
  return ParseCryptoppBlocks(*text, path, family);
}

}  // namespace sealane::testing

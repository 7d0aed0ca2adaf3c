// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/cavp_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

#include "sealane/base/hex.h"

namespace sealane::testing {
namespace {

using Failure = std::optional<std::string>;

constexpr size_t kNumStreams = 3;  // of an interleaved mode

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Every third block, from block `stream` on.
Bytes TakeStream(const Bytes& data, size_t block_len, size_t stream) {
  Bytes out;
  for (size_t i = 0; i < data.size(); ++i) {
    if ((i / block_len) % kNumStreams == stream) out.push_back(data[i]);
  }
  return out;
}

// What the path says of the file.
struct FileKind {
  std::string family;  // "aes" or "3des"
  std::string mode;    // "ecb", "cbc", "ctr", "ofb", "xts"
  bool interleaved = false;
};

std::optional<FileKind> KindOf(const std::string& path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kFamilies = {
      {{"AES", "aes"}, {"3DES", "3des"}}};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kModes = {
      {{"ECB", "ecb"}, {"CBC", "cbc"}, {"CTR", "ctr"}, {"OFB", "ofb"}, {"XTS", "xts"}}};
  FileKind kind;
  const std::filesystem::path file(path);
  for (const std::filesystem::path& part : file.parent_path()) {
    for (const auto& [folder, name] : kFamilies) {
      if (part == folder) kind = {.family = std::string(name), .mode = {}, .interleaved = false};
    }
    for (const auto& [folder, name] : kModes) {
      if (part == folder) kind.mode = name;
    }
  }
  if (kind.family.empty() || kind.mode.empty()) return std::nullopt;
  const std::string name = file.filename().string();
  kind.interleaved =
      kind.family == "3des" && (name.starts_with("TCBCI") || name.starts_with("TOFBI"));
  // The known answer of the inverse permutation is called TCBCinvperm; only a capital I
  // interleaves.
  return kind;
}

class CavpParser {
 public:
  CavpParser(const std::string& path, FileKind kind) : path_(path), kind_(std::move(kind)) {}

  VectorResult Parse(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string_view line = Trim(text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      ++line_;
      if (const Failure failure = TakeLine(line)) return Fail(line_, *failure);
    }
    if (const Failure failure = EndRecord()) return Fail(record_line_, *failure);
    return std::move(file_);
  }

 private:
  VectorResult Fail(size_t line, const std::string& what) const {
    return std::unexpected(path_ + ":" + std::to_string(line) + ": " + what);
  }

  Failure TakeLine(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return std::nullopt;
    if (line == "[ENCRYPT]" || line == "[DECRYPT]") {
      const Failure failure = EndRecord();
      in_section_ = true;
      last_count_.reset();
      return failure;
    }
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return "neither a section nor NAME = VALUE";
    return TakeField(Trim(line.substr(0, equals)), Trim(line.substr(equals + 1)));
  }

  Failure TakeField(std::string_view name, std::string_view value) {
    if (!in_section_) return "a field outside [ENCRYPT] and [DECRYPT]";
    if (name == "COUNT") return BeginRecord(value);
    if (record_line_ == 0) return "a field before COUNT";
    if (!fields_.emplace(name, value).second) return "field " + std::string(name) + " twice";
    return std::nullopt;
  }

  // COUNT must run without gaps within a section: a record that the reader lost would show here.
  Failure BeginRecord(std::string_view value) {
    if (const Failure failure = EndRecord()) return failure;
    const std::optional<uint64_t> count = ParseNumber(value);
    if (!count) return "COUNT is not a number";
    if (last_count_ ? *count != *last_count_ + 1 : *count > 1) return "COUNT is out of sequence";
    last_count_ = count;
    record_line_ = line_;
    return std::nullopt;
  }

  Failure EndRecord() {
    if (record_line_ == 0) return std::nullopt;
    Failure failure = kind_.mode == "xts" ? ReadXts()
                      : kind_.interleaved ? ReadInterleaved()
                                          : ReadPlain();
    if (failure) return failure;
    if (!fields_.empty()) return "unknown field " + fields_.begin()->first;
    record_line_ = 0;
    return std::nullopt;
  }

  // Removes a field from the record. What is left at its end was not understood.
  std::optional<std::string> TakeText(std::string_view name) {
    const auto field = fields_.find(name);
    if (field == fields_.end()) return std::nullopt;
    std::string value = std::move(field->second);
    fields_.erase(field);
    return value;
  }

  std::expected<Bytes, std::string> TakeBytes(const std::string& name) {
    const std::optional<std::string> text = TakeText(name);
    if (!text) return std::unexpected("field " + name + " is missing");
    std::optional<Bytes> bytes = HexDecode(*text);
    if (!bytes) return std::unexpected("field " + name + " is not hexadecimal");
    return std::move(*bytes);
  }

  Failure TakeInto(const std::string& name, Bytes& target) {
    std::expected<Bytes, std::string> bytes = TakeBytes(name);
    if (!bytes) return bytes.error();
    target = std::move(*bytes);
    return std::nullopt;
  }

  Failure TakeKey(Bytes& key) {
    if (kind_.family == "aes") return TakeInto("KEY", key);
    if (fields_.contains("KEYs")) {
      if (const Failure failure = TakeInto("KEYs", key)) return failure;
      if (key.size() != 8) return "KEYs is not one DES key";
      key = ExpandTripleDesKey(key).value();
      return std::nullopt;
    }
    for (const char* name : {"KEY1", "KEY2", "KEY3"}) {
      Bytes part;
      if (const Failure failure = TakeInto(name, part)) return failure;
      if (part.size() != 8) return std::string(name) + " is not a DES key";
      key.insert(key.end(), part.begin(), part.end());
    }
    return std::nullopt;
  }

  Failure ReadPlain() {
    CipherVector vector;
    if (const Failure failure = TakeKey(vector.key)) return failure;
    if (kind_.mode != "ecb") {
      if (const Failure failure = TakeInto("IV", vector.iv)) return failure;
    }
    if (const Failure failure = TakeInto("PLAINTEXT", vector.plaintext)) return failure;
    if (const Failure failure = TakeInto("CIPHERTEXT", vector.ciphertext)) return failure;
    return AddVector(std::move(vector), "");
  }

  Failure ReadInterleaved() {
    Bytes key;
    if (const Failure failure = TakeKey(key)) return failure;
    std::array<CipherVector, kNumStreams> streams;
    for (size_t i = 0; i < kNumStreams; ++i) {
      streams[i].key = key;
      const Failure failure = TakeInto("IV" + std::to_string(i + 1), streams[i].iv);
      if (failure) return failure;
    }
    if (const Failure failure = TakeStreams("PLAINTEXT", streams, &CipherVector::plaintext)) {
      return failure;
    }
    if (const Failure failure = TakeStreams("CIPHERTEXT", streams, &CipherVector::ciphertext)) {
      return failure;
    }
    for (size_t i = 0; i < kNumStreams; ++i) {
      const std::string remark = " stream " + std::to_string(i + 1);
      if (const Failure failure = AddVector(std::move(streams[i]), remark)) return failure;
    }
    return std::nullopt;
  }

  // Known answers give NAME1..NAME3, or one value for all three streams, called NAME or NAME1;
  // multi-block messages give NAME with the blocks of the three streams in turn.
  Failure TakeStreams(const std::string& name, std::array<CipherVector, kNumStreams>& streams,
                      Bytes CipherVector::* member) {
    constexpr size_t kBlockLen = 8;
    if (fields_.contains(name + "2")) {
      for (size_t i = 0; i < kNumStreams; ++i) {
        const Failure failure = TakeInto(name + std::to_string(i + 1), streams[i].*member);
        if (failure) return failure;
      }
      return std::nullopt;
    }
    Bytes data;
    const std::string single = fields_.contains(name + "1") ? name + "1" : name;
    if (const Failure failure = TakeInto(single, data)) return failure;
    if (data.size() != kBlockLen && data.size() % (kNumStreams * kBlockLen) != 0) {
      return "field " + name + " does not divide into three streams";
    }
    for (size_t i = 0; i < kNumStreams; ++i) {
      streams[i].*member = data.size() == kBlockLen ? data : TakeStream(data, kBlockLen, i);
    }
    return std::nullopt;
  }

  Failure ReadXts() {
    const std::optional<std::string> text = TakeText("DataUnitLen");
    const std::optional<uint64_t> num_bits = text ? ParseNumber(*text) : std::nullopt;
    if (!num_bits) return "DataUnitLen is missing or not a number";
    CipherVector vector;
    if (const Failure failure = TakeInto("Key", vector.key)) return failure;
    if (const Failure failure = TakeTweak(vector.iv)) return failure;
    if (const Failure failure = TakeInto("PT", vector.plaintext)) return failure;
    if (const Failure failure = TakeInto("CT", vector.ciphertext)) return failure;
    if (vector.plaintext.size() != (*num_bits + 7) / 8) return "PT is not DataUnitLen bits long";
    if (*num_bits % 8 != 0) {
      ++file_.skipped["data unit of " + *text + " bits"];
      return std::nullopt;
    }
    return AddVector(std::move(vector), "");
  }

  Failure TakeTweak(Bytes& tweak) {
    if (fields_.contains("i")) return TakeInto("i", tweak);
    const std::optional<std::string> text = TakeText("DataUnitSeqNumber");
    const std::optional<uint64_t> number = text ? ParseNumber(*text) : std::nullopt;
    if (!number) return "neither a tweak i nor a numeric DataUnitSeqNumber";
    tweak.assign(16, 0);
    for (size_t i = 0; i < sizeof(*number); ++i)
      tweak[i] = static_cast<uint8_t>(*number >> (8 * i));
    return std::nullopt;
  }

  Failure AddVector(CipherVector vector, const std::string& remark) {
    std::string mode = kind_.mode;
    vector.origin = path_ + ":" + std::to_string(record_line_) + remark;
    if (mode == "ofb") {
      const size_t block_len = kind_.family == "3des" ? 8 : 16;
      vector.plaintext.resize(std::min(vector.plaintext.size(), block_len));
      vector.ciphertext.resize(std::min(vector.ciphertext.size(), block_len));
      vector.origin += " first block";
      mode = "ctr";
    }
    std::optional<std::string> name = CipherName(kind_.family, mode, vector.key.size());
    if (!name) return "the key has the wrong length";
    vector.algorithm = std::move(*name);
    if (Failure failure = CheckCipherVector(vector)) return failure;
    file_.vectors.push_back(std::move(vector));
    return std::nullopt;
  }

  const std::string path_;
  const FileKind kind_;
  size_t line_ = 0;
  size_t record_line_ = 0;  // 0 outside a record
  bool in_section_ = false;
  std::optional<uint64_t> last_count_;
  std::map<std::string, std::string, std::less<>> fields_;
  VectorFile file_;
};

}  // namespace

VectorResult ParseCavp(std::string_view text, const std::string& path) {
  std::optional<FileKind> kind = KindOf(path);
  if (!kind) return std::unexpected(path + ":0: its folders name no cipher and mode known here");
  return CavpParser(path, std::move(*kind)).Parse(text);
}

VectorResult ReadCavp(const std::string& path) {
  const std::expected<std::string, std::string> text = ReadVectorText(path);
  if (!text) return std::unexpected(text.error());
  return ParseCavp(*text, path);
}

}  // namespace sealane::testing

// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/record_reader.h"

#include <algorithm>
#include <cctype>

#include "sealane/base/hex.h"

namespace sealane::testing {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string Small(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

void TakeField(std::string_view text, Record& record) {
  const size_t at = text.find('=');
  const std::string_view value = at == std::string_view::npos ? "" : Trimmed(text.substr(at + 1));
  record.fields[Small(Trimmed(text.substr(0, at)))] = std::string(value);
}

class Parser {
 public:
  explicit Parser(std::initializer_list<std::string_view> ends) : ends_(ends) {}

  void Take(std::string_view line, size_t number) {
    line = Trimmed(line);
    if (line.empty()) return EndParagraph();
    if (line.starts_with('#')) return;
    if (line.starts_with('[')) return TakeBracket(line);
    if (paragraph_.fields.empty()) paragraph_.line = number;
    TakeField(line, paragraph_);
  }

  void EndParagraph() {
    const bool is_record =
        std::ranges::any_of(ends_, [this](std::string_view end) { return paragraph_.Has(end); });
    if (is_record) {
      paragraph_.fields.insert(header_.fields.begin(), header_.fields.end());  // its own count
      records_.push_back(paragraph_);
    } else {
      for (const auto& [name, value] : paragraph_.fields) header_.fields[name] = value;
    }
    paragraph_ = {};
  }

  std::vector<Record> TakeRecords() { return std::move(records_); }

 private:
  void TakeBracket(std::string_view line) {
    EndParagraph();
    line.remove_prefix(1);
    line = line.substr(0, line.find(']'));
    while (!line.empty()) {
      const size_t comma = line.find(',');
      TakeField(line.substr(0, comma), header_);
      line = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
    }
  }

  const std::initializer_list<std::string_view> ends_;
  Record header_;
  Record paragraph_;
  std::vector<Record> records_;
};

}  // namespace

std::optional<std::string> Record::Find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto it = fields.find(name);
    if (it != fields.end()) return it->second;
  }
  return std::nullopt;
}

std::vector<Record> ParseRecords(std::string_view text,
                                 std::initializer_list<std::string_view> ends) {
  Parser parser(ends);
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    parser.Take(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  parser.EndParagraph();
  return parser.TakeRecords();
}

std::optional<Bytes> ValueBytes(std::string_view value) {
  if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
    value = value.substr(1, value.size() - 2);
    return Bytes(value.begin(), value.end());
  }
  return HexDecode(value);
}

}  // namespace sealane::testing

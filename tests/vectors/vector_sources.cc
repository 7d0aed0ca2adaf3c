// SPDX-License-Identifier: Apache-2.0
#include "vector_sources.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

#include "sealane/base/hex.h"
#include "sealane/testing/cavp_reader.h"
#include "sealane/testing/cryptopp_reader.h"
#include "triple_des_ctr_vectors.h"

namespace sealane::vectors {
namespace {

namespace fs = std::filesystem;

using Reader = testing::VectorResult (*)(const std::string& path);

struct Place {
  const char* name;
  Reader reader;
};

testing::VectorResult ReadDesBlocks(const std::string& path) {
  return testing::ReadCryptoppBlocks(path, "3des");
}

// Crypto++'s validation takes one line each for two-key and three-key DES-EDE, then one for
// DES-XEX3, which whitens single DES with two keys and is no cipher of ours.
testing::VectorResult ReadTripleDesBlocks(const std::string& path) {
  testing::VectorResult file = ReadDesBlocks(path);
  if (!file) return file;
  if (file->vectors.size() != 3) return std::unexpected(path + ":0: not three lines");
  file->vectors.pop_back();
  file->skipped["DES-XEX3"] = 1;
  return file;
}

testing::VectorResult ReadAesBlocks(const std::string& path) {
  return testing::ReadCryptoppBlocks(path, "aes");
}

constexpr std::array<Place, 12> kPlaces = {{
    {"cavp/ciphers/AES/ECB", testing::ReadCavp},
    {"cavp/ciphers/AES/CBC", testing::ReadCavp},
    {"cavp/ciphers/AES/CTR", testing::ReadCavp},
    {"cavp/ciphers/AES/OFB", testing::ReadCavp},
    {"cavp/ciphers/AES/XTS", testing::ReadCavp},
    {"cavp/ciphers/3DES/ECB", testing::ReadCavp},
    {"cavp/ciphers/3DES/CBC", testing::ReadCavp},
    {"cavp/ciphers/3DES/OFB", testing::ReadCavp},
    {"cryptopp/TestVectors", testing::ReadCryptopp},
    {"cryptopp/TestData/rijndael.dat", ReadAesBlocks},
    {"cryptopp/TestData/3desval.dat", ReadTripleDesBlocks},
    {"cryptopp/TestData/descert.dat", ReadDesBlocks},
}};

// The file itself, or all vector files of a folder and the folders below it, in a fixed order. A
// missing folder gives none.
std::vector<std::string> ListFiles(const fs::path& path) {
  if (fs::is_regular_file(path)) return {path.string()};
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error)) {
    const fs::path extension = entry.path().extension();
    const bool is_vectors = extension == ".rsp" || extension == ".txt";
    // Crypto++'s description of its format.
    if (is_vectors && entry.path().filename() != "Readme.txt") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void Append(testing::VectorFile& target, testing::VectorFile&& file) {
  std::move(file.vectors.begin(), file.vectors.end(), std::back_inserter(target.vectors));
  for (const auto& [reason, count] : file.skipped) target.skipped[reason] += count;
}

std::expected<VectorSource, std::string> Load(const std::string& cache, const Place& place) {
  VectorSource source{.name = place.name, .num_files = 0, .content = {}};
  for (const std::string& path : ListFiles(fs::path(cache) / place.name)) {
    testing::VectorResult file = place.reader(path);
    if (!file) return std::unexpected(file.error());
    Append(source.content, std::move(*file));
    ++source.num_files;
  }
  if (source.num_files == 0) {
    return std::unexpected(cache + "/" + place.name + ": not there; run tools/fetch_vectors.sh");
  }
  return source;
}

std::expected<VectorSource, std::string> LoadTable() {
  VectorSource source{.name = "table", .num_files = 1, .content = {}};
  for (const TripleDesCtrVector& entry : kTripleDesCtrVectors) {
    testing::CipherVector vector{
        .algorithm = "3des-ctr",
        .key = HexDecode(entry.key).value_or(testing::Bytes()),
        .iv = HexDecode(entry.iv).value_or(testing::Bytes()),
        .plaintext = HexDecode(entry.plaintext).value_or(testing::Bytes()),
        .ciphertext = HexDecode(entry.ciphertext).value_or(testing::Bytes()),
        .encrypt = true,
        .decrypt = true,
        .origin = entry.source};
    if (vector.key.size() != 24) return std::unexpected(vector.origin + ": bad key");
    if (const auto fault = testing::CheckCipherVector(vector)) {
      return std::unexpected(vector.origin + ": " + *fault);
    }
    source.content.vectors.push_back(std::move(vector));
  }
  return source;
}

}  // namespace

std::expected<std::vector<VectorSource>, std::string> LoadVectorSources(const std::string& cache) {
  std::vector<VectorSource> sources;
  for (const Place& place : kPlaces) {
    std::expected<VectorSource, std::string> source = Load(cache, place);
    if (!source) return std::unexpected(source.error());
    sources.push_back(std::move(*source));
  }
  std::expected<VectorSource, std::string> table = LoadTable();
  if (!table) return std::unexpected(table.error());
  sources.push_back(std::move(*table));
  return sources;
}

}  // namespace sealane::vectors

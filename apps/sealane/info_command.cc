// SPDX-License-Identifier: Apache-2.0
#include "info_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "output.h"
#include "sealane/wire/virtio_crypto.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::cli {
namespace {

using driver::DeviceConfig;
using driver::Transport;
using Names = std::vector<std::string>;

struct Bit {
  unsigned bit;
  std::string_view name;
};

// Names of the specification in small letters (virtio 1.3, 5.9.5).
constexpr std::array<Bit, 5> kServices = {{{wire::VIRTIO_CRYPTO_SERVICE_CIPHER, "cipher"},
                                           {wire::VIRTIO_CRYPTO_SERVICE_HASH, "hash"},
                                           {wire::VIRTIO_CRYPTO_SERVICE_MAC, "mac"},
                                           {wire::VIRTIO_CRYPTO_SERVICE_AEAD, "aead"},
                                           {wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER, "akcipher"}}};

constexpr std::array<Bit, 14> kCipherBits = {
    {{wire::VIRTIO_CRYPTO_CIPHER_ARC4, "arc4"},
     {wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, "aes-ecb"},
     {wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, "aes-cbc"},
     {wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, "aes-ctr"},
     {wire::VIRTIO_CRYPTO_CIPHER_DES_ECB, "des-ecb"},
     {wire::VIRTIO_CRYPTO_CIPHER_DES_CBC, "des-cbc"},
     {wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB, "3des-ecb"},
     {wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC, "3des-cbc"},
     {wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR, "3des-ctr"},
     {wire::VIRTIO_CRYPTO_CIPHER_KASUMI_F8, "kasumi-f8"},
     {wire::VIRTIO_CRYPTO_CIPHER_SNOW3G_UEA2, "snow3g-uea2"},
     {wire::VIRTIO_CRYPTO_CIPHER_AES_F8, "aes-f8"},
     {wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, "aes-xts"},
     {wire::VIRTIO_CRYPTO_CIPHER_ZUC_EEA3, "zuc-eea3"}}};

constexpr auto kHashBits =
    std::to_array<Bit>({{wire::VIRTIO_CRYPTO_HASH_MD5, "md5"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA1, "sha1"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA_224, "sha224"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA_256, "sha256"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA_384, "sha384"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA_512, "sha512"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA3_224, "sha3-224"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA3_256, "sha3-256"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA3_384, "sha3-384"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA3_512, "sha3-512"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128, "shake128"},
                        {wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE256, "shake256"}});

constexpr auto kMacBits =
    std::to_array<Bit>({{wire::VIRTIO_CRYPTO_MAC_HMAC_MD5, "hmac-md5"},
                        {wire::VIRTIO_CRYPTO_MAC_HMAC_SHA1, "hmac-sha1"},
                        {wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_224, "hmac-sha224"},
                        {wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256, "hmac-sha256"},
                        {wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_384, "hmac-sha384"},
                        {wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_512, "hmac-sha512"},
                        {wire::VIRTIO_CRYPTO_MAC_CMAC_3DES, "cmac-3des"},
                        {wire::VIRTIO_CRYPTO_MAC_CMAC_AES, "cmac-aes"},
                        {wire::VIRTIO_CRYPTO_MAC_KASUMI_F9, "kasumi-f9"},
                        {wire::VIRTIO_CRYPTO_MAC_SNOW3G_UIA2, "snow3g-uia2"},
                        {wire::VIRTIO_CRYPTO_MAC_GMAC_AES, "gmac-aes"},
                        {wire::VIRTIO_CRYPTO_MAC_GMAC_TWOFISH, "gmac-twofish"},
                        {wire::VIRTIO_CRYPTO_MAC_CBCMAC_AES, "cbcmac-aes"},
                        {wire::VIRTIO_CRYPTO_MAC_CBCMAC_KASUMI_F9, "cbcmac-kasumi-f9"},
                        {wire::VIRTIO_CRYPTO_MAC_XCBC_AES, "xcbc-aes"},
                        {wire::VIRTIO_CRYPTO_MAC_ZUC_EIA3, "zuc-eia3"}});

constexpr auto kAeadBits =
    std::to_array<Bit>({{wire::VIRTIO_CRYPTO_AEAD_GCM, "aes-gcm"},
                        {wire::VIRTIO_CRYPTO_AEAD_CCM, "aes-ccm"},
                        {wire::VIRTIO_CRYPTO_AEAD_CHACHA20_POLY1305, "chacha20-poly1305"}});

constexpr auto kAkcipherBits = std::to_array<Bit>(
    {{wire::VIRTIO_CRYPTO_AKCIPHER_RSA, "rsa"}, {wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA, "ecdsa"}});

constexpr auto kFeatures =
    std::to_array<Bit>({{wire::VIRTIO_CRYPTO_F_REVISION_1, "REVISION_1"},
                        {wire::VIRTIO_CRYPTO_F_CIPHER_STATELESS_MODE, "CIPHER_STATELESS_MODE"},
                        {wire::VIRTIO_CRYPTO_F_HASH_STATELESS_MODE, "HASH_STATELESS_MODE"},
                        {wire::VIRTIO_CRYPTO_F_MAC_STATELESS_MODE, "MAC_STATELESS_MODE"},
                        {wire::VIRTIO_CRYPTO_F_AEAD_STATELESS_MODE, "AEAD_STATELESS_MODE"},
                        {wire::VIRTIO_CRYPTO_F_AKCIPHER_STATELESS_MODE, "AKCIPHER_STATELESS_MODE"},
                        {wire::VIRTIO_F_NOTIFY_ON_EMPTY, "NOTIFY_ON_EMPTY"},
                        {wire::VHOST_F_LOG_ALL, "LOG_ALL"},
                        {wire::VIRTIO_RING_F_INDIRECT_DESC, "INDIRECT_DESC"},
                        {wire::VIRTIO_RING_F_EVENT_IDX, "EVENT_IDX"},
                        {wire::VHOST_USER_F_PROTOCOL_FEATURES, "PROTOCOL_FEATURES"},
                        {wire::VIRTIO_F_VERSION_1, "VERSION_1"},
                        {wire::VIRTIO_F_RING_PACKED, "RING_PACKED"},
                        {wire::VIRTIO_F_RING_RESET, "RING_RESET"}});

// The names of the bits that are set; "bit-N" for one that the table does not have.
Names NamesOf(uint64_t bits, std::span<const Bit> table) {
  Names names;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1U) == 0) continue;
    const auto it = std::ranges::find(table, bit, &Bit::bit);
    names.push_back(it == table.end() ? fmt::format("bit-{}", bit) : std::string(it->name));
  }
  return names;
}

nlohmann::ordered_json Describe(const std::string& device, const Transport& transport) {
  const DeviceConfig& config = transport.config();
  nlohmann::ordered_json info;
  info["device"] = device;
  info["transport"] = transport.name();
  info["data_queues"] = config.max_data_queues;
  info["max_queue_size"] = transport.max_queue_size();
  info["services"] = NamesOf(config.services, kServices);
  info["algorithms"] = {{"cipher", NamesOf(config.cipher_algorithms, kCipherBits)},
                        {"hash", NamesOf(config.hash_algorithms, kHashBits)},
                        {"mac", NamesOf(config.mac_algorithms, kMacBits)},
                        {"aead", NamesOf(config.aead_algorithms, kAeadBits)},
                        {"akcipher", NamesOf(config.akcipher_algorithms, kAkcipherBits)}};
  info["max_cipher_key_len"] = config.max_cipher_key_len;
  info["max_auth_key_len"] = config.max_auth_key_len;
  info["max_size"] = config.max_size;
  info["features"] = NamesOf(transport.features(), kFeatures);
  return info;
}

std::string Joined(const nlohmann::ordered_json& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names.get<Names>(), " "));
}

std::string AsText(const nlohmann::ordered_json& info) {
  std::string text;
  const auto add = [&text](std::string_view label, const std::string& value) {
    text += fmt::format("{:<22}{}\n", label, value);
  };
  const auto bytes = [&info](const char* name) {
    return fmt::format("{} bytes", info[name].get<uint64_t>());
  };
  add("device", info["device"].get<std::string>());
  add("data queues", info["data_queues"].dump());
  add("longest queue", info["max_queue_size"].dump());
  add("services", Joined(info["services"]));
  for (const auto& [service, names] : info["algorithms"].items()) {
    if (!names.empty()) add(service + " algorithms", Joined(names));
  }
  add("longest cipher key", bytes("max_cipher_key_len"));
  add("longest auth key", bytes("max_auth_key_len"));
  add("longest request", bytes("max_size"));
  add("features", Joined(info["features"]));
  return text;
}

}  // namespace

CLI::App& AddInfoCommand(CLI::App& app, InfoOptions& options) {
  CLI::App& command = *app.add_subcommand("info", "Show what the device offers");
  AddDeviceOptions(command, options.device);
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
  return command;
}

CommandResult<void> RunInfo(const InfoOptions& options) {
  SL_ASSIGN_OR_RETURN(const auto transport, OpenTransport(options.device));
  const nlohmann::ordered_json info = Describe(options.device.device, *transport);
  if (!options.json) return WriteOut(AsText(info));
  return WriteOut(info.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                  "\n");
}

}  // namespace sealane::cli

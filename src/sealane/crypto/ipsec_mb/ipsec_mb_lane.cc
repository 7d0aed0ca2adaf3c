// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/ipsec_mb/ipsec_mb_lane.h"

#include <intel-ipsec-mb.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sealane/crypto/payload.h"

namespace sealane::crypto {
namespace {

constexpr size_t kBlockLen = 16;
// Longer ones gain nothing from company.
constexpr uint64_t kMaxBurstLen = uint64_t{16} << 10;
// The library counts a job's bytes in 16 bits.
constexpr size_t kMaxPart = (size_t{1} << 16) - kBlockLen;

class IpsecMbLaneSession final : public LaneSession {
 public:
  explicit IpsecMbLaneSession(std::shared_ptr<const IpsecMbSession> session)
      : session_(std::move(session)) {}
  const IpsecMbSession& session() const { return *session_; }

 private:
  const std::shared_ptr<const IpsecMbSession> session_;
};

const IpsecMbSession& SessionOf(const Op& op) {
  return static_cast<const IpsecMbLaneSession&>(*op.session).session();
}

// The last 32 bits of the counter block, which are all that the library counts in.
uint32_t LowCounter(const std::array<uint8_t, kMaxIvLen>& iv) {
  return uint32_t{iv[12]} << 24 | uint32_t{iv[13]} << 16 | uint32_t{iv[14]} << 8 | iv[15];
}

// Blocks until those wrap, or more than any payload has.
uint64_t BlocksToWrap(const std::array<uint8_t, kMaxIvLen>& iv) {
  return (uint64_t{1} << 32) - LowCounter(iv);
}

void AddToCounter(std::array<uint8_t, kMaxIvLen>& iv, uint64_t blocks) {
  uint64_t carry = blocks;
  for (size_t i = iv.size(); i-- != 0 && carry != 0;) {
    carry += iv[i];
    iv[i] = static_cast<uint8_t>(carry);
    carry >>= 8;
  }
}

void FillJob(IMB_JOB& job, const IpsecMbSession& session, const uint8_t* iv, const uint8_t* in,
             uint8_t* out, size_t len) {
  const SessionInfo& info = session.info();
  job = {};
  job.cipher_mode = info.cipher == CipherAlgorithm::kAesCbc ? IMB_CIPHER_CBC : IMB_CIPHER_CNTR;
  const bool encrypts =
      info.direction == Direction::kEncrypt || info.cipher == CipherAlgorithm::kAesCtr;
  job.cipher_direction = encrypts ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
  job.chain_order = IMB_ORDER_CIPHER_HASH;
  job.hash_alg = IMB_AUTH_NULL;
  job.enc_keys = session.encryption_keys();
  job.dec_keys = session.decryption_keys();
  job.key_len_in_bytes = info.key_len;
  job.iv = iv;
  job.iv_len_in_bytes = kBlockLen;
  job.src = in;
  job.dst = out;
  job.msg_len_to_cipher_in_bytes = len;
}

}  // namespace

bool IsForBurst(const SessionInfo& info, const Op& op) {
  if (op.len == 0 || op.len > kMaxBurstLen || op.src.size() != 1 || op.dst.size() != 1) {
    return false;
  }
  if (!AreSameOrDisjoint(op.src.front().data, op.dst.front().data, static_cast<size_t>(op.len))) {
    return false;
  }
  return info.cipher != CipherAlgorithm::kAesCtr || BlocksToWrap(op.iv) * kBlockLen >= op.len;
}

IpsecMbLane::IpsecMbLane(MbManagerPtr manager)
    : manager_(std::move(manager)), jobs_(std::make_unique<IMB_JOB[]>(kMaxBurst)) {
  done_.reserve(kCapacity);
}

IpsecMbLane::~IpsecMbLane() = default;

Result<std::unique_ptr<LaneSession>> IpsecMbLane::OpenSession(
    std::shared_ptr<const Session> session) {
  return std::make_unique<IpsecMbLaneSession>(
      std::static_pointer_cast<const IpsecMbSession>(std::move(session)));
}

size_t IpsecMbLane::GroupOf(const SessionInfo& info) {
  const size_t algorithm = info.cipher == CipherAlgorithm::kAesCbc ? 0 : 1;
  const size_t direction = info.direction == Direction::kEncrypt ? 0 : 1;
  return (algorithm * 2 + direction) * 3 + (info.key_len / 8 - 2);
}

size_t IpsecMbLane::Submit(std::span<Op* const> ops) {
  if (num_given_ == done_.size()) {
    done_.clear();
    num_given_ = 0;
  }
  const auto taken = ops.first(std::min(ops.size(), kCapacity - done_.size()));
  for (Op* const op : taken) Sort(*op);
  for (std::vector<Op*>& group : groups_) RunGroup(group);
  done_.insert(done_.end(), taken.begin(), taken.end());
  bounce_.Trim();
  return taken.size();
}

void IpsecMbLane::Sort(Op& op) {
  const SessionInfo& info = SessionOf(op).info();
  if (!IsValidOp(info, op) || !HaveTheirTotals(op)) {
    op.status = Status::kError;
  } else if (IsForBurst(info, op)) {
    groups_[GroupOf(info)].push_back(&op);
  } else {
    op.status = RunAlone(op);
  }
}

void IpsecMbLane::RunGroup(std::vector<Op*>& group) {
  std::span<Op* const> rest(group);
  while (!rest.empty()) {
    const auto burst = rest.first(std::min(rest.size(), kMaxBurst));
    RunBurst(burst);
    rest = rest.subspan(burst.size());
  }
  group.clear();
}

void IpsecMbLane::RunBurst(std::span<Op* const> ops) {
  for (size_t i = 0; i < ops.size(); ++i) {
    const Op& op = *ops[i];
    FillJob(jobs_[i], SessionOf(op), op.iv.data(), op.src.front().data, op.dst.front().data,
            static_cast<size_t>(op.len));
  }
  const IMB_JOB& first = jobs_[0];
  IMB_SUBMIT_CIPHER_BURST(manager_.get(), jobs_.get(), static_cast<uint32_t>(ops.size()),
                          first.cipher_mode, first.cipher_direction,
                          static_cast<IMB_KEY_SIZE_BYTES>(first.key_len_in_bytes));
  for (size_t i = 0; i < ops.size(); ++i) {
    ops[i]->status = jobs_[i].status == IMB_STATUS_COMPLETED ? Status::kOk : Status::kError;
  }
}

bool IpsecMbLane::RunPart(const IpsecMbSession& session, const std::array<uint8_t, kMaxIvLen>& iv,
                          const uint8_t* in, uint8_t* out, size_t len) {
  FillJob(jobs_[0], session, iv.data(), in, out, len);
  IMB_SUBMIT_CIPHER_BURST(manager_.get(), jobs_.get(), 1, jobs_[0].cipher_mode,
                          jobs_[0].cipher_direction,
                          static_cast<IMB_KEY_SIZE_BYTES>(jobs_[0].key_len_in_bytes));
  return jobs_[0].status == IMB_STATUS_COMPLETED;
}

// Part by part, each with the IV that follows from the one before.
Status IpsecMbLane::RunAlone(Op& op) {
  if (op.len == 0) return Status::kOk;
  const PayloadPair pair(op, bounce_);
  if (!pair.is_there()) return Status::kError;
  const IpsecMbSession& session = SessionOf(op);
  const bool is_ctr = session.info().cipher == CipherAlgorithm::kAesCtr;
  std::array<uint8_t, kMaxIvLen> iv = op.iv;
  for (size_t at = 0; at < pair.size();) {
    size_t len = std::min(pair.size() - at, kMaxPart);
    if (is_ctr) len = static_cast<size_t>(std::min<uint64_t>(len, BlocksToWrap(iv) * kBlockLen));
    // Decrypting in place overwrites what the next part's IV is.
    std::array<uint8_t, kBlockLen> next_iv{};
    const bool decrypts = session.info().direction == Direction::kDecrypt;
    if (!is_ctr && decrypts) {
      std::memcpy(next_iv.data(), pair.in() + at + len - kBlockLen, next_iv.size());
    }
    if (!RunPart(session, iv, pair.in() + at, pair.out() + at, len)) return Status::kError;
    if (!is_ctr && !decrypts) {
      std::memcpy(next_iv.data(), pair.out() + at + len - kBlockLen, next_iv.size());
    }
    if (is_ctr) {
      AddToCounter(iv, (len + kBlockLen - 1) / kBlockLen);
    } else {
      iv = next_iv;
    }
    at += len;
  }
  pair.Deliver();
  return Status::kOk;
}

size_t IpsecMbLane::Poll(std::span<Op*> done) {
  const size_t given = std::min(done.size(), done_.size() - num_given_);
  std::copy_n(done_.begin() + static_cast<std::ptrdiff_t>(num_given_), given, done.begin());
  num_given_ += given;
  return given;
}

}  // namespace sealane::crypto

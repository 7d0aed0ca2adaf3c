// SPDX-License-Identifier: Apache-2.0
//
// BlockPool: memory blocks of one size, kept for the next time, so that objects that come and go at
// a peer's pace cost the heap nothing. It never gives memory back, and holds at most what was in
// use at once. PoolAllocator: the same for std::allocate_shared. The pool outlives its blocks. Any
// thread.
#pragma once

#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

#include "sealane/base/check.h"

namespace sealane {

class BlockPool {
 public:
  BlockPool() = default;
  ~BlockPool() {
    for (void* const block : free_) ::operator delete(block);
  }
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  // Every call names the same size, which the first one sets.
  void* Take(size_t size) {
    {
      const std::lock_guard lock(mutex_);
      if (size_ == 0) size_ = size;
      SL_CHECK(size == size_);
      if (!free_.empty()) {
        void* const block = free_.back();
        free_.pop_back();
        return block;
      }
    }
    return ::operator new(size);
  }

  void GiveBack(void* block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(block);
  }

 private:
  std::mutex mutex_;
  size_t size_ = 0;
  std::vector<void*> free_;
};

template <class T>
class PoolAllocator {
 public:
  using value_type = T;
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

  explicit PoolAllocator(BlockPool& pool) : pool_(&pool) {}
  template <class U>
  PoolAllocator(const PoolAllocator<U>& other) : pool_(&other.pool()) {}

  T* allocate(size_t num) {
    SL_CHECK(num == 1);
    return static_cast<T*>(pool_->Take(sizeof(T)));
  }
  void deallocate(T* object, size_t /*num*/) { pool_->GiveBack(object); }

  BlockPool& pool() const { return *pool_; }
  template <class U>
  bool operator==(const PoolAllocator<U>& other) const {
    return pool_ == &other.pool();
  }

 private:
  BlockPool* pool_;
};

}  // namespace sealane

# SPDX-License-Identifier: Apache-2.0
# Compiler flags. `sealane_flags` (warnings) goes to every target of the project, `sealane_module_flags` adds
# what holds for src/sealane only. Sanitizers and hardening are global: all objects of a program must agree on them.

# Warnings are errors with the two compilers that CI uses; a newer compiler's new warnings break nobody's build.
set(known_compiler OFF)
if("${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 19)\\.")
  set(known_compiler ON)
endif()
option(SEALANE_WERROR "Treat compiler warnings as errors" ${known_compiler})
set(SEALANE_SANITIZE "" CACHE STRING "A -fsanitize= list: address,undefined or thread")

add_library(sealane_flags INTERFACE)
target_compile_options(sealane_flags INTERFACE -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast)
if(SEALANE_WERROR)
  target_compile_options(sealane_flags INTERFACE -Werror)
endif()

# No exceptions in the library. RTTI stays: an embedder's class that derives from ours could not link without it.
add_library(sealane_module_flags INTERFACE)
target_link_libraries(sealane_module_flags INTERFACE sealane_flags)
target_compile_options(sealane_module_flags INTERFACE -fno-exceptions)

add_compile_options(-fno-omit-frame-pointer)
add_compile_definitions(_GLIBCXX_ASSERTIONS) # std::span and friends check their bounds, in every build

if(SEALANE_SANITIZE)
  add_compile_options(-fsanitize=${SEALANE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SEALANE_SANITIZE})
  if(SEALANE_SANITIZE STREQUAL "thread")
    # Tests that count allocations replace operator new, which clang's TSan runtime defines too; theirs comes first.
    add_link_options(-Wl,-z,muldefs)
  endif()
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  # The daemon holds keys and parses hostile input: the hardening that distributions use.
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
  add_link_options(-Wl,-z,relro,-z,now)
endif()
if(SEALANE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# SPDX-License-Identifier: Apache-2.0
# The few CMake functions that every folder's CMakeLists.txt uses.

# sealane_module(NAME HEADERS ... SOURCES ... DEPS ... TESTS ... TEST_DEPS ...)
#   A module's library `sealane::NAME` and its unit tests (one test executable per module).
#   DEPS are public; a module without SOURCES is header-only.
function(sealane_module name)
  cmake_parse_arguments(M "" "" "HEADERS;SOURCES;DEPS;TESTS;TEST_DEPS" ${ARGN})
  sealane_reject_unparsed(${name} "${M_UNPARSED_ARGUMENTS}")
  set(target sealane_${name})
  if(M_SOURCES)
    add_library(${target} STATIC ${M_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE sealane_module_flags)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(sealane::${name} ALIAS ${target})
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES
                                    ${M_HEADERS})
  # Target all_verify_interface_header_sets compiles each header alone.
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${target} ${scope} ${M_DEPS})
  if(M_TESTS)
    sealane_test(${name}_test LABEL unit SOURCES ${M_TESTS} DEPS sealane::${name} ${M_TEST_DEPS})
  endif()
endfunction()

# sealane_test(NAME LABEL label SOURCES ... DEPS ... [ARGS ...] [TIMEOUT seconds, five times that with sanitizers])
#   One GoogleTest executable, one CTest test, one label (unit loopback vectors qtest guest uml faults fuzz).
#   tools/run_tests.sh counts the cases inside it, skipped ones included.
function(sealane_test name)
  cmake_parse_arguments(T "" "LABEL;TIMEOUT" "SOURCES;DEPS;ARGS" ${ARGN})
  sealane_reject_unparsed(${name} "${T_UNPARSED_ARGUMENTS}")
  if(NOT SEALANE_TESTS)
    return()
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  if(SEALANE_SANITIZE)
    math(EXPR T_TIMEOUT "5 * ${T_TIMEOUT}")
  endif()
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE sealane_flags ${T_DEPS} GTest::gmock_main)
  if(SEALANE_TEST_PCH)
    target_precompile_headers(${name} REUSE_FROM sealane_test_pch)
  endif()
  # Target tests_LABEL builds the test programs of one label.
  if(NOT TARGET tests_${T_LABEL})
    add_custom_target(tests_${T_LABEL})
  endif()
  add_dependencies(tests_${T_LABEL} ${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# sealane_bench(NAME SOURCES ... DEPS ...)
#   One Google Benchmark executable in <build>/bench, run by `make bench`.
function(sealane_bench name)
  cmake_parse_arguments(B "" "" "SOURCES;DEPS" ${ARGN})
  sealane_reject_unparsed(${name} "${B_UNPARSED_ARGUMENTS}")
  add_executable(${name} ${B_SOURCES})
  target_link_libraries(${name} PRIVATE sealane_flags ${B_DEPS} benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
endfunction()

# sealane_fuzz(NAME SOURCES ... DEPS ...)
#   A libFuzzer target NAME (SEALANE_FUZZ, clang only) in <build>/fuzz, run by `make fuzz`, and NAME_replay, an
#   ordinary test with label fuzz that feeds it every file of fuzz/corpus/NAME and fails when there is none.
#   SOURCES define LLVMFuzzerTestOneInput.
function(sealane_fuzz name)
  cmake_parse_arguments(F "" "" "SOURCES;DEPS" ${ARGN})
  sealane_reject_unparsed(${name} "${F_UNPARSED_ARGUMENTS}")
  if(SEALANE_FUZZ)
    add_executable(${name} ${F_SOURCES})
    target_link_libraries(${name} PRIVATE sealane_flags ${F_DEPS})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  endif()
  if(SEALANE_TESTS)
    add_executable(${name}_replay ${F_SOURCES} ${PROJECT_SOURCE_DIR}/fuzz/replay_main.cc)
    target_link_libraries(${name}_replay PRIVATE sealane_flags ${F_DEPS})
    set_target_properties(${name}_replay PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${name}_replay COMMAND ${name}_replay ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
    set_tests_properties(${name}_replay PROPERTIES LABELS fuzz TIMEOUT 120)
  endif()
endfunction()

# A misspelt keyword would otherwise drop sources or tests without a word.
function(sealane_reject_unparsed name arguments)
  if(arguments)
    message(FATAL_ERROR "${name}: unknown arguments: ${arguments}")
  endif()
endfunction()

# What the parts in C have in common. Each folder includes it, because each also builds by itself.

find_package(PkgConfig REQUIRED)
include(GNUInstallDirs)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
# What a program or a plugin does not use of the shared parts is left out of it.
add_compile_options(-Wall -Wextra -Werror -ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)

set(ROUNDEL_TESTS ${CMAKE_CURRENT_LIST_DIR}/../../Tests/Desktop)
set(ROUNDEL_SANITIZERS -fsanitize=address,undefined)

# A folder beside the current one, unless it is there already.
function(roundel_use FOLDER)
  if(NOT TARGET roundel-${FOLDER})
    add_subdirectory(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${FOLDER} ${CMAKE_BINARY_DIR}/${FOLDER})
  endif()
endfunction()

# A static library, and the same with sanitizers, NAME-sanitized, which is built if a test asks for it. USES are the
# targets that they need.
function(roundel_add_library NAME)
  cmake_parse_arguments(PARSE_ARGV 1 LIBRARY "" "" "SOURCES;USES")
  add_library(${NAME} STATIC ${LIBRARY_SOURCES})
  add_library(${NAME}-sanitized STATIC EXCLUDE_FROM_ALL ${LIBRARY_SOURCES})
  target_compile_options(${NAME}-sanitized PRIVATE ${ROUNDEL_SANITIZERS})
  foreach(TARGET ${NAME} ${NAME}-sanitized)
    target_include_directories(${TARGET} PUBLIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    target_compile_definitions(${TARGET} PRIVATE G_LOG_DOMAIN="roundel")
  endforeach()
  foreach(USED ${LIBRARY_USES})
    target_link_libraries(${NAME} PUBLIC ${USED})
    if(TARGET ${USED}-sanitized)
      set(USED ${USED}-sanitized)
    endif()
    target_link_libraries(${NAME}-sanitized PUBLIC ${USED})
  endforeach()
endfunction()

# A module for a file manager, which exports only the given functions. A name that is missing is an error here; in the
# file manager it would be one at the first click.
function(roundel_add_plugin NAME)
  cmake_parse_arguments(PARSE_ARGV 1 PLUGIN "" "" "SOURCES;USES;EXPORTS")
  add_library(${NAME} MODULE ${PLUGIN_SOURCES})
  string(REPLACE ";" "; " EXPORTS "${PLUGIN_EXPORTS}")
  set(MAP ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.map)
  file(WRITE ${MAP} "{ global: ${EXPORTS}; local: *; };\n")
  target_compile_definitions(${NAME} PRIVATE G_LOG_DOMAIN="${NAME}")
  target_link_libraries(${NAME} PRIVATE ${PLUGIN_USES})
  target_link_options(${NAME} PRIVATE -Wl,-z,defs -Wl,--version-script=${MAP})
  set_target_properties(${NAME} PROPERTIES PREFIX "lib" LINK_DEPENDS ${MAP})
endfunction()

# Installs a plugin where the package's variable says that its file manager looks. That directory is below the
# package's own prefix; below another prefix the same relative place is used.
function(roundel_install_plugin NAME PACKAGE VARIABLE)
  pkg_get_variable(DIRECTORY ${PACKAGE} ${VARIABLE})
  pkg_get_variable(PACKAGE_PREFIX ${PACKAGE} prefix)
  file(RELATIVE_PATH PLACE ${PACKAGE_PREFIX} ${DIRECTORY})
  install(TARGETS ${NAME} LIBRARY DESTINATION ${PLACE})
endfunction()

# A program that tests parts, with sanitizers.
function(roundel_add_tests NAME)
  cmake_parse_arguments(PARSE_ARGV 1 TESTS "" "" "SOURCES;USES")
  add_executable(${NAME} EXCLUDE_FROM_ALL ${TESTS_SOURCES})
  target_include_directories(${NAME} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${ROUNDEL_TESTS})
  target_compile_options(${NAME} PRIVATE ${ROUNDEL_SANITIZERS})
  target_link_options(${NAME} PRIVATE ${ROUNDEL_SANITIZERS})
  target_link_libraries(${NAME} PRIVATE ${TESTS_USES})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

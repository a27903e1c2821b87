# What `cmake --install` puts under a prefix: the public headers, the rooms that node and client are
# made of as static libraries, a CMake package for find_package(palena), and the programs.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/palena")
set(package_targets palena_proto)
foreach(room base hlc model script store wire engine net node client)
  list(APPEND package_targets palena_${room})
  set_target_properties(palena_${room} PROPERTIES EXPORT_NAME ${room}) # palena::node
endforeach()
set_target_properties(palena_proto PROPERTIES EXPORT_NAME proto)

install(TARGETS ${package_targets} EXPORT palena_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS palena palenad palena-bench RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/palena" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT palena_targets
  FILE palenaTargets.cmake NAMESPACE palena:: DESTINATION "${package_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/palenaConfig.cmake.in" "${PROJECT_BINARY_DIR}/palenaConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/palenaConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/palenaConfig.cmake" "${PROJECT_BINARY_DIR}/palenaConfigVersion.cmake"
  DESTINATION "${package_dir}")

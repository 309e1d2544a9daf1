# Arm's 64-bit processors, from a machine of another kind: Debian's cross compiler, the libraries that
# `scripts/setup --aarch64` unpacks, and qemu-user, which runs what is built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

get_filename_component(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root ABSOLUTE)
if(NOT EXISTS ${CMAKE_SYSROOT}/sysroot.txt)
  message(FATAL_ERROR "There are no libraries for aarch64 in ${CMAKE_SYSROOT}; scripts/setup --aarch64 unpacks them.")
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# `max`: a processor with every unit that QEMU knows.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu max -L ${CMAKE_SYSROOT})

#ifndef ROUNDEL_CLINUX_INOTIFY_H
#define ROUNDEL_CLINUX_INOTIFY_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The number of bytes before the name in an inotify event.
#define CLINUX_INOTIFY_HEADER (offsetof(struct inotify_event, name))

/// Watches the directory that `directory` is open on: the descriptor stands for it however long its path is.
static inline int clinux_inotify_add(int inotify, int directory, uint32_t mask)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
    return inotify_add_watch(inotify, path, mask);
}

/// The number of bytes that wait to be read, or -1.
static inline int clinux_bytes_waiting(int descriptor)
{
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

/// O_PATH, which wants a feature macro.
#define CLINUX_INOTIFY_O_PATH 010000000
/// For directories that are to be listed; never through a symbolic link.
static const int CLINUX_LIST_DIRECTORY = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
/// For directories on the way to another one: search permission is enough.
static const int CLINUX_PASS_DIRECTORY = CLINUX_INOTIFY_O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
/// For whatever stands at a name, itself not followed, without reading rights and without side effects.
static const int CLINUX_STAND_FOR = CLINUX_INOTIFY_O_PATH | O_NOFOLLOW | O_CLOEXEC;

/// openat(2) without its variable arguments.
static inline int clinux_open_at(int at, const char *name, int flags)
{
    return openat(at, name, flags);
}

/// Opens as openat(2) does what is on the same mount as the directory `at`. EXDEV says that something is mounted at the
/// name: that file system has not been asked anything then. Where the kernel has no openat2(2), like openat(2).
static inline int clinux_open_same_mount(int at, const char *name, int flags)
{
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(unsigned)flags;
    how.resolve = RESOLVE_NO_XDEV;
    int result = (int)syscall(SYS_openat2, at, name, &how, sizeof how);
    return result < 0 && errno == ENOSYS ? openat(at, name, flags) : result;
}

static inline int clinux_open_directory(int at, const char *name)
{
    return openat(at, name, CLINUX_LIST_DIRECTORY);
}

static inline int clinux_open_path(int at, const char *name)
{
    return openat(at, name, CLINUX_STAND_FOR);
}

/// The target of the symbolic link that `link` is open on, not terminated; -1 on error.
static inline long clinux_link_target(int link, void *buffer, size_t size)
{
    return readlinkat(link, "", (char *)buffer, size);
}

/// mremap(2), allowed to move the mapping; a raw system call, so that no feature macro is needed.
static inline void *clinux_grow_mapping(void *old, size_t old_size, size_t new_size)
{
    return (void *)syscall(SYS_mremap, old, old_size, new_size, 1L /* MREMAP_MAYMOVE */);
}

/// getdents64(2): fills the buffer with `struct dirent64` records and gives the bytes used, 0 at the end, -1 on error.
static inline long clinux_list(int directory, void *buffer, size_t size)
{
    return syscall(SYS_getdents64, directory, buffer, size);
}

#endif

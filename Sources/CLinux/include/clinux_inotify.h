#ifndef ROUNDEL_CLINUX_INOTIFY_H
#define ROUNDEL_CLINUX_INOTIFY_H

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
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

/// openat(2) without its variable arguments, for directories that are to be listed; never through a symbolic link.
static inline int clinux_open_directory(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

/// Opens whatever stands at `name`, itself not followed, without reading rights and without side effects.
static inline int clinux_open_path(int at, const char *name)
{
    return openat(at, name, 010000000 /* O_PATH, which wants a feature macro */ | O_NOFOLLOW | O_CLOEXEC);
}

/// Opens a directory on the way to another one: search permission is enough.
static inline int clinux_pass_directory(int at, const char *name)
{
    return openat(at, name, 010000000 /* O_PATH */ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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

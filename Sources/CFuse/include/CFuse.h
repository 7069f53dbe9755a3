/* The kernel's side of a mounted folder, as far as Swift cannot see it: the protocol of /dev/fuse, how it is mounted
 * without privileges, and system calls that Glibc's module leaves out. */
#ifndef ROUNDEL_CFUSE_H
#define ROUNDEL_CFUSE_H

#include <linux/fuse.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

/* What the protocol calls so since 7.39, which is newer than the header of Debian 12. */
struct cfuse_statx_in {
    uint32_t getattr_flags;
    uint32_t reserved;
    uint64_t fh;
    uint32_t sx_flags;
    uint32_t sx_mask;
};

struct cfuse_statx_time {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t reserved;
};

struct cfuse_statx_out {
    uint64_t attr_valid;
    uint32_t attr_valid_nsec;
    uint32_t flags;
    uint64_t spare[2];
    uint32_t mask;
    uint32_t blksize;
    uint64_t attributes;
    uint32_t nlink;
    uint32_t uid;
    uint32_t gid;
    uint16_t mode;
    uint16_t spare0;
    uint64_t ino;
    uint64_t size;
    uint64_t blocks;
    uint64_t attributes_mask;
    struct cfuse_statx_time atime;
    struct cfuse_statx_time btime;
    struct cfuse_statx_time ctime;
    struct cfuse_statx_time mtime;
    uint32_t rdev_major;
    uint32_t rdev_minor;
    uint32_t dev_major;
    uint32_t dev_minor;
    uint64_t spare2[14];
};

/* An item as the kernel is told of it. */
struct cfuse_item {
    struct fuse_attr attributes;
    struct cfuse_statx_time birth;
    uint32_t has_birth;
    uint64_t device; /* the file system that it is on */
};

/* The status of what stands at a name, itself not followed if it is a symbolic link; of the descriptor itself for an
 * empty name. Gives 0 or -1. */
int cfuse_look(int directory, const char *name, struct cfuse_item *item);

/* The answer to FUSE_STATX, without how long it is valid. */
void cfuse_tell(const struct cfuse_item *item, struct cfuse_statx_out *answer);

/* A device number as the kernel writes it in a request. */
dev_t cfuse_device(uint32_t number);

/* Gives the calling thread a file mode mask of its own: one that another thread sets is not seen here. Gives 0 or -1.
 */
int cfuse_own_mask(void);

/* fallocate(2), for which Glibc wants a feature macro. */
int cfuse_allocate(int file, int mode, off_t offset, off_t length);

/* Frees the blocks of all of a file, which keeps its size and reads as zeros. */
int cfuse_punch(int file, off_t length);

/* Writes at an offset; with O_DSYNC or O_SYNC among the flags it is on the disk then. */
ssize_t cfuse_write(int file, const void *bytes, size_t count, off_t offset, int flags);

/* copy_file_range(2). */
ssize_t cfuse_copy(int from, off_t from_offset, int to, off_t to_offset, size_t count);

/* Mounts by fusermount3, so that no privilege is needed. Gives the descriptor of the kernel's requests, or an error
 * number as a negative number; EPERM if fusermount3 refused, which it says on the standard error. No other thread must
 * run yet. */
int cfuse_mount(const char *mountpoint, const char *options);

/* Takes the mount away, at once from its place, and altogether when nobody has anything open in it. Gives 0, an error
 * number, or -1 if fusermount3 refused. */
int cfuse_unmount(const char *mountpoint);

/* A socket for packets in their order at a path, with room for 107 bytes; what else is there is removed. -1 on error.
 */
int cfuse_listen(const char *path);

/* The next connection and who is at its other end; -1 on error. It does not block. */
int cfuse_accept(int listener, uid_t *user, pid_t *process);

/* The other end; -1 on error. */
int cfuse_connect(const char *path);

/* Receives a packet. Gives its bytes, -2 for one that does not fit, -1 on error. */
ssize_t cfuse_receive(int socket, void *bytes, size_t count);

/* Tells the service manager, if one started this program and wants to know (sd_notify(3)). */
void cfuse_notify(const char *state);

/* A lock for one writer or many readers, who wait behind a writer that waits. NULL without memory. */
pthread_rwlock_t *cfuse_make_lock(void);

#endif

#ifndef ROUNDEL_CLINUX_FILES_H
#define ROUNDEL_CLINUX_FILES_H

/* File system calls that Glibc's Swift module leaves out. Raw system calls, so that no feature macro is needed. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Never leaves the directory below which a path is opened, and follows no symbolic link on the way. */
static const uint64_t CLINUX_RESOLVE_STRICTLY_BENEATH = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;

/* Leaves this time as it is (utimensat(2)). */
static const long CLINUX_UTIME_OMIT = (1L << 30) - 2L;
/* With a directory's path: a file in it that has no name yet. */
static const int CLINUX_O_TMPFILE = 020000000 | O_DIRECTORY;
/* Stands for an item without opening it: no reading rights are needed, and nothing is read. */
static const int CLINUX_O_PATH = 010000000;
/* In statvfs: the file system keeps no times of access (statvfs(3)). */
static const unsigned long CLINUX_ST_NOATIME = 1024;
/* Reading leaves the time of the last access; for the owner of a file alone. */
static const int CLINUX_O_NOATIME = 01000000;
static const int CLINUX_AT_SYMLINK_FOLLOW = 0x400;
static const unsigned CLINUX_RENAME_NOREPLACE = RENAME_NOREPLACE;
static const unsigned CLINUX_RENAME_EXCHANGE = RENAME_EXCHANGE;

static inline int clinux_openat2(int directory, const char *path, int flags, unsigned mode, uint64_t resolve)
{
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(unsigned)flags;
    how.mode = mode;
    how.resolve = resolve;
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

static inline int clinux_renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

static inline int clinux_syncfs(int descriptor)
{
    return (int)syscall(SYS_syncfs, descriptor);
}

/* What the engine wants to know of a file; times in nanoseconds since 1970. */
struct clinux_status {
    uint64_t inode;
    uint64_t size;
    uint64_t stored; /* bytes that the file system keeps for it */
    int64_t modified;
    int64_t changed;
    int64_t born; /* 0 where the file system does not tell */
    uint64_t device;
    uint32_t mode;
    uint32_t links;
    uint32_t owner;
    uint32_t group;
    uint32_t mount_root; /* 1 if this is the root of a mount */
    uint64_t mount;      /* tells mounts apart, bind mounts too; 0 where the kernel does not tell */
};

static inline int64_t clinux_nanoseconds(struct statx_timestamp time)
{
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* An empty name asks about the descriptor itself. Symbolic links are not followed. */
static inline int clinux_status(int directory, const char *name, struct clinux_status *status)
{
    struct statx raw;
    memset(&raw, 0, sizeof raw);
    const int no_follow = 0x100, empty_path = 0x1000;
    int result = (int)syscall(SYS_statx, directory, name, no_follow | (name[0] == '\0' ? empty_path : 0),
        STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID, &raw);
    if (result != 0) {
        return result;
    }
    status->inode = raw.stx_ino;
    status->size = raw.stx_size;
    status->stored = raw.stx_blocks * 512;
    status->modified = clinux_nanoseconds(raw.stx_mtime);
    status->changed = clinux_nanoseconds(raw.stx_ctime);
    status->born = (raw.stx_mask & STATX_BTIME) != 0 ? clinux_nanoseconds(raw.stx_btime) : 0;
    status->device = ((uint64_t)raw.stx_dev_major << 32) | raw.stx_dev_minor;
    status->mode = raw.stx_mode;
    status->links = raw.stx_nlink;
    status->owner = raw.stx_uid;
    status->group = raw.stx_gid;
    status->mount_root = (raw.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0 ? 1 : 0;
    status->mount = (raw.stx_mask & STATX_MNT_ID) != 0 ? raw.stx_mnt_id : 0;
    return 0;
}

/* The device and the inode of what the name leads to, from what the kernel knows: a file system of a server, which may
 * be any process, is asked nothing. */
static inline int clinux_known_identity(int directory, const char *name, uint64_t *device, uint64_t *inode)
{
    struct statx raw;
    memset(&raw, 0, sizeof raw);
    const int no_automount = 0x800, no_sync = 0x4000;
    int result = (int)syscall(SYS_statx, directory, name, no_automount | no_sync, STATX_INO, &raw);
    if (result != 0) {
        return result;
    }
    *device = ((uint64_t)raw.stx_dev_major << 32) | raw.stx_dev_minor;
    *inode = raw.stx_ino;
    return 0;
}

/* Copies from an offset of one file to the same offset of another. */
static inline ssize_t clinux_copy_file_range(int from, int to, off_t offset, size_t length)
{
    int64_t source = offset, target = offset;
    return (ssize_t)syscall(SYS_copy_file_range, from, &source, to, &target, length, 0);
}

static inline int clinux_clone(int from, int to)
{
    return ioctl(to, FICLONE, from);
}

/* Where the next bytes begin that are kept, or the next that are not and read as zeros (lseek(2)). */
static inline off_t clinux_next_data(int descriptor, off_t offset)
{
    const int seek_data = 3;
    return lseek(descriptor, offset, seek_data);
}

static inline off_t clinux_next_hole(int descriptor, off_t offset)
{
    const int seek_hole = 4;
    return lseek(descriptor, offset, seek_hole);
}

/* F_SETLEASE; 0 takes a read lease, 1 gives it back. */
static inline int clinux_lease(int descriptor, int release)
{
    const int set_lease = 1024;
    return fcntl(descriptor, set_lease, release ? F_UNLCK : F_RDLCK);
}

/* The magic number of the file system that a descriptor is on. */
static inline int clinux_file_system_type(int descriptor, uint64_t *type)
{
    struct statfs info;
    if (fstatfs(descriptor, &info) != 0) {
        return -1;
    }
    *type = (uint64_t)(uint32_t)info.f_type;
    return 0;
}

/* Bytes that this user may still write, and the size of the whole file system. */
static inline int clinux_file_system_space(int descriptor, uint64_t *available, uint64_t *total)
{
    struct statfs info;
    if (fstatfs(descriptor, &info) != 0) {
        return -1;
    }
    *available = (uint64_t)info.f_bavail * (uint64_t)info.f_bsize;
    *total = (uint64_t)info.f_blocks * (uint64_t)info.f_bsize;
    return 0;
}

/* Takes the blocks of the first bytes of a file away, whose size stays. */
static inline int clinux_punch_hole(int file, long length)
{
    const int keeps_size = 1, punches_hole = 2;
    return (int)syscall(SYS_fallocate, file, keeps_size | punches_hole, 0L, length);
}

/* The flexible array at the end of dirent is not visible in Swift. */
static inline const char *clinux_entry_name(const struct dirent *entry)
{
    return entry->d_name;
}

#endif

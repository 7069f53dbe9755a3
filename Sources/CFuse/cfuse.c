#define _GNU_SOURCE
#include "CFuse.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

_Static_assert(sizeof(struct cfuse_statx_out) == 288, "the kernel's layout");

/* As new_decode_dev() of the kernel takes it apart. */
static uint32_t device_number(uint32_t major, uint32_t minor)
{
    return (minor & 0xff) | (major << 8) | ((minor & ~0xffU) << 12);
}

int cfuse_look(int directory, const char *name, struct cfuse_item *item)
{
    struct statx status;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name == '\0' ? AT_EMPTY_PATH : 0);
    if (statx(directory, name, flags, STATX_BASIC_STATS | STATX_BTIME, &status) != 0)
        return -1;
    item->attributes = (struct fuse_attr){
        .ino = status.stx_ino,
        .size = status.stx_size,
        .blocks = status.stx_blocks,
        .atime = (uint64_t)status.stx_atime.tv_sec,
        .mtime = (uint64_t)status.stx_mtime.tv_sec,
        .ctime = (uint64_t)status.stx_ctime.tv_sec,
        .atimensec = status.stx_atime.tv_nsec,
        .mtimensec = status.stx_mtime.tv_nsec,
        .ctimensec = status.stx_ctime.tv_nsec,
        .mode = status.stx_mode,
        .nlink = status.stx_nlink,
        .uid = status.stx_uid,
        .gid = status.stx_gid,
        .rdev = device_number(status.stx_rdev_major, status.stx_rdev_minor),
        .blksize = status.stx_blksize,
    };
    item->has_birth = (status.stx_mask & STATX_BTIME) != 0;
    item->birth = (struct cfuse_statx_time){ .seconds = status.stx_btime.tv_sec,
        .nanoseconds = status.stx_btime.tv_nsec };
    item->device = ((uint64_t)status.stx_dev_major << 32) | status.stx_dev_minor;
    return 0;
}

static struct cfuse_statx_time time_of(uint64_t seconds, uint32_t nanoseconds)
{
    return (struct cfuse_statx_time){ .seconds = (int64_t)seconds, .nanoseconds = nanoseconds };
}

void cfuse_tell(const struct cfuse_item *item, struct cfuse_statx_out *answer)
{
    const struct fuse_attr *from = &item->attributes;
    memset(answer, 0, sizeof *answer);
    answer->mask = STATX_BASIC_STATS | (item->has_birth ? STATX_BTIME : 0);
    answer->blksize = from->blksize;
    answer->nlink = from->nlink;
    answer->uid = from->uid;
    answer->gid = from->gid;
    answer->mode = (uint16_t)from->mode;
    answer->ino = from->ino;
    answer->size = from->size;
    answer->blocks = from->blocks;
    answer->atime = time_of(from->atime, from->atimensec);
    answer->ctime = time_of(from->ctime, from->ctimensec);
    answer->mtime = time_of(from->mtime, from->mtimensec);
    if (item->has_birth)
        answer->btime = item->birth;
    answer->rdev_major = (from->rdev & 0xfff00) >> 8;
    answer->rdev_minor = (from->rdev & 0xff) | ((from->rdev >> 12) & 0xfff00);
}

dev_t cfuse_device(uint32_t number)
{
    return makedev((number & 0xfff00) >> 8, (number & 0xff) | ((number >> 12) & 0xfff00));
}

int cfuse_own_mask(void)
{
    return unshare(CLONE_FS);
}

int cfuse_allocate(int file, int mode, off_t offset, off_t length)
{
    return fallocate(file, mode, offset, length);
}

int cfuse_punch(int file, off_t length)
{
    /* Further than the end, or the block in which the file ends would be kept. */
    enum { beyond = 1 << 20 };
    off_t all = length > INT64_MAX - beyond ? INT64_MAX : length + beyond;
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, all);
}

ssize_t cfuse_write(int file, const void *bytes, size_t count, off_t offset, int flags)
{
    const struct iovec part = { .iov_base = (void *)bytes, .iov_len = count };
    int durable = (flags & O_SYNC) == O_SYNC ? RWF_SYNC : (flags & O_DSYNC) != 0 ? RWF_DSYNC : 0;
    return durable ? pwritev2(file, &part, 1, offset, durable) : pwrite(file, bytes, count, offset);
}

ssize_t cfuse_copy(int from, off_t from_offset, int to, off_t to_offset, size_t count)
{
    return copy_file_range(from, &from_offset, to, &to_offset, count, 0);
}

/* --- Mounting --- */

/* Starts fusermount3 with the signals as they usually are. Gives 0 or an error number. */
static int start(char *const words[], pid_t *child)
{
    posix_spawnattr_t attributes;
    int problem = posix_spawnattr_init(&attributes);
    if (problem)
        return problem;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    problem = posix_spawnp(child, words[0], NULL, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return problem;
}

/* Whether the child ended well. */
static int ended_well(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return 0;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The descriptor that comes over a socket, -1 if none does. */
static int received_descriptor(int from)
{
    char byte;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = { .iov_base = &byte, .iov_len = 1 };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes
    };
    ssize_t count;
    do {
        count = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    struct cmsghdr *first = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    int descriptor = -1;
    if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS
        && first->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(&descriptor, CMSG_DATA(first), sizeof descriptor);
    return descriptor;
}

int cfuse_mount(const char *mountpoint, const char *options)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return -errno;
    char number[16];
    snprintf(number, sizeof number, "%d", ends[0]);
    setenv("_FUSE_COMMFD", number, 1);
    fcntl(ends[0], F_SETFD, 0);
    char *const words[] = { (char *)"fusermount3", (char *)"-o", (char *)options, (char *)"--", (char *)mountpoint,
        NULL };
    pid_t child;
    int problem = start(words, &child);
    close(ends[0]);
    unsetenv("_FUSE_COMMFD");
    int device = problem ? -1 : received_descriptor(ends[1]);
    close(ends[1]);
    if (problem)
        return -problem;
    if (!ended_well(child) || device < 0) {
        if (device >= 0)
            close(device);
        return -EPERM;
    }
    return device;
}

int cfuse_unmount(const char *mountpoint)
{
    char *const words[] = { (char *)"fusermount3", (char *)"-u", (char *)"-q", (char *)"-z", (char *)"--",
        (char *)mountpoint, NULL };
    pid_t child;
    int problem = start(words, &child);
    if (problem)
        return problem;
    return ended_well(child) ? 0 : -1;
}

/* --- Sockets --- */

static int address_of(const char *path, struct sockaddr_un *address)
{
    size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, length);
    return 0;
}

static int close_keeping_errno(int descriptor)
{
    int problem = errno;
    close(descriptor);
    errno = problem;
    return -1;
}

int cfuse_listen(const char *path)
{
    struct sockaddr_un address;
    if (address_of(path, &address) < 0)
        return -1;
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return -1;
    unlink(path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || chmod(path, 0600) < 0
        || listen(listener, 4) < 0)
        return close_keeping_errno(listener);
    return listener;
}

int cfuse_accept(int listener, uid_t *user, pid_t *process)
{
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return -1;
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
        return close_keeping_errno(connection);
    *user = peer.uid;
    *process = peer.pid;
    return connection;
}

int cfuse_connect(const char *path)
{
    struct sockaddr_un address;
    if (address_of(path, &address) < 0)
        return -1;
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0)
        return -1;
    if (connect(connection, (struct sockaddr *)&address, sizeof address) < 0)
        return close_keeping_errno(connection);
    return connection;
}

ssize_t cfuse_receive(int socket, void *bytes, size_t count)
{
    struct iovec part = { .iov_base = bytes, .iov_len = count };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t received = recvmsg(socket, &message, 0);
    return received > 0 && (message.msg_flags & MSG_TRUNC) != 0 ? -2 : received;
}

void cfuse_notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address;
    if (!path || !*path || address_of(path, &address) < 0)
        return;
    size_t length = strlen(path);
    /* An abstract name begins with a zero byte. */
    if (address.sun_path[0] == '@')
        address.sun_path[0] = '\0';
    int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sender < 0)
        return;
    sendto(sender, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(sender);
}

/* --- Locks --- */

pthread_rwlock_t *cfuse_make_lock(void)
{
    pthread_rwlock_t *lock = malloc(sizeof *lock);
    if (!lock)
        return NULL;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    int problem = pthread_rwlock_init(lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    if (problem) {
        free(lock);
        return NULL;
    }
    return lock;
}

/* Loaded into a program before all else (LD_PRELOAD): of its calls that touch a directory, one fails or ends it. Asked
 * for in the environment:
 *
 * - EDGE_ROOT: the directory; calls on anything else are left alone.
 * - EDGE_AT: which call, counted from 1; none without it.
 * - EDGE_SPAN: how many calls from there on fail; 1 without it.
 * - EDGE_ERROR: the number of the error, or -1: the call is left out and said to be done. Without it the program is
 *   killed.
 * - EDGE_WHEN: when it is killed: before the call, within it (of a write half is done) or after.
 * - EDGE_ACT: a command that is run then instead; the program goes on.
 * - EDGE_ONLY: the names of the calls that count, separated by commas; all without it.
 * - EDGE_LEAVE: the names of calls that are left out each time and said to be done.
 * - EDGE_LACK: the names of calls that fail each time, as on a file system that does not know them.
 * - EDGE_LOG: a file for what was hit, and for how many calls there were.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

enum when { BEFORE, WITHIN, AFTER };

static const char *root, *only, *leave, *lack, *act, *log_path;
static long at, span = 1;
static int error;
static enum when when;
static atomic_long count;
static _Thread_local int is_doomed;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("EDGE_ROOT");
    root = text != NULL ? text : "/nowhere";
    only = getenv("EDGE_ONLY");
    leave = getenv("EDGE_LEAVE");
    lack = getenv("EDGE_LACK");
    act = getenv("EDGE_ACT");
    log_path = getenv("EDGE_LOG");
    text = getenv("EDGE_AT");
    at = text != NULL ? strtol(text, NULL, 10) : 0;
    text = getenv("EDGE_SPAN");
    span = text != NULL ? strtol(text, NULL, 10) : 1;
    text = getenv("EDGE_ERROR");
    error = text != NULL ? (int)strtol(text, NULL, 10) : 0;
    text = getenv("EDGE_WHEN");
    when = text == NULL || strcmp(text, "before") == 0 ? BEFORE : strcmp(text, "after") == 0 ? AFTER : WITHIN;
}

static void say(const char *what, long number, const char *name, const char *path)
{
    if (log_path == NULL) {
        return;
    }
    char line[PATH_MAX + 128];
    int length = snprintf(line, sizeof line, "%s %ld %s %s\n", what, number, name, path);
    int file = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        (void)!syscall(SYS_write, file, line, length);
        syscall(SYS_close, file);
    }
}

__attribute__((destructor)) static void end(void)
{
    say("calls", atomic_load(&count), "-", "-");
}

static int is_named(const char *name, const char *names)
{
    size_t length = strlen(name);
    for (const char *found = names; (found = strstr(found, name)) != NULL; found += length) {
        if ((found == names || found[-1] == ',') && (found[length] == '\0' || found[length] == ',')) {
            return 1;
        }
    }
    return 0;
}

/* Where a descriptor or a path from there leads; empty where that is not below the root. */
static void resolve(int directory, const char *path, char *place, size_t size)
{
    char link[64];
    place[0] = '\0';
    if (path != NULL && path[0] == '/' && strncmp(path, "/proc/self/fd/", 14) != 0) {
        snprintf(place, size, "%s", path);
    } else {
        if (path != NULL && path[0] == '/') {
            snprintf(link, sizeof link, "%s", path);
            path = NULL;
        } else if (directory == AT_FDCWD) {
            return;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        }
        ssize_t length = syscall(SYS_readlink, link, place, size - 1);
        place[length > 0 ? length : 0] = '\0';
        if (path != NULL && path[0] != '\0' && length > 0) {
            snprintf(place + length, size - (size_t)length, "/%s", path);
        }
    }
    size_t length = strlen(root);
    if (strncmp(place, root, length) != 0 || (place[length] != '/' && place[length] != '\0')) {
        place[0] = '\0';
    }
}

/* Ends the program, or does what was asked for. */
static void disturb(void)
{
    int saved = errno;
    if (act == NULL) {
        kill(getpid(), SIGKILL);
    } else {
        (void)!system(act);
    }
    errno = saved;
}

/* File systems differ in what they can do: a rename has a name of its own for each. */
static const char *name_of_rename(long flags)
{
    return (flags & RENAME_EXCHANGE) != 0 ? "exchange" : (flags & RENAME_NOREPLACE) != 0 ? "noreplace" : "renameat2";
}

static const char *name_of_opening(const struct open_how *how)
{
    return (how->flags & O_TMPFILE) == O_TMPFILE ? "tmpfile" : "openat2";
}

/* What a call comes to that is not made. */
static int outcome(void)
{
    return errno == -1 ? 0 : -1;
}

/* Counts a call; true if it is not to be made: errno says what comes of it. */
static int fails(const char *name, int directory, const char *path)
{
    char place[PATH_MAX];
    int is_left = leave != NULL && is_named(name, leave), is_lacking = lack != NULL && is_named(name, lack);
    if (!is_left && !is_lacking && only != NULL && !is_named(name, only)) {
        return 0;
    }
    int saved = errno;
    resolve(directory, path, place, sizeof place);
    errno = saved;
    if (place[0] == '\0') {
        return 0;
    }
    if (is_left || is_lacking) {
        errno = is_left ? -1 : EINVAL;
        return 1;
    }
    long number = atomic_fetch_add(&count, 1) + 1;
    if (at == 0 || number < at || number >= at + span) {
        return 0;
    }
    say("hit", number, name, place);
    if (error != 0) {
        errno = error;
        return 1;
    }
    is_doomed = when != BEFORE;
    if (when == BEFORE) {
        disturb();
    }
    return 0;
}

static void finish(void)
{
    if (is_doomed) {
        is_doomed = 0;
        disturb();
    }
}

#define REAL(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (real == NULL) {                                                                                                \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                             \
    }

#define CALL(type, name, parameters, arguments, directory, path)                                                       \
    type name parameters                                                                                               \
    {                                                                                                                  \
        REAL(name)                                                                                                     \
        if (fails(#name, directory, path)) {                                                                           \
            return outcome();                                                                                          \
        }                                                                                                              \
        type result = real arguments;                                                                                  \
        finish();                                                                                                      \
        return result;                                                                                                 \
    }

CALL(int, fsync, (int file), (file), file, NULL)
CALL(int, fdatasync, (int file), (file), file, NULL)
CALL(int, ftruncate, (int file, off_t size), (file, size), file, NULL)
CALL(int, ftruncate64, (int file, off64_t size), (file, size), file, NULL)
CALL(int, linkat, (int from, const char *name, int to, const char *other, int flags), (from, name, to, other, flags),
    to, other)
CALL(int, unlinkat, (int directory, const char *name, int flags), (directory, name, flags), directory, name)
CALL(int, unlink, (const char *name), (name), AT_FDCWD, name)
CALL(int, mkdirat, (int directory, const char *name, mode_t mode), (directory, name, mode), directory, name)
CALL(int, fchmod, (int file, mode_t mode), (file, mode), file, NULL)
CALL(int, chmod, (const char *name, mode_t mode), (name, mode), AT_FDCWD, name)
CALL(int, fchown, (int file, uid_t owner, gid_t group), (file, owner, group), file, NULL)
CALL(int, futimens, (int file, const struct timespec times[2]), (file, times), file, NULL)
CALL(int, fstatfs, (int file, struct statfs *info), (file, info), file, NULL)
CALL(ssize_t, fgetxattr, (int file, const char *name, void *value, size_t size), (file, name, value, size), file, NULL)
CALL(int, fsetxattr, (int file, const char *name, const void *value, size_t size, int flags),
    (file, name, value, size, flags), file, NULL)
CALL(ssize_t, pread, (int file, void *buffer, size_t size, off_t offset), (file, buffer, size, offset), file, NULL)
CALL(ssize_t, pread64, (int file, void *buffer, size_t size, off64_t offset), (file, buffer, size, offset), file, NULL)

#define WRITE(name, parameters, arguments)                                                                             \
    ssize_t name parameters                                                                                            \
    {                                                                                                                  \
        REAL(name)                                                                                                     \
        if (fails(#name, file, NULL)) {                                                                                \
            return -1;                                                                                                 \
        }                                                                                                              \
        if (is_doomed && when == WITHIN) {                                                                             \
            size /= 2;                                                                                                 \
        }                                                                                                              \
        ssize_t result = real arguments;                                                                               \
        finish();                                                                                                      \
        return result;                                                                                                 \
    }

WRITE(write, (int file, const void *buffer, size_t size), (file, buffer, size))
WRITE(pwrite, (int file, const void *buffer, size_t size, off_t offset), (file, buffer, size, offset))
WRITE(pwrite64, (int file, const void *buffer, size_t size, off64_t offset), (file, buffer, size, offset))

struct dirent *readdir(DIR *directory)
{
    REAL(readdir)
    if (fails("readdir", dirfd(directory), NULL)) {
        return NULL;
    }
    struct dirent *result = real(directory);
    finish();
    return result;
}

struct dirent64 *readdir64(DIR *directory)
{
    REAL(readdir64)
    if (fails("readdir64", dirfd(directory), NULL)) {
        return NULL;
    }
    struct dirent64 *result = real(directory);
    finish();
    return result;
}

#define OPEN(name, parameters, directory, path, ...)                                                                   \
    int name parameters                                                                                                \
    {                                                                                                                  \
        REAL(name)                                                                                                     \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = (mode_t)va_arg(rest, int);                                                                       \
        va_end(rest);                                                                                                  \
        if (fails(#name, directory, path)) {                                                                           \
            return -1;                                                                                                 \
        }                                                                                                              \
        int result = real(__VA_ARGS__, flags, mode);                                                                   \
        finish();                                                                                                      \
        return result;                                                                                                 \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path, path)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path, path)
OPEN(openat, (int directory, const char *path, int flags, ...), directory, path, directory, path)

long syscall(long number, ...)
{
    REAL(syscall)
    long values[6];
    va_list rest;
    va_start(rest, number);
    for (int index = 0; index < 6; index++) {
        values[index] = va_arg(rest, long);
    }
    va_end(rest);
    int is_failing = 0;
    switch (number) {
    case SYS_openat2:
        is_failing = fails(
            name_of_opening((const struct open_how *)values[2]), (int)values[0], (const char *)values[1]);
        break;
    case SYS_renameat2:
        is_failing = fails(name_of_rename(values[4]), (int)values[2], (const char *)values[3]);
        break;
    case SYS_statx:
        is_failing = fails("statx", (int)values[0], (const char *)values[1]);
        break;
    case SYS_syncfs:
        is_failing = fails("syncfs", (int)values[0], NULL);
        break;
    case SYS_copy_file_range:
        is_failing = fails("copy_file_range", (int)values[2], NULL);
        break;
    default:
        break;
    }
    if (is_failing) {
        return outcome();
    }
    long result = real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
    finish();
    return result;
}

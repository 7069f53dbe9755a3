/* Many files, the bare reader of their events, and a mount that never answers. */
#define _GNU_SOURCE
#include "internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint32_t watched_events = IN_CREATE | IN_CLOSE_WRITE | IN_MOVE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;

/* The directory itself and those directly in it, which is all that the measurement creates. */
static int watch_directories(int inotify, const char *directory)
{
    int count = 0;
    DIR *listing = opendir(directory);
    if (!listing)
        return -errno;
    for (const struct dirent *entry; (entry = readdir(listing));) {
        char path[4096];
        if (strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (inotify_add_watch(inotify, path, watched_events) >= 0)
            count++;
    }
    closedir(listing);
    return count;
}

int peers_read_inotify(const char *directory)
{
    int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (inotify < 0)
        return -errno;
    int watches = watch_directories(inotify, directory);
    if (watches < 0)
        return watches;
    /* Tells the one who waits that it watches. */
    if (write(STDOUT_FILENO, "w", 1) != 1)
        return -EIO;
    static char buffer[65536] __attribute__((aligned(__alignof__(struct inotify_event))));
    uint64_t events = 0, lost = 0;
    struct pollfd descriptors[2] = { { .fd = inotify, .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
    while (poll(descriptors, 2, -1) >= 0 || errno == EINTR) {
        /* The pace of the badge service's watcher: a reader that reads after each event pays for many more reads. */
        usleep(2000);
        ssize_t size = read(inotify, buffer, sizeof buffer);
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
            events++;
            if (event->mask & IN_Q_OVERFLOW)
                lost++;
            at += (ssize_t)(sizeof *event + event->len);
        }
        if (size <= 0 && descriptors[1].revents != 0)
            break;
    }
    fprintf(stderr, "%llu events, %llu overflows\n", (unsigned long long)events, (unsigned long long)lost);
    close(inotify);
    return 0;
}

int peers_create_files(const char *directory, unsigned count, unsigned each)
{
    for (unsigned number = 0; number < count; number++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/d%03u", directory, number);
        if (mkdir(path, 0700) < 0 && errno != EEXIST)
            return -errno;
        int parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (parent < 0)
            return -errno;
        for (unsigned file = 0; file < each; file++) {
            char name[32];
            snprintf(name, sizeof name, "file-%05u.txt", file);
            int descriptor = openat(parent, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            if (descriptor < 0) {
                close(parent);
                return -errno;
            }
            close(descriptor);
        }
        close(parent);
    }
    return 0;
}

int peers_remove_files(const char *directory, unsigned count, unsigned each)
{
    for (unsigned number = 0; number < count; number++) {
        for (unsigned file = 0; file < each; file++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/d%03u/file-%05u.txt", directory, number, file);
            if (unlink(path) < 0 && errno != ENOENT)
                return -errno;
        }
    }
    return 0;
}

/* fusermount3 hands the descriptor of /dev/fuse over a socket that the environment names. */
static int receive_descriptor(int socket)
{
    char byte;
    char control[CMSG_SPACE(sizeof(int))] = { 0 };
    struct iovec data = { .iov_base = &byte, .iov_len = 1 };
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0)
        return -EIO;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS)
        return -EIO;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

int peers_mount_silent(const char *directory)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return -errno;
    pid_t child = fork();
    if (child == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", ends[0]);
        setenv("_FUSE_COMMFD", number, 1);
        execlp("fusermount3", "fusermount3", "-o", "fsname=silent", "--", directory, (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    int descriptor = child < 0 ? -errno : receive_descriptor(ends[1]);
    close(ends[1]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return descriptor;
}

int peers_unmount(const char *directory)
{
    pid_t child = fork();
    if (child == 0) {
        execlp("fusermount3", "fusermount3", "-u", "-z", "--", directory, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : -EIO;
}

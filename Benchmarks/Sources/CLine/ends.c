/* The two ends of a line: namespaces and the devices in them. */
#define _GNU_SOURCE
#include "internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -errno;
    ssize_t size = write(file, text, strlen(text));
    int code = size == (ssize_t)strlen(text) ? 0 : -errno;
    close(file);
    return code;
}

/* As in a user namespace in which there is nobody but this user. */
static int write_map(const char *path, unsigned identifier)
{
    char text[64];
    snprintf(text, sizeof text, "%u %u 1\n", identifier, identifier);
    return write_text(path, text);
}

int line_become_able(void)
{
    unsigned user = geteuid(), group = getegid();
    /* The servers of root give up their rights to other users, who would not exist in a namespace of its own. */
    if (user == 0)
        return 0;
    if (unshare(CLONE_NEWUSER) < 0)
        return -errno;
    int code = write_text("/proc/self/setgroups", "deny");
    if (code >= 0)
        code = write_map("/proc/self/uid_map", user);
    return code < 0 ? code : write_map("/proc/self/gid_map", group);
}

/* Does one thing to a device of this namespace. */
static int set(int socket, unsigned long request, struct ifreq *device)
{
    return ioctl(socket, request, device) < 0 ? -errno : 0;
}

static void set_address(struct ifreq *device, struct in_addr address)
{
    struct sockaddr_in name = { .sin_family = AF_INET, .sin_addr = address };
    memcpy(&device->ifr_addr, &name, sizeof name);
}

static int configure(int socket, const char *name, const char *address)
{
    struct ifreq device = { 0 };
    struct in_addr own, mask = { htonl(0xffffff00) };
    if (inet_pton(AF_INET, address, &own) != 1)
        return -EINVAL;
    snprintf(device.ifr_name, sizeof device.ifr_name, "%s", name);
    set_address(&device, own);
    int code = set(socket, SIOCSIFADDR, &device);
    set_address(&device, mask);
    if (code >= 0)
        code = set(socket, SIOCSIFNETMASK, &device);
    device.ifr_mtu = MTU;
    return code < 0 ? code : set(socket, SIOCSIFMTU, &device);
}

static int bring_up(int socket, const char *name)
{
    struct ifreq device = { 0 };
    snprintf(device.ifr_name, sizeof device.ifr_name, "%s", name);
    int code = set(socket, SIOCGIFFLAGS, &device);
    device.ifr_flags |= IFF_UP | IFF_RUNNING;
    return code < 0 ? code : set(socket, SIOCSIFFLAGS, &device);
}

static int make_device(const char *address, int *made)
{
    int tunnel = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (tunnel < 0)
        return -errno;
    struct ifreq device = { .ifr_flags = IFF_TUN | IFF_NO_PI };
    snprintf(device.ifr_name, sizeof device.ifr_name, "line");
    int code = ioctl(tunnel, TUNSETIFF, &device) < 0 ? -errno : 0;
    int socket_ = code < 0 ? -1 : socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (code >= 0 && socket_ < 0)
        code = -errno;
    if (code >= 0)
        code = configure(socket_, device.ifr_name, address);
    if (code >= 0)
        code = bring_up(socket_, device.ifr_name);
    if (code >= 0)
        code = bring_up(socket_, "lo");
    if (socket_ >= 0)
        close(socket_);
    if (code < 0)
        close(tunnel);
    else
        *made = tunnel;
    return code;
}

int line_make_end(const char *address, struct end *end)
{
    if (unshare(CLONE_NEWNET) < 0)
        return -errno;
    end->namespace = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (end->namespace < 0)
        return -errno;
    return make_device(address, &end->device);
}

/* Whether two descriptors are of the same namespace. */
static bool is_same(int first, int second)
{
    struct stat one, other;
    return fstat(first, &one) == 0 && fstat(second, &other) == 0 && one.st_dev == other.st_dev
           && one.st_ino == other.st_ino;
}

int line_enter(unsigned process, unsigned descriptor)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd/%u", process, descriptor);
    int network = open(path, O_RDONLY | O_CLOEXEC);
    if (network < 0)
        return -errno;
    snprintf(path, sizeof path, "/proc/%u/ns/user", process);
    int theirs = open(path, O_RDONLY | O_CLOEXEC), own = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
    int code = theirs < 0 || own < 0 ? -errno : 0;
    /* Nobody may enter the one in which they are. */
    if (code >= 0 && !is_same(theirs, own) && setns(theirs, CLONE_NEWUSER) < 0)
        code = -errno;
    if (code >= 0 && setns(network, CLONE_NEWNET) < 0)
        code = -errno;
    close(network);
    if (theirs >= 0)
        close(theirs);
    if (own >= 0)
        close(own);
    return code;
}

/* Echo requests, as ping(8) sends them: whether the line does what it is told. */
#define _GNU_SOURCE
#include "internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const uint64_t interval = 1000000;
/* An answer that is later than this counts as lost. */
static const uint64_t patience = 1000000000;

static uint16_t checksum(const void *bytes, size_t size)
{
    uint32_t sum = 0;
    for (size_t at = 0; at + 1 < size; at += 2) {
        uint16_t word;
        memcpy(&word, (const unsigned char *)bytes + at, sizeof word);
        sum += word;
    }
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static int ask(int socket, uint16_t number)
{
    struct icmphdr request = { .type = ICMP_ECHO };
    request.un.echo.id = htons((uint16_t)getpid());
    request.un.echo.sequence = htons(number);
    request.checksum = checksum(&request, sizeof request);
    return send(socket, &request, sizeof request, 0) == (ssize_t)sizeof request ? 0 : -errno;
}

/* The number of the request that is answered; -1 for anything else that came. */
static int answer(int socket)
{
    unsigned char bytes[MTU];
    struct iphdr packet;
    struct icmphdr echo;
    ssize_t size = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < (ssize_t)sizeof packet)
        return -1;
    memcpy(&packet, bytes, sizeof packet);
    size_t start = packet.ihl * 4u;
    if ((size_t)size < start + sizeof echo)
        return -1;
    memcpy(&echo, bytes + start, sizeof echo);
    bool is_ours = echo.type == ICMP_ECHOREPLY && echo.un.echo.id == htons((uint16_t)getpid());
    return is_ours ? ntohs(echo.un.echo.sequence) : -1;
}

static int compare(const void *one, const void *other)
{
    uint64_t first = *(const uint64_t *)one, second = *(const uint64_t *)other;
    return (first > second) - (first < second);
}

/* Asks and takes answers until all are there, or too late. */
static int exchange(int socket, size_t count, uint64_t *asked, uint64_t *took, struct line_echoes *echoes)
{
    uint64_t start = line_now();
    while (echoes->answered < count) {
        uint64_t now = line_now();
        if (echoes->sent < count && now >= start + echoes->sent * interval) {
            asked[echoes->sent] = now;
            int code = ask(socket, (uint16_t)echoes->sent);
            if (code < 0)
                return code;
            echoes->sent++;
        }
        if (echoes->sent == count && now > asked[count - 1] + patience)
            return 0;
        struct pollfd descriptor = { .fd = socket, .events = POLLIN };
        struct timespec pause = { .tv_nsec = interval / 10 };
        if (ppoll(&descriptor, 1, &pause, NULL) <= 0)
            continue;
        int number = answer(socket);
        if (number >= 0 && (size_t)number < echoes->sent)
            took[echoes->answered++] = line_now() - asked[number];
    }
    return 0;
}

int line_probe(const char *address, size_t count, struct line_echoes *echoes)
{
    struct sockaddr_in name = { .sin_family = AF_INET };
    *echoes = (struct line_echoes){ 0 };
    if (count == 0 || count > UINT16_MAX || inet_pton(AF_INET, address, &name.sin_addr) != 1)
        return -EINVAL;
    int socket_ = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
    if (socket_ < 0)
        return -errno;
    uint64_t *asked = calloc(count, sizeof *asked), *took = calloc(count, sizeof *took);
    int code = asked && took ? 0 : -ENOMEM;
    if (code >= 0 && connect(socket_, (const struct sockaddr *)&name, sizeof name) < 0)
        code = -errno;
    if (code >= 0)
        code = exchange(socket_, count, asked, took, echoes);
    if (code >= 0 && echoes->answered > 0) {
        qsort(took, echoes->answered, sizeof *took, compare);
        echoes->middle = took[echoes->answered / 2];
        echoes->worst = took[echoes->answered - 1];
    }
    free(asked);
    free(took);
    close(socket_);
    return code;
}

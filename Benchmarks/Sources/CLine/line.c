/* The line itself: both directions, carried by one thread. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

uint64_t line_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Waits for a packet at either end, for the end of standard input, or until a time. */
static int await(struct pollfd descriptors[3], uint64_t until)
{
    uint64_t now = line_now(), rest = until > now ? until - now : 0;
    struct timespec time = { .tv_sec = (time_t)(rest / 1000000000), .tv_nsec = (long)(rest % 1000000000) };
    int count = ppoll(descriptors, 3, until == UINT64_MAX ? NULL : &time, NULL);
    return count < 0 && errno != EINTR ? -errno : 0;
}

static int carry(struct direction *there, struct direction *back, const struct end *near, const struct end *far)
{
    struct pollfd descriptors[3] = {
        { .fd = near->device, .events = POLLIN },
        { .fd = far->device, .events = POLLIN },
        { .fd = STDIN_FILENO, .events = POLLIN },
    };
    for (;;) {
        line_take(there);
        line_take(back);
        uint64_t next = line_hand_over(there), other = line_hand_over(back);
        int code = await(descriptors, next < other ? next : other);
        if (code < 0 || descriptors[2].revents != 0)
            return code;
    }
}

int line_serve(const struct line_shape *shape)
{
    if (shape->rate == 0 || shape->loss > 1000000)
        return -EINVAL;
    struct end near, far;
    int code = line_become_able();
    if (code >= 0)
        code = line_make_end(LINE_NEAR, &near);
    if (code >= 0)
        code = line_make_end(LINE_FAR, &far);
    if (code < 0)
        return code;
    /* A timer that the kernel may put off by its usual 50 µs would lengthen each way by that. */
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    struct direction *there = line_open_direction(shape, shape->seed, near.device, far.device);
    struct direction *back = line_open_direction(shape, ~shape->seed, far.device, near.device);
    code = there && back ? 0 : -ENOMEM;
    if (code >= 0) {
        printf("%d %d %d\n", getpid(), near.namespace, far.namespace);
        code = fflush(stdout) == 0 ? carry(there, back, &near, &far) : -EIO;
    }
    line_close_direction(there);
    line_close_direction(back);
    return code;
}

#define _GNU_SOURCE

#include "poll-loop.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

typedef struct {
    guint number;
    gint64 due; /* microseconds of the monotonic clock */
    gint64 interval;
    GSourceFunc function;
    gpointer data;
} Source;

struct PollLoop {
    HostLoop methods;
    int epoll;
    int timer;
    int watched; /* -1: none */
    GQueue sources;
    guint last_number;
    gint64 armed; /* when the timer expires; G_MAXINT64: never */
};

/* The timer */

static void arm(PollLoop *loop, gint64 due)
{
    if (due == loop->armed)
        return;
    /* A time of 0 would stop the timer. */
    const gint64 time = due == G_MAXINT64 ? 0 : MAX(due, 1);
    const struct itimerspec expiry = {
        .it_value = { .tv_sec = time / G_USEC_PER_SEC, .tv_nsec = time % G_USEC_PER_SEC * 1000 },
    };
    timerfd_settime(loop->timer, TFD_TIMER_ABSTIME, &expiry, NULL);
    loop->armed = due;
}

static void arm_for_next(PollLoop *loop)
{
    gint64 next = G_MAXINT64;
    for (const GList *link = loop->sources.head; link != NULL; link = link->next)
        next = MIN(next, ((const Source *)link->data)->due);
    arm(loop, next);
}

void poll_loop_wake(PollLoop *loop)
{
    arm(loop, 0);
}

/* Sources */

static guint add(PollLoop *loop, gint64 interval, GSourceFunc function, gpointer data)
{
    if (++loop->last_number == 0)
        loop->last_number = 1;
    Source *source = g_new(Source, 1);
    *source = (Source){ loop->last_number, g_get_monotonic_time() + interval, interval, function, data };
    g_queue_push_tail(&loop->sources, source);
    if (source->due < loop->armed)
        arm(loop, source->due);
    return source->number;
}

static guint in_next_turn(gpointer loop, GSourceFunc function, gpointer data)
{
    return add(loop, 0, function, data);
}

static guint after(gpointer loop, guint milliseconds, GSourceFunc function, gpointer data)
{
    return add(loop, (gint64)milliseconds * 1000, function, data);
}

static GList *find(PollLoop *loop, guint number)
{
    GList *link = loop->sources.head;
    while (link != NULL && ((const Source *)link->data)->number != number)
        link = link->next;
    return link;
}

static void stop(gpointer data, guint number)
{
    PollLoop *loop = data;
    GList *link = find(loop, number);
    if (link == NULL)
        return;
    g_free(link->data);
    g_queue_delete_link(&loop->sources, link);
}

/* The numbers of what is due now. What is added meanwhile comes in the next turn. */
static GArray *due_numbers(const PollLoop *loop)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    const gint64 now = g_get_monotonic_time();
    for (const GList *link = loop->sources.head; link != NULL; link = link->next) {
        const Source *source = link->data;
        if (source->due <= now)
            g_array_append_val(numbers, source->number);
    }
    return numbers;
}

static void call(PollLoop *loop, guint number)
{
    const GList *link = find(loop, number);
    if (link == NULL)
        return;
    const Source *source = link->data;
    const gboolean goes_on = source->function(source->data) == G_SOURCE_CONTINUE;
    /* It may have stopped itself. */
    link = find(loop, number);
    if (link == NULL)
        return;
    if (goes_on)
        ((Source *)link->data)->due = g_get_monotonic_time() + source->interval;
    else
        stop(loop, number);
}

void poll_loop_turn(PollLoop *loop)
{
    g_autoptr(GArray) numbers = due_numbers(loop);
    for (guint i = 0; i < numbers->len; i++)
        call(loop, g_array_index(numbers, guint, i));
    arm_for_next(loop);
}

gboolean poll_loop_is_idle(const PollLoop *loop)
{
    return g_queue_is_empty((GQueue *)&loop->sources);
}

/* Descriptors */

void poll_loop_watch(PollLoop *loop, int descriptor, guint32 events)
{
    struct epoll_event event = { .events = events, .data.fd = descriptor };
    if (loop->watched >= 0 && (events == 0 || loop->watched != descriptor)) {
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, loop->watched, NULL);
        loop->watched = -1;
    }
    if (events == 0)
        return;
    epoll_ctl(loop->epoll, loop->watched == descriptor ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
    loop->watched = descriptor;
}

guint32 poll_loop_ready(PollLoop *loop)
{
    struct epoll_event events[2];
    const int count = epoll_wait(loop->epoll, events, G_N_ELEMENTS(events), 0);
    guint32 ready = 0;
    for (int i = 0; i < count; i++) {
        guint64 expirations;
        if (events[i].data.fd == loop->watched)
            ready = events[i].events;
        else if (read(loop->timer, &expirations, sizeof expirations) == (ssize_t)sizeof expirations)
            loop->armed = G_MAXINT64;
    }
    return ready;
}

int poll_loop_descriptor(const PollLoop *loop)
{
    return loop->epoll;
}

const HostLoop *poll_loop_methods(const PollLoop *loop)
{
    return &loop->methods;
}

PollLoop *poll_loop_new(void)
{
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    const int timer = epoll < 0 ? -1 : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    struct epoll_event event = { .events = EPOLLIN, .data.fd = timer };
    if (timer < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) != 0) {
        const int reason = errno;
        if (timer >= 0)
            close(timer);
        if (epoll >= 0)
            close(epoll);
        errno = reason;
        return NULL;
    }
    PollLoop *loop = g_new0(PollLoop, 1);
    loop->methods = (HostLoop){ in_next_turn, in_next_turn, after, stop, loop };
    loop->epoll = epoll;
    loop->timer = timer;
    loop->watched = -1;
    loop->armed = G_MAXINT64;
    g_queue_init(&loop->sources);
    return loop;
}

void poll_loop_free(PollLoop *loop)
{
    g_queue_clear_full(&loop->sources, g_free);
    close(loop->timer);
    close(loop->epoll);
    g_free(loop);
}

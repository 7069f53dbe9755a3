#pragma once

#include "host/host-loop.h"

/*
 * A main loop of timers within that of the program: one descriptor tells the program when there is something to do. It
 * is an epoll instance with a timer and what poll_loop_watch adds.
 */

typedef struct PollLoop PollLoop;

/* NULL with errno. */
PollLoop *poll_loop_new(void);
void poll_loop_free(PollLoop *loop);

const HostLoop *poll_loop_methods(const PollLoop *loop);

/* Readable while there is something to do. */
int poll_loop_descriptor(const PollLoop *loop);

/* Makes the descriptor readable when the given one has one of the events of epoll(7); 0 ends that. One at a time. */
void poll_loop_watch(PollLoop *loop, int descriptor, guint32 events);

/* The events that the watched descriptor has now. Never waits. */
guint32 poll_loop_ready(PollLoop *loop);

/* Makes the descriptor readable at once, for one turn. */
void poll_loop_wake(PollLoop *loop);

/* Calls what is due. */
void poll_loop_turn(PollLoop *loop);

/* Whether no timer runs. */
gboolean poll_loop_is_idle(const PollLoop *loop);

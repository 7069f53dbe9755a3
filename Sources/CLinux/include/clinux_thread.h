#ifndef ROUNDEL_CLINUX_THREAD_H
#define ROUNDEL_CLINUX_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

/* Starts a detached thread with a small stack and every signal blocked: signals are the business of the thread that
 * starts it. Gives 0 or an error number. */
static inline int clinux_start_thread(void *(*body)(void *), void *argument, size_t stack_size)
{
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result != 0) {
        return result;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_size);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    result = pthread_create(&thread, &attributes, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return result;
}

/* Names the calling thread, 15 bytes at most. */
static inline void clinux_name_thread(const char *name)
{
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif

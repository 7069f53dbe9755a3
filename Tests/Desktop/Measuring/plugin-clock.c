/*
 * Preloaded beside a plugin that was compiled with -finstrument-functions, it measures how long the plugin has a file
 * manager's main thread: at most in one call from outside, and at most between two polls of the main loop. What the
 * plugin calls counts as well. The figures are in the file that ROUNDEL_CLOCK names, always up to date.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    uint64_t longest_call;
    uint64_t longest_turn;
    uint64_t longest_turn_processor;
    uint64_t total;
    uint64_t calls;
} Figures; /* nanoseconds; read by the measuring script as five 64-bit integers */

static Figures *figures;
static int depth;
static uint64_t entered, entered_processor;
static uint64_t turn, turn_processor;

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void raise_to(uint64_t *maximum, uint64_t value)
{
    if (value > *maximum)
        *maximum = value;
}

static int end_turn_and_poll(GPollFD *descriptors, guint count, int timeout)
{
    raise_to(&figures->longest_turn, turn);
    raise_to(&figures->longest_turn_processor, turn_processor);
    turn = turn_processor = 0;
    return g_poll(descriptors, count, timeout);
}

/* Asked for every function of the plugin, so it must cost next to nothing. */
static int in_main_thread(void)
{
    static __thread int answer = -1;
    if (answer < 0)
        answer = gettid() == getpid();
    return answer;
}

static void begin(void)
{
    int file = open(getenv("ROUNDEL_CLOCK"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, sizeof(Figures)) < 0)
        abort();
    figures = mmap(NULL, sizeof(Figures), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (figures == MAP_FAILED)
        abort();
    close(file);
    g_main_context_set_poll_func(NULL, end_turn_and_poll);
}

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function, (void)caller;
    if (!in_main_thread() || depth++ > 0)
        return;
    if (figures == NULL)
        begin();
    entered_processor = now(CLOCK_THREAD_CPUTIME_ID);
    entered = now(CLOCK_MONOTONIC);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    if (!in_main_thread() || --depth > 0)
        return;
    uint64_t took = now(CLOCK_MONOTONIC) - entered;
    turn += took;
    turn_processor += now(CLOCK_THREAD_CPUTIME_ID) - entered_processor;
    raise_to(&figures->longest_call, took);
    figures->total += took;
    figures->calls++;
}

#include "time-slice.h"

#define SLICE_MICROSECONDS 8000
#define PAUSE_MICROSECONDS 2000

static gint64 begun;
static gint64 last_look;

gboolean time_slice_is_over(void)
{
    gint64 now = g_get_monotonic_time();
    if (now - last_look > PAUSE_MICROSECONDS)
        begun = now;
    last_look = now;
    return now - begun > SLICE_MICROSECONDS;
}

void time_slice_begin(void)
{
    begun = last_look = g_get_monotonic_time();
}

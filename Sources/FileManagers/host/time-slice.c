#include "time-slice.h"

#define SLICE_MICROSECONDS 8000
#define PAUSE_MICROSECONDS 2000

TimeSlice time_slice_new(gint64 (*clock)(void))
{
    TimeSlice slice = { .clock = clock };
    time_slice_begin(&slice);
    return slice;
}

gboolean time_slice_is_over(TimeSlice *slice)
{
    gint64 now = slice->clock();
    if (now - slice->last_read > PAUSE_MICROSECONDS)
        slice->begun = now;
    slice->last_read = now;
    return now - slice->begun > SLICE_MICROSECONDS;
}

void time_slice_begin(TimeSlice *slice)
{
    slice->begun = slice->last_read = slice->clock();
}

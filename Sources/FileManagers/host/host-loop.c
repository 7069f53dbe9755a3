#include "host-loop.h"

guint host_loop_before_drawing(const HostLoop *loop, GSourceFunc function, gpointer data)
{
    return loop->before_drawing(loop->data, function, data);
}

guint host_loop_when_idle(const HostLoop *loop, GSourceFunc function, gpointer data)
{
    return loop->when_idle(loop->data, function, data);
}

guint host_loop_after(const HostLoop *loop, guint milliseconds, GSourceFunc function, gpointer data)
{
    return loop->after(loop->data, milliseconds, function, data);
}

void host_loop_clear(const HostLoop *loop, guint *source)
{
    if (*source != 0)
        loop->stop(loop->data, *source);
    *source = 0;
}

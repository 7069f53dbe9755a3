#include "event-loop.h"

#include <QHash>
#include <QTimer>

namespace roundel
{
static QHash<guint, QTimer *> &timers()
{
    static QHash<guint, QTimer *> running;
    return running;
}

/** Later, because the timer may be emitting its signal. */
static gboolean stop(guint number)
{
    QTimer *timer = timers().take(number);
    if (timer == nullptr)
        return FALSE;
    timer->stop();
    timer->deleteLater();
    return TRUE;
}

static guint after(guint milliseconds, GSourceFunc function, gpointer data)
{
    static guint last = 0;
    const guint number = ++last;
    auto *timer = new QTimer;
    timers().insert(number, timer);
    QObject::connect(timer, &QTimer::timeout, timer, [number, function, data] {
        if (function(data) == G_SOURCE_REMOVE)
            stop(number);
    });
    timer->start(int(milliseconds));
    return number;
}

/** A timer of no time fires when the events that are there have been handled. */
static guint inNextTurn(GSourceFunc function, gpointer data)
{
    return after(0, function, data);
}

const HostLoop eventLoop = { inNextTurn, inNextTurn, after, stop };
} // namespace roundel

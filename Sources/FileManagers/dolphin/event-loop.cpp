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
static void stop(gpointer, guint number)
{
    QTimer *timer = timers().take(number);
    if (timer == nullptr)
        return;
    timer->stop();
    timer->deleteLater();
}

static guint after(gpointer, guint milliseconds, GSourceFunc function, gpointer data)
{
    static guint last = 0;
    const guint number = ++last;
    auto *timer = new QTimer;
    timers().insert(number, timer);
    QObject::connect(timer, &QTimer::timeout, timer, [number, function, data] {
        if (function(data) == G_SOURCE_REMOVE)
            stop(nullptr, number);
    });
    timer->start(int(milliseconds));
    return number;
}

/** A timer of no time fires when the events that are there have been handled. */
static guint inNextTurn(gpointer loop, GSourceFunc function, gpointer data)
{
    return after(loop, 0, function, data);
}

const HostLoop eventLoop = { inNextTurn, inNextTurn, after, stop, nullptr };
} // namespace roundel

#include "event-loop.h"

#include <QTimer>

namespace roundel
{
EventLoop::EventLoop(QObject *parent) : QObject(parent)
{
    const auto after = [](gpointer self, guint milliseconds, GSourceFunc function, gpointer data) {
        return static_cast<EventLoop *>(self)->start(milliseconds, function, data);
    };
    // A timer of no time fires when the events that are there have been handled.
    const auto inNextTurn = [](gpointer self, GSourceFunc function, gpointer data) {
        return static_cast<EventLoop *>(self)->start(0, function, data);
    };
    const auto stop = [](gpointer self, guint number) { static_cast<EventLoop *>(self)->stop(number); };
    m_methods = { inNextTurn, inNextTurn, after, stop, this };
}

const HostLoop *EventLoop::methods() const
{
    return &m_methods;
}

guint EventLoop::start(guint milliseconds, GSourceFunc function, gpointer data)
{
    const guint number = ++m_last;
    auto *timer = new QTimer(this);
    m_timers.insert(number, timer);
    connect(timer, &QTimer::timeout, this, [this, number, function, data] {
        if (function(data) == G_SOURCE_REMOVE)
            stop(number);
    });
    timer->start(int(milliseconds));
    return number;
}

/** Later, because the timer may be emitting its signal. */
void EventLoop::stop(guint number)
{
    QTimer *timer = m_timers.take(number);
    if (timer == nullptr)
        return;
    timer->stop();
    timer->deleteLater();
}
} // namespace roundel

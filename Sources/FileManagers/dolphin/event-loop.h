#pragma once

#include "host.h"

#include <QHash>
#include <QObject>

class QTimer;

namespace roundel
{
/** Qt's event loop, in the main thread, for the host library. It outlives the library's link. None of it is static: Qt
 * destroys a plugin in an exit handler, when the plugin's static objects are gone, and the link still stops timers. */
class EventLoop : public QObject
{
    Q_OBJECT

public:
    explicit EventLoop(QObject *parent = nullptr);

    /** Good for as long as this object. */
    const HostLoop *methods() const;

private:
    guint start(guint milliseconds, GSourceFunc function, gpointer data);
    void stop(guint number);

    HostLoop m_methods;
    QHash<guint, QTimer *> m_timers;
    guint m_last = 0;
};
} // namespace roundel

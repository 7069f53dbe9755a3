#pragma once

#include "directory.h"

#include <QTimer>

#include <functional>

namespace roundel
{
/**
 * Decides when the badges that the file manager asks about one by one are requested from the service: the first at once
 * or at the end of the current turn of the event loop, later ones together. Dolphin goes through the items of a folder
 * in hundreds of short turns, so a batch for each turn would hold a single name.
 */
class BadgeRequests : public QObject
{
    Q_OBJECT

public:
    explicit BadgeRequests(QObject *parent = nullptr);

    /** There are names to ask for. */
    void schedule();

    /** There are names that have waited for an observation to begin. A timer would come only after the hundreds of
     * items that Dolphin goes through besides those that it shows. */
    void askAtOnce();

    /** At most this many of the directory's names are to be asked for in one request. Bounds the time for which
     * applying the answer blocks the file manager. */
    static QByteArrayList nextNames(Directory &directory);

Q_SIGNALS:
    /** Requests are to be sent now. Who has more to ask afterwards schedules again. */
    void due();

private:
    void fire();

    QTimer m_turn;
    QTimer m_pause;
    bool m_isWanted = false;
};
} // namespace roundel

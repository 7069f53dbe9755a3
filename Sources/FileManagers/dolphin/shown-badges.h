#pragma once

#include "host.h"

#include <QObject>
#include <QTimer>
#include <QUrl>

#include <unordered_map>

namespace roundel
{
class OpenDirectories;

/**
 * The badges of the items that the file manager shows. The library observes a directory from the first item asked about
 * until no window shows the directory any more.
 */
class ShownBadges : public QObject
{
    Q_OBJECT

public:
    ShownBadges(HostLink *link, OpenDirectories &open, QObject *parent = nullptr);
    ~ShownBadges() override;

    /** The badge of an item that the file manager shows, as far as it is known. Null for one that is not local. The
     * pointer is good until the event loop goes on. */
    const Badge *badge(const QUrl &item);

Q_SIGNALS:
    /** An item looks different now. The badge is null if nothing is known of the item any more. */
    void changed(const QUrl &item, const Badge *badge);

private:
    struct Place {
        QUrl someItem; // windows are asked about the directory by this item
        bool isShown = false;
        quint64 lastAsked = 0; // larger than that of each directory that was asked about before
    };

    Place &ensurePlace(const QByteArray &directory, const QUrl &item);
    void show(const QByteArray &directory, Place &place);
    void review();
    void endOldest();

    OpenDirectories &m_open;
    TimeSlice m_slice;
    Observer *m_observer;
    QTimer m_review;
    std::unordered_map<QByteArray, Place> m_places;
    quint64 m_asked = 0;
};
} // namespace roundel

#pragma once

#include "badge-requests.h"
#include "directory.h"
#include "host-link.h"

#include <QTimer>

#include <unordered_map>

namespace roundel
{
class OpenDirectories;
class RefreshQueue;

/**
 * The directories of which the file manager asked about items, and the observation of each that can be monitored: begun
 * with the first item asked about, ended when no window shows the directory any more, begun again when the service
 * comes back, resets, or gets new folders.
 */
class Observer : public QObject
{
    Q_OBJECT

public:
    Observer(HostLink &link, OpenDirectories &open, RefreshQueue &refresh, QObject *parent = nullptr);

    /** The badge of an item that the file manager shows, as far as it is known. Null for one that is not local. The
     * pointer is good until the event loop goes on. */
    const Badge *badge(const QUrl &item);

    /** The badges look different now. */
    void refreshBadged();

Q_SIGNALS:
    /** An item looks different now. The badge is null if nothing is known of the item any more. */
    void changed(const QUrl &item, const roundel::Badge *badge);

private:
    Directory &ensureDirectory(const QByteArray &uri, const QUrl &someItem);
    Directory *find(const QByteArray &uri, quint64 generation);

    void review();
    void reviewAnew();
    bool mayBeMonitored(const Directory &directory) const;
    void begin(Directory &directory);
    void onBegun(Directory &directory, const HostReply &reply);
    void leave(Directory &directory);
    void endOldest();

    void requestDue();
    void request(Directory &directory);
    void apply(Directory &directory, const QByteArray &name, const Badge &badge);
    void forget(DirectoryEntry &entry);
    void forgetUnbadged(Directory &directory);
    void refresh(DirectoryEntry &entry);
    void onRefresh(const QUrl &item);

    void onGone();
    void onReset();
    void onBadgesChanged(const QByteArray &directoryUri, const QStringList &names, const BadgeColumns &columns);

    HostLink &m_link;
    OpenDirectories &m_open;
    RefreshQueue &m_refresh;
    BadgeRequests m_requests;
    QTimer m_review;
    std::unordered_map<QByteArray, Directory> m_directories;
    quint64 m_generation = 0;
    quint64 m_asked = 0;
};
} // namespace roundel

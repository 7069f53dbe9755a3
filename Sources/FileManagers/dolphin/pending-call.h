#pragma once

#include "host-link.h"

namespace roundel
{
/**
 * The receiver of one reply. QtDBus posts to it from a thread of its own, so it stays until the reply is there, also if
 * nobody wants that any more; the bus answers every call, at the latest when the called program ends.
 */
class PendingCall : public QObject
{
    Q_OBJECT

public:
    PendingCall(HostLink &link, const QString &replySignature, HostLink::ReplyHandler handler);

    /** Destroys the handler; the reply will be thrown away. */
    void abandon();

public Q_SLOTS:
    void onReply(const QDBusMessage &reply);
    void onError(const QDBusError &error, const QDBusMessage &call);

private:
    void finish(const HostReply &reply);

    HostLink *m_link; // null once abandoned
    QString m_replySignature;
    HostLink::ReplyHandler m_handler;
};
} // namespace roundel

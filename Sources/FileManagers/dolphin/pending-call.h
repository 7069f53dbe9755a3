#pragma once

#include <QDBusMessage>
#include <QObject>

#include <functional>

class QDBusError;

namespace roundel
{
/** The result of a call: the arguments of the reply, or the name and the text of an error. */
struct HostReply {
    QVariantList arguments;
    QString errorName;
    QString errorText;

    bool isError() const;
};

/**
 * The receiver of one reply. QtDBus posts to it from a thread of its own, so it stays until the reply is there, even if
 * it is no longer needed; the bus answers every call, at the latest when the called program ends.
 */
class PendingCall : public QObject
{
    Q_OBJECT

public:
    using Handler = std::function<void(const HostReply &reply)>;

    /** A reply of another type is an error. */
    PendingCall(const QString &replySignature, Handler handler);

    /** Destroys the handler; the reply will be thrown away. */
    void abandon();

public Q_SLOTS:
    void onReply(const QDBusMessage &reply);
    void onError(const QDBusError &error, const QDBusMessage &call);

Q_SIGNALS:
    /** The reply is there; the handler is called next. Not emitted once the call is abandoned. */
    void finished();

private:
    void finish(const HostReply &reply);

    QString m_replySignature;
    Handler m_handler; // empty once abandoned
};
} // namespace roundel

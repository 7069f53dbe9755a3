#include "pending-call.h"

#include <QDBusError>

namespace roundel
{
bool HostReply::isError() const
{
    return !errorName.isEmpty();
}

PendingCall::PendingCall(const QString &replySignature, Handler handler)
    : m_replySignature(replySignature), m_handler(std::move(handler))
{
}

void PendingCall::abandon()
{
    m_handler = nullptr;
}

void PendingCall::onReply(const QDBusMessage &reply)
{
    if (reply.signature() == m_replySignature)
        finish({ reply.arguments(), {}, {} });
    else
        finish({ {}, QStringLiteral("org.freedesktop.DBus.Error.InvalidSignature"),
            QStringLiteral("The Roundel service answered with values of the type \"%1\" instead of \"%2\".")
                .arg(reply.signature(), m_replySignature) });
}

void PendingCall::onError(const QDBusError &error, const QDBusMessage &call)
{
    Q_UNUSED(call)
    finish({ {}, error.name(), error.message() });
}

void PendingCall::finish(const HostReply &reply)
{
    deleteLater();
    if (!m_handler)
        return;
    Q_EMIT finished();
    const Handler handler = std::move(m_handler);
    handler(reply);
}
} // namespace roundel

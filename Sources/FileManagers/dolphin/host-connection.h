#pragma once

#include "event-loop.h"
#include "host.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QObject>

#include <functional>

namespace roundel
{
/** The host library's connection to the badge service over QtDBus, which does not start the service; and its events as
 * signals, for what does not live as long. */
class HostConnection : public QObject
{
    Q_OBJECT

public:
    explicit HostConnection(const QDBusConnection &bus, QObject *parent = nullptr);
    ~HostConnection() override;

    HostLink *link() const;
    bool isConnected() const;

    /** Calls a method of the Host interface, see host_link_call. The arguments are floating. If the service goes first,
     * the handler is destroyed and not called. */
    using Handler = std::function<void(GVariant *reply, const HostError *error)>;
    void call(const char *method, GVariant *arguments, const char *replyType, Handler handler);

Q_SIGNALS:
    void connected();
    void gone();
    void imagesChanged();
    /** A late provider completed a menu of this program; the GVariant has the type of GetMenu's
     * reply. */
    void menuChanged(gpointer menu);
    /** The clipboard text is empty if the action makes none. */
    void actionFinished(
        qulonglong menu, const QString &item, uint outcome, const QString &message, const QString &clipboard);

private Q_SLOTS:
    void onNameOwnerChanged(const QDBusMessage &message);
    void onSignal(const QDBusMessage &message);

private:
    void subscribe();
    void askForOwner();
    void setOwner(const QString &owner);
    void send(const QDBusMessage &message, HostCall *call);
    template <typename Answered> void whenAnswered(const QDBusPendingCall &pending, Answered handler);
    void onActionFinished(GVariant *parameters);

    QDBusConnection m_bus;
    EventLoop m_loop;
    HostLink *m_link;
    bool m_ownerHasChanged = false; // since it was asked for
};
} // namespace roundel

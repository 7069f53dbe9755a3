#pragma once

#include "badge-images.h"
#include "badge.h"
#include "folders.h"
#include "pending-call.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QObject>
#include <QSet>

namespace roundel
{
/**
 * The connection to the badge service: the current owner of the service's name, its properties, calls and signals.
 * Everything is asynchronous, nothing starts the service. A call belongs to the owner that it was sent to: when that
 * owner goes, its pending calls are dropped.
 */
class HostLink : public QObject
{
    Q_OBJECT

public:
    explicit HostLink(const QDBusConnection &bus, QObject *parent = nullptr);
    ~HostLink() override;

    /** Whether there is a service and its properties are known. */
    bool isConnected() const;
    const Folders &folders() const;
    const BadgeImages &images() const;
    QString iconThemePath() const;

    /** Calls a method of the Host interface; every call ends in an empty a{sv} unless options are given. A reply of
     * another type than `replySignature` is an error. There is no time-out: the answer of a service that was suspended
     * is still good, and the bus reports the end of one that died. If the service goes first, the handler is
     * destroyed and not called. */
    void call(const QString &method, QVariantList arguments, const QString &replySignature,
        PendingCall::Handler handler, const QVariantMap &options = {});

    /** Calls a method whose reply does not matter. */
    void send(const QString &method, QVariantList arguments);

Q_SIGNALS:
    /** There is a service, its properties are known, and calls may be made. */
    void connected();
    /** The service went. Its properties are forgotten. */
    void gone();
    void foldersChanged();
    void imagesChanged();

    void badgesChanged(const QByteArray &directoryUri, const QStringList &names, const roundel::BadgeColumns &columns);
    /** The clipboard text is empty if the action makes none. */
    void actionFinished(
        qulonglong menu, const QString &item, uint outcome, const QString &message, const QString &clipboard);
    void reset();

private Q_SLOTS:
    void onNameOwnerChanged(const QDBusMessage &message);
    void onPropertiesChanged(const QDBusMessage &message);
    void onBadgesChanged(const QDBusMessage &message);
    void onActionFinished(const QDBusMessage &message);
    void onReset(const QDBusMessage &message);

private:
    void subscribe();
    void askForOwner();
    void enter(const QString &owner);
    void leave();
    void getAllProperties();
    void applyProperties(const QVariantMap &properties);
    void applyProperty(const QString &name, const QVariant &value);
    bool isFromOwner(const QDBusMessage &message, const char *signature) const;
    QDBusMessage message(const QString &method, QVariantList arguments, const QVariantMap &options) const;
    void submit(const QDBusMessage &message, const QString &replySignature, PendingCall::Handler handler);

    QDBusConnection m_bus;
    QString m_owner; // unique name of the current service, or empty
    bool m_connected = false;
    uint m_version = 0;
    Folders m_folders;
    BadgeImages m_images;
    QString m_iconThemePath;
    QSet<PendingCall *> m_pending;
};
} // namespace roundel

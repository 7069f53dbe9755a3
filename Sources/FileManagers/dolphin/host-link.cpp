#include "host-link.h"

#include "names.h"

#include <QDBusArgument>
#include <QLoggingCategory>

#include <limits>

namespace roundel
{
Q_LOGGING_CATEGORY(logLink, "roundel.dolphin.link", QtInfoMsg)

static constexpr int noTimeOut = std::numeric_limits<int>::max();

HostLink::HostLink(const QDBusConnection &bus, QObject *parent) : QObject(parent), m_bus(bus)
{
    subscribe();
    askForOwner();
}

HostLink::~HostLink()
{
    for (PendingCall *call : std::as_const(m_pending))
        call->abandon();
}

bool HostLink::isConnected() const
{
    return m_connected;
}

const Folders &HostLink::folders() const
{
    return m_folders;
}

const BadgeImages &HostLink::images() const
{
    return m_images;
}

QString HostLink::iconThemePath() const
{
    return m_iconThemePath;
}

/** Without a sender: with one that is not a unique name, QtDBus asks the bus who owns it and waits for the answer. Each
 * slot checks the sender itself. */
void HostLink::subscribe()
{
    m_bus.connect({}, names::busObject, names::bus, QStringLiteral("NameOwnerChanged"), { names::service },
        QStringLiteral("sss"), this, SLOT(onNameOwnerChanged(QDBusMessage)));
    m_bus.connect({}, names::object, names::properties, QStringLiteral("PropertiesChanged"), { names::hostInterface },
        QStringLiteral("sa{sv}as"), this, SLOT(onPropertiesChanged(QDBusMessage)));
    m_bus.connect({}, names::object, names::hostInterface, QStringLiteral("BadgesChanged"), this,
        SLOT(onBadgesChanged(QDBusMessage)));
    m_bus.connect({}, names::object, names::hostInterface, QStringLiteral("ActionFinished"), this,
        SLOT(onActionFinished(QDBusMessage)));
    m_bus.connect({}, names::object, names::hostInterface, QStringLiteral("Reset"), this, SLOT(onReset(QDBusMessage)));
}

// Calls

QDBusMessage HostLink::message(const QString &method, QVariantList arguments, const QVariantMap &options) const
{
    QDBusMessage call = QDBusMessage::createMethodCall(m_owner, names::object, names::hostInterface, method);
    arguments.append(QVariant(options));
    call.setArguments(arguments);
    call.setAutoStartService(false);
    return call;
}

void HostLink::submit(const QDBusMessage &message, const QString &replySignature, PendingCall::Handler handler)
{
    auto *pending = new PendingCall(replySignature, std::move(handler));
    m_pending.insert(pending);
    connect(pending, &PendingCall::finished, this, [this, pending] { m_pending.remove(pending); });
    m_bus.callWithCallback(
        message, pending, SLOT(onReply(QDBusMessage)), SLOT(onError(QDBusError, QDBusMessage)), noTimeOut);
}

void HostLink::call(const QString &method, QVariantList arguments, const QString &replySignature,
    PendingCall::Handler handler, const QVariantMap &options)
{
    Q_ASSERT(m_connected);
    submit(message(method, std::move(arguments), options), replySignature, std::move(handler));
}

void HostLink::send(const QString &method, QVariantList arguments)
{
    Q_ASSERT(m_connected);
    m_bus.send(message(method, std::move(arguments), {}));
}

// The owner of the service's name

void HostLink::askForOwner()
{
    QDBusMessage call = QDBusMessage::createMethodCall(
        names::bus, names::busObject, names::bus, QStringLiteral("GetNameOwner"));
    call.setArguments({ QString(names::service) });
    submit(call, QStringLiteral("s"), [this](const HostReply &reply) {
        if (!reply.isError())
            enter(reply.arguments[0].toString());
    });
}

void HostLink::onNameOwnerChanged(const QDBusMessage &message)
{
    if (message.service() == names::bus && message.signature() == QLatin1String("sss"))
        enter(message.arguments()[2].toString());
}

/** There is a new owner, or with an empty name none. */
void HostLink::enter(const QString &owner)
{
    if (owner == m_owner)
        return;
    leave();
    m_owner = owner;
    if (!owner.isEmpty())
        getAllProperties();
}

/** Forgets the owner and everything known from it. */
void HostLink::leave()
{
    for (PendingCall *call : std::as_const(m_pending))
        call->abandon();
    m_pending.clear();
    const bool wasConnected = m_connected;
    m_owner.clear();
    m_connected = false;
    m_version = 0;
    m_folders.clear();
    m_images.clear();
    m_iconThemePath.clear();
    if (wasConnected)
        Q_EMIT gone();
}

// Properties

void HostLink::getAllProperties()
{
    QDBusMessage call = QDBusMessage::createMethodCall(
        m_owner, names::object, names::properties, QStringLiteral("GetAll"));
    call.setArguments({ QString(names::hostInterface) });
    call.setAutoStartService(false);
    submit(call, QStringLiteral("a{sv}"), [this](const HostReply &reply) {
        if (reply.isError()) {
            qCInfo(logLink) << "The Roundel service does not answer:" << reply.errorText;
            return;
        }
        applyProperties(qdbus_cast<QVariantMap>(reply.arguments[0]));
        if (m_version == 0) {
            qCInfo(logLink) << "The Roundel service states no version, so it is not used.";
        } else if (!m_connected) {
            m_connected = true;
            Q_EMIT connected();
        }
    });
}

void HostLink::applyProperties(const QVariantMap &properties)
{
    for (auto property = properties.begin(); property != properties.end(); ++property)
        applyProperty(property.key(), property.value());
}

void HostLink::applyProperty(const QString &name, const QVariant &value)
{
    if (name == QLatin1String("Version")) {
        m_version = value.toUInt();
    } else if (name == QLatin1String("IconThemePath")) {
        m_iconThemePath = value.toString();
    } else if (name == QLatin1String("Folders")) {
        m_folders.set(value.toStringList());
        if (m_connected)
            Q_EMIT foldersChanged();
    } else if (name == QLatin1String("Badges")) {
        const auto images = value.value<QDBusArgument>();
        if (images.currentSignature() != QLatin1String("a{s(ss)}"))
            return;
        m_images.set(images);
        if (m_connected)
            Q_EMIT imagesChanged();
    }
}

void HostLink::onPropertiesChanged(const QDBusMessage &message)
{
    if (!isFromOwner(message, "sa{sv}as"))
        return;
    applyProperties(qdbus_cast<QVariantMap>(message.arguments()[1]));
    if (!message.arguments()[2].toStringList().isEmpty())
        getAllProperties();
}

// Signals

bool HostLink::isFromOwner(const QDBusMessage &message, const char *signature) const
{
    return !m_owner.isEmpty() && message.service() == m_owner && message.signature() == QLatin1String(signature);
}

void HostLink::onBadgesChanged(const QDBusMessage &message)
{
    if (!m_connected || !isFromOwner(message, "sasasauaya{sv}"))
        return;
    const QVariantList arguments = message.arguments();
    const QStringList names = arguments[1].toStringList();
    const auto columns = BadgeColumns::fromArguments(arguments, 2, int(names.size()));
    if (columns)
        Q_EMIT badgesChanged(arguments[0].toString().toUtf8(), names, *columns);
}

void HostLink::onActionFinished(const QDBusMessage &message)
{
    if (!m_connected || !isFromOwner(message, "tsusa{sv}"))
        return;
    const QVariantList arguments = message.arguments();
    const QString clipboard = qdbus_cast<QVariantMap>(arguments[4]).value(QStringLiteral("clipboard")).toString();
    Q_EMIT actionFinished(
        arguments[0].toULongLong(), arguments[1].toString(), arguments[2].toUInt(), arguments[3].toString(), clipboard);
}

void HostLink::onReset(const QDBusMessage &message)
{
    if (m_connected && isFromOwner(message, "a{sv}"))
        Q_EMIT reset();
}
} // namespace roundel

#include "dolphin-fake-service.h"

#include "host/names.h"

#include <QDBusArgument>
#include <QDBusMetaType>

#include <algorithm>

namespace names
{
static constexpr QLatin1String service(ROUNDEL_BUS_NAME);
static constexpr QLatin1String object(ROUNDEL_OBJECT_PATH);
static constexpr QLatin1String hostInterface(ROUNDEL_HOST_INTERFACE);
static constexpr QLatin1String properties(PROPERTIES_INTERFACE);
} // namespace names

/** In milliseconds, on a machine whose cores are all busy with something else as well. */
static constexpr int patience = 120000;

PrivateBus::PrivateBus() : m_address(QStringLiteral("unix:path=%1/bus").arg(m_directory.path()))
{
    m_daemon.start(QStringLiteral("dbus-daemon"),
        { QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address"),
            QStringLiteral("--address=%1").arg(m_address) });
    if (!m_daemon.waitForReadyRead(patience))
        qFatal("dbus-daemon does not start");
}

PrivateBus::~PrivateBus()
{
    for (const QString &name : std::as_const(m_connections))
        QDBusConnection::disconnectFromBus(name);
    m_daemon.terminate();
    m_daemon.waitForFinished(patience);
}

QDBusConnection PrivateBus::connect(const QString &name)
{
    m_connections.append(name);
    return QDBusConnection::connectToBus(m_address, name);
}

/** One row of the `Badges` property. */
struct Image {
    QString label;
    QString icon;
};
Q_DECLARE_METATYPE(Image)

static QDBusArgument &operator<<(QDBusArgument &argument, const Image &image)
{
    argument.beginStructure();
    argument << image.label << image.icon;
    argument.endStructure();
    return argument;
}

static const QDBusArgument &operator>>(const QDBusArgument &argument, Image &image)
{
    argument.beginStructure();
    argument >> image.label >> image.icon;
    argument.endStructure();
    return argument;
}

using Images = QMap<QString, Image>;
Q_DECLARE_METATYPE(Images)

FakeService::FakeService(const QDBusConnection &bus) : m_bus(bus)
{
    qDBusRegisterMetaType<Image>();
    qDBusRegisterMetaType<Images>();
    qDBusRegisterMetaType<QList<QVariantMap>>();
    m_bus.registerVirtualObject(names::object, this);
    m_bus.registerService(names::service);
}

FakeService::~FakeService()
{
    m_bus.unregisterService(names::service);
    m_bus.unregisterObject(names::object);
}

QString FakeService::introspect(const QString &path) const
{
    Q_UNUSED(path)
    return {};
}

int FakeService::count(const QString &method) const
{
    return int(std::count_if(
        calls.begin(), calls.end(), [&method](const QDBusMessage &call) { return call.member() == method; }));
}

QStringList FakeService::requestedNames(qsizetype after) const
{
    QStringList names;
    for (const QDBusMessage &call : calls.mid(after)) {
        if (call.member() == QLatin1String("RequestBadges"))
            names += call.arguments()[1].toStringList();
    }
    return names;
}

QVariantMap FakeService::properties() const
{
    const Images images{ { QStringLiteral("synced"), { QStringLiteral("Synced"), QStringLiteral("icon-synced") } } };
    return { { QStringLiteral("Version"), 1u }, { QStringLiteral("Folders"), folders },
        { QStringLiteral("IconThemePath"), QStringLiteral("/icons") },
        { QStringLiteral("Badges"), QVariant::fromValue(images) } };
}

QVariantList FakeService::answer(const QDBusMessage &call) const
{
    const QString method = call.member();
    if (answersWrongly)
        return { QStringLiteral("not what was asked for") };
    if (method == QLatin1String("BeginObserving"))
        return { !elsewhere.contains(call.arguments()[0].toString()), QVariantMap() };
    if (method == QLatin1String("GetMenu"))
        return { qulonglong(7), QVariant::fromValue(menu), QVariantMap() };
    if (method == QLatin1String("GetAttributes"))
        return { attributes, QVariantMap() };
    if (method == QLatin1String("RequestBadges")) {
        const int names = int(call.arguments()[1].toStringList().size());
        QStringList badges;
        QList<uint> flags;
        for (int row = 0; row < names; row++) {
            badges.append(badge);
            flags.append(0);
        }
        return { badges, QVariant::fromValue(flags), QByteArray(names, char(255)), QVariantMap() };
    }
    return { QVariantMap() };
}

bool FakeService::handleMessage(const QDBusMessage &message, const QDBusConnection &connection)
{
    if (message.interface() == names::properties) {
        connection.send(message.createReply(QVariant(properties())));
        return true;
    }
    calls.append(message);
    if (refusesBadges && message.member() == QLatin1String("RequestBadges"))
        connection.send(message.createErrorReply(
            QStringLiteral("org.roundel.Error.LimitExceeded"), QStringLiteral("Too many names")));
    else if (!isSilent && message.isReplyRequired())
        connection.send(message.createReply(answer(message)));
    return true;
}

void FakeService::changeBadges(
    const QString &host, const QString &directory, const QStringList &names, const QString &badge)
{
    QDBusMessage signal = QDBusMessage::createTargetedSignal(
        host, names::object, names::hostInterface, QStringLiteral("BadgesChanged"));
    QStringList badges;
    QList<uint> flags;
    for (int row = 0; row < names.size(); row++) {
        badges.append(badge);
        flags.append(0);
    }
    signal << directory << names << badges << QVariant::fromValue(flags) << QByteArray(names.size(), char(255))
           << QVariantMap();
    m_bus.send(signal);
}

void FakeService::reset(const QString &host)
{
    QDBusMessage signal = QDBusMessage::createTargetedSignal(
        host, names::object, names::hostInterface, QStringLiteral("Reset"));
    signal << QVariantMap();
    m_bus.send(signal);
}

void FakeService::setFolders(const QStringList &changed)
{
    folders = changed;
    QDBusMessage signal = QDBusMessage::createSignal(
        names::object, names::properties, QStringLiteral("PropertiesChanged"));
    signal << QString(names::hostInterface) << QVariantMap{ { QStringLiteral("Folders"), folders } } << QStringList();
    m_bus.send(signal);
}

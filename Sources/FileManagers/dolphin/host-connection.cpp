#include "host-connection.h"

#include "variants.h"

#include <QDBusPendingCallWatcher>

#include <limits>
#include <memory>

namespace roundel
{
static constexpr int noTimeOut = std::numeric_limits<int>::max();

static constexpr QLatin1String busName("org.freedesktop.DBus");
static constexpr QLatin1String busPath("/org/freedesktop/DBus");
static constexpr QLatin1String service(ROUNDEL_BUS_NAME);
static constexpr QLatin1String object(ROUNDEL_OBJECT_PATH);
static constexpr QLatin1String hostInterface(ROUNDEL_HOST_INTERFACE);
static constexpr QLatin1String properties(PROPERTIES_INTERFACE);

/** For a call whose connection ends before the reply is there. Nobody waits for it any more: this frees it. */
struct Unanswered {
    void operator()(HostCall *call) const
    {
        const HostError error = { "org.freedesktop.DBus.Error.NoReply", "The connection ended before the reply" };
        host_call_end(call, nullptr, &error);
    }
};

using OpenCall = std::unique_ptr<HostCall, Unanswered>;

static void end(OpenCall call, const QDBusMessage &reply)
{
    if (reply.type() == QDBusMessage::ErrorMessage) {
        const QByteArray name = reply.errorName().toUtf8();
        const QByteArray message = reply.errorMessage().toUtf8();
        const HostError error = { name.constData(), message.constData() };
        host_call_end(call.release(), nullptr, &error);
        return;
    }
    g_autoptr(GVariant) values = variants::tupleOf(reply.arguments());
    host_call_end(call.release(), values, nullptr);
}

static HostLinkEvents linkEvents()
{
    HostLinkEvents events = {};
    events.connected = [](gpointer self) { Q_EMIT static_cast<HostConnection *>(self)->connected(); };
    events.gone = [](gpointer self) { Q_EMIT static_cast<HostConnection *>(self)->gone(); };
    events.images_changed = [](gpointer self) { Q_EMIT static_cast<HostConnection *>(self)->imagesChanged(); };
    return events;
}

HostConnection::HostConnection(const QDBusConnection &bus, QObject *parent) : QObject(parent), m_bus(bus)
{
    static const HostBus methods = {
        [](gpointer self, const char *owner, const char *interface, const char *method, GVariant *arguments,
            HostCall *call) {
            g_autoptr(GVariant) values = g_variant_ref_sink(arguments);
            QDBusMessage message = QDBusMessage::createMethodCall(
                QString::fromUtf8(owner), object, QString::fromLatin1(interface), QString::fromLatin1(method));
            message.setArguments(variants::listFrom(values));
            message.setAutoStartService(false);
            static_cast<HostConnection *>(self)->send(message, call);
        },
        [](gpointer) {},
    };
    m_link = host_link_new(&methods, this, m_loop.methods());
    // It is copied.
    const HostLinkEvents events = linkEvents();
    host_link_listen(m_link, &events, this);
    host_link_on_signal(
        m_link, "ActionFinished", ACTION_FINISHED_TYPE,
        [](GVariant *parameters, gpointer self) { static_cast<HostConnection *>(self)->onActionFinished(parameters); },
        this);
    host_link_on_signal(
        m_link, "MenuChanged", MENU_REPLY_TYPE,
        [](GVariant *parameters, gpointer self) {
            Q_EMIT static_cast<HostConnection *>(self)->menuChanged(parameters);
        },
        this);
    subscribe();
    askForOwner();
}

HostConnection::~HostConnection()
{
    host_link_free(m_link);
}

HostLink *HostConnection::link() const
{
    return m_link;
}

bool HostConnection::isConnected() const
{
    return host_link_is_connected(m_link);
}

// Calls

void HostConnection::call(const char *method, GVariant *arguments, const char *replyType, Handler handler)
{
    host_link_call(
        m_link, method, arguments, replyType,
        [](GVariant *reply, const HostError *error, gpointer kept) { (*static_cast<Handler *>(kept))(reply, error); },
        new Handler(std::move(handler)), [](gpointer kept) { delete static_cast<Handler *>(kept); });
}

void HostConnection::send(const QDBusMessage &message, HostCall *call)
{
    if (call == nullptr)
        m_bus.send(message);
    else
        whenAnswered(m_bus.asyncCall(message, noTimeOut),
            [open = OpenCall(call)](const QDBusMessage &reply) mutable { end(std::move(open), reply); });
}

/** The watcher ends with its reply or with this connection, whose program may leave the bus with calls open: QtDBus
 * forgets those without a word. */
template <typename Answered> void HostConnection::whenAnswered(const QDBusPendingCall &pending, Answered handler)
{
    auto *watcher = new QDBusPendingCallWatcher(pending, this);
    QObject::connect(
        watcher, &QDBusPendingCallWatcher::finished, watcher, [watcher, handler = std::move(handler)]() mutable {
            watcher->deleteLater();
            handler(watcher->reply());
        });
}

// Signals

/** Without a sender: with one that is not a unique name, QtDBus asks the bus who owns it and waits for the answer. The
 * library looks at the sender. */
void HostConnection::subscribe()
{
    m_bus.connect({}, busPath, busName, QStringLiteral("NameOwnerChanged"), { service }, QStringLiteral("sss"), this,
        SLOT(onNameOwnerChanged(QDBusMessage)));
    m_bus.connect({}, object, properties, QStringLiteral("PropertiesChanged"), { hostInterface },
        QStringLiteral("sa{sv}as"), this, SLOT(onSignal(QDBusMessage)));
    for (const char *member : { "BadgesChanged", "ActionFinished", "MenuChanged", "Reset" })
        m_bus.connect({}, object, hostInterface, QString::fromLatin1(member), this, SLOT(onSignal(QDBusMessage)));
}

void HostConnection::onSignal(const QDBusMessage &message)
{
    g_autoptr(GVariant) parameters = variants::tupleOf(message.arguments());
    host_link_receive(m_link, message.service().toUtf8().constData(), message.interface().toUtf8().constData(),
        message.member().toUtf8().constData(), parameters);
}

void HostConnection::onActionFinished(GVariant *parameters)
{
    guint64 menu;
    const char *item;
    guint32 outcome;
    const char *message;
    const char *clipboard = "";
    g_autoptr(GVariant) extra = nullptr;
    g_variant_get(parameters, "(t&su&s@a{sv})", &menu, &item, &outcome, &message, &extra);
    g_variant_lookup(extra, "clipboard", "&s", &clipboard);
    Q_EMIT actionFinished(
        menu, QString::fromUtf8(item), outcome, QString::fromUtf8(message), QString::fromUtf8(clipboard));
}

// The owner of the service's name

void HostConnection::askForOwner()
{
    QDBusMessage message = QDBusMessage::createMethodCall(busName, busPath, busName, QStringLiteral("GetNameOwner"));
    message.setArguments({ QString(service) });
    whenAnswered(m_bus.asyncCall(message, noTimeOut), [this](const QDBusMessage &reply) {
        if (!m_ownerHasChanged && reply.type() == QDBusMessage::ReplyMessage)
            setOwner(reply.arguments().value(0).toString());
    });
}

void HostConnection::onNameOwnerChanged(const QDBusMessage &message)
{
    if (message.service() != busName || message.signature() != QLatin1String("sss"))
        return;
    m_ownerHasChanged = true;
    setOwner(message.arguments()[2].toString());
}

/** With an empty name there is none. */
void HostConnection::setOwner(const QString &owner)
{
    host_link_set_owner(m_link, owner.isEmpty() ? nullptr : owner.toUtf8().constData());
}
} // namespace roundel

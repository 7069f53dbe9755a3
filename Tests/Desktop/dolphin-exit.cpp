#include "dolphin-exit.h"

#include "host-connection.h"

#include <QCoreApplication>
#include <QDBusConnection>

#include <memory>

using namespace roundel;

/** What a plugin holds, as far as its end counts. */
struct EndingPlugin {
    ~EndingPlugin()
    {
        host_loop_clear(host_link_loop(connection->link()), &timer);
    }

    std::unique_ptr<HostConnection> connection;
    guint timer = 0;
};

static gboolean neverCalled(gpointer)
{
    return G_SOURCE_REMOVE;
}

int exitWithATimer(int argc, char *argv[])
{
    // Made first, so that it is destroyed last.
    static EndingPlugin plugin;
    QCoreApplication application(argc, argv);
    plugin.connection = std::make_unique<HostConnection>(QDBusConnection(QStringLiteral("nowhere")));
    plugin.timer = host_loop_after(host_link_loop(plugin.connection->link()), G_MAXINT, neverCalled, nullptr);
    return 0;
}

#include "action-plugin.h"

#include "action.h"

#include <KFileItemListProperties>
#include <KPluginFactory>

using namespace roundel;

K_PLUGIN_CLASS_WITH_JSON(RoundelItemActionPlugin, "roundelitemaction.json")

static std::shared_ptr<HostConnection> sharedConnection()
{
    static std::weak_ptr<HostConnection> shared;
    std::shared_ptr<HostConnection> connection = shared.lock();
    if (connection == nullptr) {
        connection = std::make_shared<HostConnection>(QDBusConnection::sessionBus());
        shared = connection;
    }
    return connection;
}

RoundelItemActionPlugin::RoundelItemActionPlugin(QObject *parent, const QVariantList &arguments)
    : KAbstractFileItemActionPlugin(parent), m_connection(sharedConnection())
{
    Q_UNUSED(arguments)
}

RoundelItemActionPlugin::~RoundelItemActionPlugin() = default;

/** Answers at once. Before the service has said what its folders are, there may be something to show. */
QList<QAction *> RoundelItemActionPlugin::actions(const KFileItemListProperties &items, QWidget *window)
{
    const auto request = MenuRequest::from(items, window);
    if (!request || (m_connection->isConnected() && !request->concerns(m_connection->link())))
        return {};
    m_menu = std::make_unique<ItemMenu>(*m_connection, *request, window, nullptr);
    connect(m_menu.get(), &ItemMenu::activated, this,
        [this, window = QPointer<QWidget>(window)](const MenuRequest &asked, qulonglong menu, const QString &item) {
            auto *action = new Action(*m_connection, asked, item, window, this);
            connect(action, &Action::failed, this, &RoundelItemActionPlugin::error);
            action->activate(menu);
        });
    return { m_menu->anchor() };
}

#include "action-plugin.moc"

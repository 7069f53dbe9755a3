#include "action-plugin.h"

#include "action.h"

#include <KFileItemListProperties>
#include <KPluginFactory>

using namespace roundel;

K_PLUGIN_CLASS_WITH_JSON(RoundelItemActionPlugin, "roundelitemaction.json")

static std::shared_ptr<HostLink> sharedLink()
{
    static std::weak_ptr<HostLink> shared;
    std::shared_ptr<HostLink> link = shared.lock();
    if (link == nullptr) {
        link = std::make_shared<HostLink>(QDBusConnection::sessionBus());
        shared = link;
    }
    return link;
}

RoundelItemActionPlugin::RoundelItemActionPlugin(QObject *parent, const QVariantList &arguments)
    : KAbstractFileItemActionPlugin(parent), m_link(sharedLink())
{
    Q_UNUSED(arguments)
}

RoundelItemActionPlugin::~RoundelItemActionPlugin() = default;

/** Answers at once. Before the service has said what its folders are, there may be something to show. */
QList<QAction *> RoundelItemActionPlugin::actions(const KFileItemListProperties &items, QWidget *window)
{
    const auto request = MenuRequest::from(items, window);
    if (!request || (m_link->isConnected() && !request->concerns(m_link->folders())))
        return {};
    m_menu = std::make_unique<ItemMenu>(*m_link, *request, window, nullptr);
    connect(m_menu.get(), &ItemMenu::activated, this,
        [this, window = QPointer<QWidget>(window)](const MenuRequest &asked, qulonglong menu, const QString &item) {
            auto *action = new Action(*m_link, asked, item, window, this);
            connect(action, &Action::failed, this, &RoundelItemActionPlugin::error);
            action->activate(menu);
        });
    return { m_menu->anchor() };
}

#include "action-plugin.moc"

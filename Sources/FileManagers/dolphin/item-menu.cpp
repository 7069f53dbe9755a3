#include "item-menu.h"

#include <QAction>
#include <QIcon>
#include <QMenu>
#include <QScreen>

namespace roundel
{
ItemMenu::ItemMenu(HostConnection &connection, const MenuRequest &request, QWidget *window, QObject *parent)
    : QObject(parent), m_connection(connection), m_request(request), m_window(window), m_anchor(new QAction(this))
{
    m_anchor->setVisible(false);
    connect(&m_connection, &HostConnection::menuChanged, this, &ItemMenu::onMenuChanged);
    if (m_connection.isConnected())
        ask();
    else
        connect(&m_connection, &HostConnection::connected, this, &ItemMenu::ask);
}

QAction *ItemMenu::anchor() const
{
    return m_anchor;
}

void ItemMenu::ask()
{
    disconnect(&m_connection, &HostConnection::connected, this, &ItemMenu::ask);
    if (!m_request.concerns(m_connection.link()))
        return;
    m_connection.call("GetMenu", m_request.arguments(), MENU_REPLY_TYPE,
        [self = QPointer<ItemMenu>(this)](GVariant *reply, const HostError *) {
            if (self != nullptr && reply != nullptr)
                self->onMenu(reply);
        });
}

/** The menu in which the file manager has put the anchor. */
QMenu *ItemMenu::shownMenu() const
{
#if QT_VERSION_MAJOR >= 6
    const QList<QObject *> places = m_anchor->associatedObjects();
#else
    const QList<QWidget *> places = m_anchor->associatedWidgets();
#endif
    for (auto *place : places) {
        if (auto *menu = qobject_cast<QMenu *>(place))
            return menu;
    }
    return nullptr;
}

/** A menu that is shown grows downwards and to the right; it has to stay on the screen. */
static void keepOnScreen(QMenu *menu)
{
    if (!menu->isVisible() || menu->screen() == nullptr)
        return;
    const QRect available = menu->screen()->availableGeometry();
    const QSize size = menu->sizeHint();
    const int below = menu->y() + size.height() - (available.y() + available.height());
    const int beside = menu->x() + size.width() - (available.x() + available.width());
    if (below > 0 || beside > 0)
        menu->move(qMax(available.x(), menu->x() - qMax(0, beside)), qMax(available.y(), menu->y() - qMax(0, below)));
}

void ItemMenu::onMenu(GVariant *reply)
{
    QMenu *menu = shownMenu();
    if (menu == nullptr)
        return;
    m_icons.setThemePath(QString::fromUtf8(host_link_icon_theme_path(m_connection.link())));
    const MenuAnswer answer = menu_answer_read(reply);
    g_autoptr(GPtrArray) items = answer.items;
    remove();
    m_awaited = answer.is_incomplete ? answer.menu_id : 0;
    const QList<QAction *> actions = makeActions(items, answer.menu_id);
    if (actions.isEmpty())
        return;
    m_actions = actions;
    m_actions.prepend(menu->insertSeparator(m_anchor));
    menu->insertActions(m_anchor, actions);
    keepOnScreen(menu);
}

void ItemMenu::onMenuChanged(gpointer menu)
{
    auto *reply = static_cast<GVariant *>(menu);
    guint64 id;
    g_variant_get_child(reply, 0, "t", &id);
    if (m_awaited != 0 && id == m_awaited)
        onMenu(reply);
}

/** Removes what an incomplete answer has shown. */
void ItemMenu::remove()
{
    qDeleteAll(m_actions);
    m_actions.clear();
}

QIcon ItemMenu::icon(const QString &name)
{
    const QString icon = m_icons.resolved(name);
    return icon.startsWith(QLatin1Char('/')) ? QIcon(icon) : QIcon::fromTheme(icon);
}

QList<QAction *> ItemMenu::makeActions(const GPtrArray *items, qulonglong menu)
{
    QList<QAction *> actions;
    for (guint i = 0; i < items->len; i++)
        actions.append(makeAction(static_cast<const MenuItem *>(g_ptr_array_index(items, i)), menu));
    return actions;
}

QAction *ItemMenu::makeAction(const MenuItem *item, qulonglong menu)
{
    auto *action = new QAction(this);
    if (item->is_separator) {
        action->setSeparator(true);
        return action;
    }
    // A label is plain text, in which an ampersand marks no key.
    action->setText(QString::fromUtf8(item->label).replace(QLatin1Char('&'), QLatin1String("&&")));
    if (*item->icon != '\0')
        action->setIcon(icon(QString::fromUtf8(item->icon)));
    action->setEnabled(item->enabled);
    if (item->children->len > 0) {
        auto *submenu = new QMenu(m_window);
        connect(this, &QObject::destroyed, submenu, &QObject::deleteLater);
        submenu->addActions(makeActions(item->children, menu));
        action->setMenu(submenu);
        return action;
    }
    action->setCheckable(item->check != MENU_UNCHECKABLE);
    action->setChecked(item->check == MENU_CHECKED);
    connect(action, &QAction::triggered, this,
        [this, menu, id = QString::fromUtf8(item->id)] { Q_EMIT activated(m_request, menu, id); });
    return action;
}
} // namespace roundel

#include "item-menu.h"

#include <QAction>
#include <QIcon>
#include <QMenu>
#include <QScreen>

namespace roundel
{
ItemMenu::ItemMenu(HostLink &link, const MenuRequest &request, QWidget *window, QObject *parent)
    : QObject(parent), m_link(link), m_request(request), m_window(window), m_anchor(new QAction(this))
{
    m_anchor->setVisible(false);
    if (m_link.isConnected())
        ask();
    else
        connect(&m_link, &HostLink::connected, this, &ItemMenu::ask);
}

QAction *ItemMenu::anchor() const
{
    return m_anchor;
}

void ItemMenu::ask()
{
    disconnect(&m_link, &HostLink::connected, this, &ItemMenu::ask);
    if (!m_request.concerns(m_link.folders()))
        return;
    m_link.call(QStringLiteral("GetMenu"), m_request.arguments(), QStringLiteral("taa{sv}a{sv}"),
        [self = QPointer<ItemMenu>(this)](const HostReply &reply) {
            if (self != nullptr)
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

/** A menu that is shown grows downwards; it has to stay on the screen. */
static void keepOnScreen(QMenu *menu)
{
    if (!menu->isVisible() || menu->screen() == nullptr)
        return;
    const QRect available = menu->screen()->availableGeometry();
    const int overhang = menu->y() + menu->sizeHint().height() - (available.y() + available.height());
    if (overhang > 0)
        menu->move(menu->x(), qMax(available.y(), menu->y() - overhang));
}

void ItemMenu::onMenu(const HostReply &reply)
{
    QMenu *menu = shownMenu();
    if (reply.isError() || menu == nullptr)
        return;
    m_icons.setThemePath(m_link.iconThemePath());
    const QList<QAction *> actions = makeActions(
        MenuItem::listFrom(reply.arguments[1]), reply.arguments[0].toULongLong());
    if (actions.isEmpty())
        return;
    menu->insertSeparator(m_anchor);
    menu->insertActions(m_anchor, actions);
    keepOnScreen(menu);
}

QIcon ItemMenu::icon(const QString &name)
{
    const QString icon = m_icons.resolved(name);
    return icon.startsWith(QLatin1Char('/')) ? QIcon(icon) : QIcon::fromTheme(icon);
}

QList<QAction *> ItemMenu::makeActions(const QList<MenuItem> &items, qulonglong menu)
{
    QList<QAction *> actions;
    for (const MenuItem &item : items)
        actions.append(makeAction(item, menu));
    return actions;
}

QAction *ItemMenu::makeAction(const MenuItem &item, qulonglong menu)
{
    auto *action = new QAction(this);
    if (item.isSeparator) {
        action->setSeparator(true);
        return action;
    }
    // A label is plain text, in which an ampersand marks no key.
    action->setText(QString(item.label).replace(QLatin1Char('&'), QLatin1String("&&")));
    if (!item.icon.isEmpty())
        action->setIcon(icon(item.icon));
    action->setEnabled(item.isEnabled);
    if (!item.children.isEmpty()) {
        auto *submenu = new QMenu(m_window);
        connect(this, &QObject::destroyed, submenu, &QObject::deleteLater);
        submenu->addActions(makeActions(item.children, menu));
        action->setMenu(submenu);
        return action;
    }
    action->setCheckable(item.isChecked.has_value());
    action->setChecked(item.isChecked.value_or(false));
    connect(action, &QAction::triggered, this, [this, menu, id = item.id] { Q_EMIT activated(m_request, menu, id); });
    return action;
}
} // namespace roundel

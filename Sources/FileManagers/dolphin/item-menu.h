#pragma once

#include "host-connection.h"
#include "icon-files.h"
#include "menu-request.h"

#include <QIcon>
#include <QObject>
#include <QPointer>
#include <QWidget>

class QAction;
class QMenu;

namespace roundel
{
/**
 * The service's entries in one context menu. The file manager asks for them before it shows the menu, but they come
 * a moment later; so it gets an invisible entry, which keeps their place.
 */
class ItemMenu : public QObject
{
    Q_OBJECT

public:
    ItemMenu(HostConnection &connection, const MenuRequest &request, QWidget *window, QObject *parent);

    /** The invisible entry. */
    QAction *anchor() const;

Q_SIGNALS:
    void activated(const roundel::MenuRequest &request, qulonglong menu, const QString &item);

private:
    void ask();
    void onMenu(GVariant *reply);
    void onMenuChanged(gpointer menu);
    void remove();
    QMenu *shownMenu() const;
    QIcon icon(const QString &name);
    QAction *makeAction(const MenuItem *item, qulonglong menu);
    QList<QAction *> makeActions(const GPtrArray *items, qulonglong menu);

    HostConnection &m_connection;
    MenuRequest m_request;
    QPointer<QWidget> m_window;
    QAction *m_anchor;
    QList<QAction *> m_actions; // those that are shown, with their separator
    qulonglong m_awaited = 0;   // the menu that is to be completed; 0 for none
    IconFiles m_icons;
};
} // namespace roundel

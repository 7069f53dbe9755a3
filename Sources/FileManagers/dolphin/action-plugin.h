#pragma once

#include "host-connection.h"
#include "item-menu.h"

#include <KAbstractFileItemActionPlugin>

#include <memory>

/** The service's entries in Dolphin's context menus. One for each window that has opened such a menu. */
class RoundelItemActionPlugin : public KAbstractFileItemActionPlugin
{
    Q_OBJECT

public:
    RoundelItemActionPlugin(QObject *parent, const QVariantList &arguments);
    ~RoundelItemActionPlugin() override;

    QList<QAction *> actions(const KFileItemListProperties &items, QWidget *window) override;

private:
    std::shared_ptr<roundel::HostConnection> m_connection; // shared by the whole process
    std::unique_ptr<roundel::ItemMenu> m_menu;             // the one that is shown or was shown last
};

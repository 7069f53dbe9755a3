#pragma once

#include "host.h"

#include <QByteArray>
#include <QList>

#include <optional>

class KFileItemListProperties;
class QWidget;

namespace roundel
{
/** What a context menu of the file manager is for. */
struct MenuRequest {
    guint32 kind;      // MENU_OF_ITEMS or MENU_OF_CONTAINER
    QByteArray target; // the directory that is shown
    QList<QByteArray> selection;
    bool isOfOneDirectory = false; // of one that is selected or shown

    /** What the file manager's menu for these items, in that window, is for; nothing if an item is not local. The file
     * manager gives the directory that a window shows for a click on its background. */
    static std::optional<MenuRequest> from(const KFileItemListProperties &items, const QWidget *window);

    /** Whether the service may have something for it. What is selected may be in a registered folder by its spelling,
     * or by a link of which the spelling says nothing; a directory may be one that can be added. */
    bool concerns(const HostLink *link) const;

    /** The arguments of GetMenu, floating. */
    GVariant *arguments() const;
};
} // namespace roundel

#pragma once

#include <QByteArray>
#include <QVariantList>

#include <optional>

class KFileItemListProperties;
class QWidget;

namespace roundel
{
class Folders;

/** What a context menu of the file manager is for. */
struct MenuRequest {
    enum class Kind : uint { items = 0, container = 1 };

    Kind kind;
    QByteArray target; // the directory that is shown
    QList<QByteArray> selection;

    /** What the file manager's menu for these items, in that window, is for; nothing if an item is not local. The file
     * manager gives the directory that a window shows for a click on its background. */
    static std::optional<MenuRequest> from(const KFileItemListProperties &items, const QWidget *window);

    /** Whether any of it may be in a registered folder: by its spelling, or by a link of which the spelling says
     * nothing. */
    bool concerns(const Folders &folders) const;

    /** The arguments of GetMenu. */
    QVariantList arguments() const;
};
} // namespace roundel

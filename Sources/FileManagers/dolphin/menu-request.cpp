#include "menu-request.h"

#include "item-uri.h"

#include <KFileItemListProperties>
#include <KUrlNavigator>

#include <QUrl>
#include <QWidget>

#include <algorithm>

namespace roundel
{
/** Whether the active pane of the window shows the directory. With split panes there is a navigator for each. */
static bool showsInActivePane(const QWidget *window, const QByteArray &directory)
{
    if (window == nullptr)
        return false;
    const QList<KUrlNavigator *> navigators = window->window()->findChildren<KUrlNavigator *>();
    return std::any_of(navigators.begin(), navigators.end(), [&directory](const KUrlNavigator *navigator) {
        return navigator->isActive() && itemUri(navigator->locationUrl()) == directory;
    });
}

std::optional<MenuRequest> MenuRequest::from(const KFileItemListProperties &items, const QWidget *window)
{
    MenuRequest request{ MENU_OF_ITEMS, {}, {}, items.isDirectory() && items.urlList().size() == 1 };
    const QList<QUrl> urls = items.urlList();
    for (const QUrl &url : urls) {
        const QByteArray uri = itemUri(url);
        if (uri.isEmpty())
            return std::nullopt;
        request.selection.append(uri);
    }
    if (request.selection.isEmpty())
        return std::nullopt;
    const QByteArray first = request.selection.first();
    g_autofree char *parent = item_uri_parent(first.constData());
    request.target = parent;
    if (request.isOfOneDirectory && showsInActivePane(window, first))
        request = { MENU_OF_CONTAINER, first, {}, true };
    return request;
}

bool MenuRequest::concerns(const HostLink *link) const
{
    if (isOfOneDirectory && host_link_adds_folders(link))
        return true;
    const Folders *folders = host_link_folders(link);
    if (folders_uris(folders)->len == 0)
        return false;
    const auto isHeld = [folders](const QByteArray &uri) { return bool(folders_hold(folders, uri.constData())); };
    return !folders_may_monitor(folders, target.constData()) || (kind == MENU_OF_CONTAINER && isHeld(target))
           || std::any_of(selection.begin(), selection.end(), isHeld);
}

GVariant *MenuRequest::arguments() const
{
    GVariantBuilder uris;
    g_variant_builder_init(&uris, G_VARIANT_TYPE_STRING_ARRAY);
    for (const QByteArray &uri : selection)
        g_variant_builder_add(&uris, "s", uri.constData());
    return g_variant_new("(usasa{sv})", kind, target.constData(), &uris, nullptr);
}
} // namespace roundel

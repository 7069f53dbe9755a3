#include "menu-request.h"

#include "folders.h"
#include "item-uri.h"

#include <KFileItemListProperties>
#include <KUrlNavigator>

#include <QStringList>
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
        return navigator->isActive() && itemUri::canonical(navigator->locationUrl()) == directory;
    });
}

std::optional<MenuRequest> MenuRequest::from(const KFileItemListProperties &items, const QWidget *window)
{
    MenuRequest request{ Kind::items, {}, {} };
    const QList<QUrl> urls = items.urlList();
    for (const QUrl &url : urls) {
        const QByteArray uri = itemUri::canonical(url);
        if (uri.isEmpty())
            return std::nullopt;
        request.selection.append(uri);
    }
    if (request.selection.isEmpty())
        return std::nullopt;
    const QByteArray first = request.selection.first();
    request.target = itemUri::parent(first);
    if (request.selection.size() == 1 && items.isDirectory() && showsInActivePane(window, first))
        request = { Kind::container, first, {} };
    return request;
}

bool MenuRequest::concerns(const Folders &folders) const
{
    if (folders.isEmpty())
        return false;
    if (!folders.mayMonitor(target) || (kind == Kind::container && folders.contain(target)))
        return true;
    return std::any_of(
        selection.begin(), selection.end(), [&folders](const QByteArray &uri) { return folders.contain(uri); });
}

QVariantList MenuRequest::arguments() const
{
    QStringList uris;
    uris.reserve(selection.size());
    for (const QByteArray &uri : selection)
        uris.append(QString::fromLatin1(uri));
    return { uint(kind), QString::fromLatin1(target), uris };
}
} // namespace roundel

#include "overlay-plugin.h"

using namespace roundel;

RoundelOverlayPlugin::RoundelOverlayPlugin()
    : m_connection(QDBusConnection::sessionBus()), m_badges(m_connection.link(), m_open)
{
    connect(&m_badges, &ShownBadges::changed, this,
        [this](const QUrl &item, const Badge *badge) { Q_EMIT overlaysChanged(item, overlays(badge)); });
    connect(&m_connection, &HostConnection::connected, this, &RoundelOverlayPlugin::useIcons);
    connect(&m_connection, &HostConnection::imagesChanged, this, &RoundelOverlayPlugin::useIcons);
}

/** Called thousands of times for a folder, so a badge that is known costs a look-up. */
QStringList RoundelOverlayPlugin::getOverlays(const QUrl &item)
{
    return overlays(m_badges.badge(item));
}

QStringList RoundelOverlayPlugin::overlays(const Badge *badge)
{
    if (badge == nullptr || badge_is_none(badge))
        return {};
    struct {
        IconFiles &files;
        QStringList icons;
    } found{ m_files, {} };
    const auto add = [](const char *icon, gpointer data) {
        auto *result = static_cast<decltype(found) *>(data);
        result->icons.append(result->files.resolved(QString::fromUtf8(icon)));
    };
    badge_images_visit_icons(host_link_images(m_connection.link()), badge, add, &found);
    return found.icons;
}

/** The library has the items with a badge shown anew. */
void RoundelOverlayPlugin::useIcons()
{
    m_files.setThemePath(QString::fromUtf8(host_link_icon_theme_path(m_connection.link())));
}

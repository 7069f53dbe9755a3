#include "overlay-plugin.h"

using namespace roundel;

RoundelOverlayPlugin::RoundelOverlayPlugin()
    : m_link(QDBusConnection::sessionBus()), m_observer(m_link, m_open, m_refresh), m_icons(m_files)
{
    connect(&m_observer, &Observer::changed, this,
        [this](const QUrl &item, const Badge *badge) { Q_EMIT overlaysChanged(item, overlays(badge)); });
    connect(&m_link, &HostLink::connected, this, &RoundelOverlayPlugin::useIcons);
    connect(&m_link, &HostLink::imagesChanged, this, &RoundelOverlayPlugin::useIcons);
}

/** Called thousands of times for a folder, so a badge that is known costs a look-up. */
QStringList RoundelOverlayPlugin::getOverlays(const QUrl &item)
{
    return overlays(m_observer.badge(item));
}

QStringList RoundelOverlayPlugin::overlays(const Badge *badge)
{
    if (badge == nullptr || badge->isNone())
        return {};
    return m_icons.of(*badge, m_link.images());
}

void RoundelOverlayPlugin::useIcons()
{
    m_files.setThemePath(m_link.iconThemePath());
    m_observer.refreshBadged();
}

#pragma once

#include "host-connection.h"
#include "icon-files.h"
#include "open-directories.h"
#include "shown-badges.h"

#include <KOverlayIconPlugin>

/** What Dolphin lays over the icons of items. One for the whole process, made with its first view. The metadata stands
 * here directly: Dolphin does not make overlay plugins that come from a plugin factory. */
class RoundelOverlayPlugin : public KOverlayIconPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID "org.roundel.Roundel1.OverlayIcons" FILE "roundeloverlay.json")

public:
    RoundelOverlayPlugin();

    QStringList getOverlays(const QUrl &item) override;

private:
    QStringList overlays(const Badge *badge);
    void useIcons();

    roundel::HostConnection m_connection;
    roundel::OpenDirectories m_open;
    roundel::ShownBadges m_badges;
    roundel::IconFiles m_files;
};

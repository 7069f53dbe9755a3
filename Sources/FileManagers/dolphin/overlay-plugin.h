#pragma once

#include "host-link.h"
#include "observer.h"
#include "open-directories.h"
#include "overlay-icons.h"
#include "refresh-queue.h"

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
    QStringList overlays(const roundel::Badge *badge);
    void useIcons();

    roundel::HostLink m_link;
    roundel::OpenDirectories m_open;
    roundel::RefreshQueue m_refresh;
    roundel::Observer m_observer;
    roundel::IconFiles m_files;
    roundel::OverlayIcons m_icons;
};

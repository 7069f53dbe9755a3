/* The least plugin that Dolphin asks about every item: it answers nothing, at once. With ADDS_OVERLAYS it is the least
 * that shows anything: it lays the same overlay over each and asks nobody. What ours costs is measured against both. */
#include <KOverlayIconPlugin>

class SilentOverlays : public KOverlayIconPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID "org.roundel.Measuring.SilentOverlays" FILE "roundeloverlay.json")

public:
    QStringList getOverlays(const QUrl &item) override
    {
        Q_UNUSED(item)
#ifdef ADDS_OVERLAYS
        return { QStringLiteral("emblem-roundel-synced") };
#else
        return {};
#endif
    }
};

#include "silent-overlays.moc"

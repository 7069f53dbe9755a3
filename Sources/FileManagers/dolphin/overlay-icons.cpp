#include "overlay-icons.h"

namespace roundel
{
struct FlagIcon {
    Badge::Flag flag;
    const char *icon;
};

/** The file manager has room for four overlays. Online-only is a badge of its own. */
static constexpr FlagIcon flagIcons[] = {
    { Badge::locked, "emblem-roundel-locked" },
    { Badge::readOnly, "emblem-roundel-read-only" },
    { Badge::shared, "emblem-roundel-shared" },
    { Badge::pinned, "emblem-roundel-pinned" },
};

OverlayIcons::OverlayIcons(IconFiles &files) : m_files(files)
{
}

QStringList OverlayIcons::of(const Badge &badge, const BadgeImages &images)
{
    QStringList icons;
    const QString image = badge.identifier.isEmpty() ? QString() : images.icon(badge.identifier);
    if (!image.isEmpty())
        icons.append(m_files.resolved(image));
    for (const FlagIcon &entry : flagIcons) {
        if (badge.flags & entry.flag)
            icons.append(m_files.resolved(QLatin1String(entry.icon)));
    }
    return icons;
}
} // namespace roundel

#include "overlay-icons.h"

#include <KIconLoader>

#include <QFile>

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

void OverlayIcons::setThemePath(const QString &path)
{
    m_themePath = path;
    m_resolved.clear();
}

QString OverlayIcons::resolved(const QString &name)
{
    const auto known = m_resolved.constFind(name);
    if (known != m_resolved.constEnd())
        return *known;
    QString icon = name;
    if (m_themePath.startsWith(QLatin1Char('/')) && !name.contains(QLatin1Char('/'))
        && !KIconLoader::global()->hasIcon(name)) {
        const QString file = m_themePath + QLatin1String("/hicolor/scalable/emblems/") + name + QLatin1String(".svg");
        if (QFile::exists(file))
            icon = file;
    }
    m_resolved.insert(name, icon);
    return icon;
}

QStringList OverlayIcons::of(const Badge &badge, const BadgeImages &images)
{
    QStringList icons;
    const QString image = badge.identifier.isEmpty() ? QString() : images.icon(badge.identifier);
    if (!image.isEmpty())
        icons.append(resolved(image));
    for (const FlagIcon &entry : flagIcons) {
        if (badge.flags & entry.flag)
            icons.append(resolved(QLatin1String(entry.icon)));
    }
    return icons;
}
} // namespace roundel

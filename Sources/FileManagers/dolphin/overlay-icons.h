#pragma once

#include "badge-images.h"
#include "badge.h"

#include <QHash>
#include <QStringList>

namespace roundel
{
/** The icons that are laid over an item: one for its badge and one for each of its flags that has a picture. */
class OverlayIcons
{
public:
    /** From now on icons that the theme does not have are taken from the `hicolor` theme below this path. */
    void setThemePath(const QString &path);

    QStringList of(const Badge &badge, const BadgeImages &images);

private:
    QString resolved(const QString &name);

    QString m_themePath;
    QHash<QString, QString> m_resolved; // name → itself, or the absolute path of a file
};
} // namespace roundel

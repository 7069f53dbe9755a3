#pragma once

#include "badge-images.h"
#include "badge.h"
#include "icon-files.h"

#include <QStringList>

namespace roundel
{
/** The icons that are laid over an item: one for its badge and one for each of its flags that has a picture. */
class OverlayIcons
{
public:
    explicit OverlayIcons(IconFiles &files);

    QStringList of(const Badge &badge, const BadgeImages &images);

private:
    IconFiles &m_files;
};
} // namespace roundel

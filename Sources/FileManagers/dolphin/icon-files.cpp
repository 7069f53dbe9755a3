#include "icon-files.h"

#include <KIconLoader>

#include <QFile>
#include <QStandardPaths>
#include <QStringList>

namespace roundel
{
static constexpr const char *contexts[] = { "emblems", "apps" };

/** The pictures of providers have this in their names. They came when the program had read its icon themes already. */
static constexpr QLatin1String pictures("roundel-picture.");
static constexpr int pictureSizes[] = { 64, 128, 48, 256, 32, 96, 72, 192, 512, 36, 24, 22, 16 };

/** The file of a picture, or an empty string. */
static QString picture(const QString &name)
{
    const QString theme = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
                          + QStringLiteral("/icons/hicolor");
    const QString drawing = QStringLiteral("%1/scalable/emblems/%2.svg").arg(theme, name);
    if (QFile::exists(drawing))
        return drawing;
    for (int size : pictureSizes) {
        const QString image = QStringLiteral("%1/%2x%2/emblems/%3.png").arg(theme).arg(size).arg(name);
        if (QFile::exists(image))
            return image;
    }
    return {};
}

void IconFiles::setThemePath(const QString &path)
{
    m_themePath = path;
    m_resolved.clear();
}

QString IconFiles::resolved(const QString &name)
{
    const auto known = m_resolved.constFind(name);
    if (known != m_resolved.constEnd())
        return *known;
    const QString icon = find(name);
    m_resolved.insert(name, icon);
    return icon;
}

QString IconFiles::find(const QString &name) const
{
    if (name.startsWith(pictures) && !name.contains(QLatin1Char('/'))) {
        const QString file = picture(name);
        return file.isEmpty() ? name : file;
    }
    if (!m_themePath.startsWith(QLatin1Char('/')) || name.contains(QLatin1Char('/'))
        || KIconLoader::global()->hasIcon(name))
        return name;
    for (const char *context : contexts) {
        const QString file =
            QStringLiteral("%1/hicolor/scalable/%2/%3.svg").arg(m_themePath, QLatin1String(context), name);
        if (QFile::exists(file))
            return file;
    }
    return name;
}
} // namespace roundel

#include "icon-files.h"

#include <KIconLoader>

#include <QFile>

namespace roundel
{
static constexpr const char *contexts[] = { "emblems", "apps" };

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

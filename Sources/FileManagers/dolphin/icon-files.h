#pragma once

#include <QHash>
#include <QString>

namespace roundel
{
/** Icons by name, those too that are only installed with the service, where no icon theme is looked for. */
class IconFiles
{
public:
    /** From now on icons that the theme does not have are taken from the `hicolor` theme below this path. */
    void setThemePath(const QString &path);

    /** The name itself, or the absolute path of a file. */
    QString resolved(const QString &name);

private:
    QString find(const QString &name) const;

    QString m_themePath;
    QHash<QString, QString> m_resolved;
};
} // namespace roundel

#pragma once

#include <QHash>
#include <QString>

namespace roundel
{
/** Icons by name, including those that are installed only with the service, where icon themes are not searched. */
class IconFiles
{
public:
    /** From now on icons that the theme lacks come from the `hicolor` theme below this path. */
    void setThemePath(const QString &path);

    /** The name itself, or the absolute path of a file. */
    QString resolved(const QString &name);

private:
    QString find(const QString &name) const;

    QString m_themePath;
    QHash<QString, QString> m_resolved;
};
} // namespace roundel

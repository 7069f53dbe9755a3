#pragma once

#include <QByteArray>
#include <QSet>
#include <QStringList>

namespace roundel
{
/** The service's `Folders` property, so that the service is hardly asked about directories that it does not monitor. */
class Folders
{
public:
    /** Replaces them all by the service's canonical URIs. */
    void set(const QStringList &uris);
    void clear();

    bool isEmpty() const;

    /** Whether the item is a registered folder or lies below one, by its spelling. */
    bool contain(const QByteArray &itemUri) const;

    /** Whether the directory is a registered folder, lies below one, or is the parent of one, by its spelling. */
    bool mayMonitor(const QByteArray &directoryUri) const;

private:
    QList<QByteArray> m_uris;
    QSet<QByteArray> m_parents;
};
} // namespace roundel

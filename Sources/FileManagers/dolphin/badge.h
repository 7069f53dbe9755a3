#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <QVariant>

#include <optional>

namespace roundel
{
/** The state of one item, from the service. */
struct Badge {
    enum Flag : quint32 {
        pinned = 1,
        onlineOnly = 2,
        shared = 4,
        readOnly = 8,
        locked = 16,
    };

    static constexpr quint8 noProgress = 255;

    QString identifier; // empty: no badge
    quint32 flags = 0;
    quint8 progress = noProgress; // 0-100, or noProgress

    bool isNone() const;

    /** Whether the item looks the same with either: at most the progress differs. */
    bool looksLike(const Badge &other) const;
};

/** The columns `as badges, au flags, ay progress` of an answer or a signal. */
struct BadgeColumns {
    QStringList identifiers;
    QList<uint> flags;
    QByteArray progress;

    /** Reads them from three neighbouring arguments. Nothing if a type is wrong or a length is not `count`.
     */
    static std::optional<BadgeColumns> fromArguments(const QVariantList &arguments, int first, int count);

    Badge at(int row) const;
};
} // namespace roundel

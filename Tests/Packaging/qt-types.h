// The types that the interfaces name for Qt where it has none of its own, as a program over QtDBus defines them.
#pragma once

#include <QDBusArgument>
#include <QList>
#include <QMap>
#include <QVariantMap>

/** The toolbar button. */
struct RoundelToolbarItem {
    QString name;
    QString icon;
    QString tooltip;
};

/** An own badge of a provider. */
struct RoundelBadgeImage {
    QString identifier;
    QString label;
    QString icon;
};

/** How a badge looks. */
struct RoundelBadgeLook {
    QString label;
    QString icon;
};
using RoundelBadgeImages = QMap<QString, RoundelBadgeLook>;

/** The status of a folder. */
struct RoundelStatus {
    uint state;
    QString text;
    uchar progress;
};
using RoundelFolderStatus = QMap<QString, RoundelStatus>;

/** A folder of a provider. */
struct RoundelFolder {
    QString uri;
    QVariantMap options;
};

Q_DECLARE_METATYPE(RoundelToolbarItem)
Q_DECLARE_METATYPE(RoundelBadgeImage)
Q_DECLARE_METATYPE(RoundelBadgeLook)
Q_DECLARE_METATYPE(RoundelBadgeImages)
Q_DECLARE_METATYPE(RoundelStatus)
Q_DECLARE_METATYPE(RoundelFolderStatus)
Q_DECLARE_METATYPE(RoundelFolder)

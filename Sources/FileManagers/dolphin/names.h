#pragma once

#include <QLatin1String>

/** Every name on the bus that the plugins use. */
namespace roundel::names
{
inline constexpr QLatin1String service("org.roundel.Roundel1");
inline constexpr QLatin1String object("/org/roundel/Roundel1");
inline constexpr QLatin1String hostInterface("org.roundel.Roundel1.Host");

inline constexpr QLatin1String staleMenu("org.roundel.Error.StaleMenu");
inline constexpr QLatin1String unknownItem("org.roundel.Error.UnknownItem");

inline constexpr QLatin1String bus("org.freedesktop.DBus");
inline constexpr QLatin1String busObject("/org/freedesktop/DBus");
inline constexpr QLatin1String properties("org.freedesktop.DBus.Properties");
} // namespace roundel::names

#pragma once

#include <QByteArray>

class QUrl;

/**
 * Item URIs in the one encoding that the service emits: `file://`, an absolute path without empty segments, RFC 3986
 * unreserved characters and `/` plain, every other byte as %XX in capitals. Two canonical URIs are equal exactly if
 * their paths are equal byte for byte. QUrl leaves more characters plain, so its URLs have to be converted.
 */
namespace roundel::itemUri
{
/** The canonical form, or nothing if the URL names no local item by an absolute path without dot segments. */
QByteArray canonical(const QUrl &url);

/** The canonical URI of the directory that holds the item; empty for the root. */
QByteArray parent(const QByteArray &canonical);

/** The item's name, percent-encoded; empty for the root. */
QByteArray name(const QByteArray &canonical);

/** Whether the item is the directory or lies anywhere below it. */
bool isWithin(const QByteArray &canonical, const QByteArray &directory);
} // namespace roundel::itemUri

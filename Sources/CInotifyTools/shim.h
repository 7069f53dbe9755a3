#ifndef ROUNDEL_CINOTIFYTOOLS_H
#define ROUNDEL_CINOTIFYTOOLS_H

#include <inotifytools/inotifytools.h>
#include <sys/inotify.h>

#endif

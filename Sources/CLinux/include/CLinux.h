#ifndef ROUNDEL_CLINUX_H
#define ROUNDEL_CLINUX_H

#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>

#endif

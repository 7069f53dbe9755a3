#ifndef ROUNDEL_CLINUX_H
#define ROUNDEL_CLINUX_H

#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/signalfd.h>

#include "clinux_files.h"
#include "clinux_inotify.h"
#include "clinux_memory.h"
#include "clinux_program.h"
#include "clinux_secrecy.h"
#include "clinux_terminal.h"
#include "clinux_thread.h"

#endif

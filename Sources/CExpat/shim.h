#ifndef ROUNDEL_CEXPAT_H
#define ROUNDEL_CEXPAT_H

#include <expat.h>

#endif

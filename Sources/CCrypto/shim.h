#ifndef ROUNDEL_CCRYPTO_H
#define ROUNDEL_CCRYPTO_H

#include <openssl/evp.h>

#endif

#ifndef ROUNDEL_CCRYPTO_H
#define ROUNDEL_CCRYPTO_H

#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#endif

#pragma once
/* BoringSSL names used by libcore's NativeBN, over OpenSSL */
#include <stdint.h>
#include <openssl/bn.h>
static inline int BN_set_u64(BIGNUM* b, uint64_t v) { return BN_set_word(b, v); }
static inline BIGNUM* BN_le2bn(const uint8_t* p, size_t n, BIGNUM* r) { return BN_lebin2bn(p, n, r); }
static inline int BN_get_u64(const BIGNUM* b, uint64_t* o) { if (BN_num_bits(b) > 64) return 0; *o = BN_get_word(b); return 1; }
static inline int BN_bn2le_padded(uint8_t* o, size_t n, const BIGNUM* b) { return BN_bn2lebinpad(b, o, n) >= 0; }
static inline int BN_is_pow2(const BIGNUM* b) {
  int n = BN_num_bits(b); if (n == 0 || BN_is_negative(b)) return 0;
  for (int i = 0; i < n - 1; i++) if (BN_is_bit_set(b, i)) return 0; return 1; }
static inline int BN_nnmod_pow2(BIGNUM* r, const BIGNUM* a, size_t e) {
  BN_CTX* c = BN_CTX_new(); BIGNUM* m = BN_new(); int ok = BN_set_bit(m, e) && BN_nnmod(r, a, m, c); BN_free(m); BN_CTX_free(c); return ok; }
static inline int BN_primality_test(int* res, const BIGNUM* b, int checks, BN_CTX* c, int trial, BN_GENCB* cb) {
  int r = BN_check_prime(b, c, cb); if (r < 0) return 0; *res = r; return 1; }

/* Stand-in for 7-Zip's LZMA functions: trixie's libart was compiled against headers that do not fit
   its 7z.so, so Xz_Encode would write past a structure. "Compression" is a copy. What would be
   compressed is only the debugger's view of compiled code. */
#include <stddef.h>
#include <string.h>

struct in { int (*read)(const struct in*, void*, size_t*); };
struct out { size_t (*write)(const struct out*, const void*, size_t); };

void CrcGenerateTable(void) {}
void Crc64GenerateTable(void) {}
void XzProps_Init(void* p) {}
void Lzma2EncProps_Init(void* p) {}
void Lzma2EncProps_Normalize(void* p) {}

int Xz_Encode(const struct out* o, const struct in* i, const void* props, void* progress) {
  char buffer[4096];
  for (;;) {
    size_t n = sizeof buffer;
    if (i->read(i, buffer, &n)) return 8;
    if (!n) return 0;
    if (o->write(o, buffer, n) != n) return 9;
  }
}

void XzUnpacker_Construct(void* p, const void* a) {}
void XzUnpacker_Init(void* p) {}
void XzUnpacker_Free(void* p) {}
int XzUnpacker_IsStreamWasFinished(const void* p) { return 1; }
int XzUnpacker_Code(void* p, unsigned char* to, size_t* room, const unsigned char* from,
                    size_t* size, int finish, int mode, int* status) {
  size_t n = *room < *size ? *room : *size;
  *status = n < *size ? 2 : 3;
  memcpy(to, from, n);
  *room = *size = n;
  return 0;
}

/* libbacktrace's reader of compressed symbols: there are none. */
void XzUnpacker_PrepareToRandomBlockDecoding(void* p) {}
void XzUnpacker_SetOutBuf(void* p, void* b, size_t n) {}
void Xzs_Construct(void* p) {}
void Xzs_Free(void* p, const void* a) {}
size_t Xzs_GetNumBlocks(const void* p) { return 0; }
int Xzs_ReadBackward(void* p, void* i, long long* s, void* g, const void* a) { return 1; }

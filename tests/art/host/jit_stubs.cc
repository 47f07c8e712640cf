// pieces of libelffile that Debian's libart leaves out; XZ is a plain copy (only used for debugger info)
#include <vector>
#include "base/array_ref.h"
namespace art {
void XzCompress(ArrayRef<const uint8_t> src, std::vector<uint8_t>* dst, int) { dst->assign(src.begin(), src.end()); }
void XzDecompress(ArrayRef<const uint8_t> src, std::vector<uint8_t>* dst) { dst->assign(src.begin(), src.end()); }
}

#pragma once
#include <string.h>
#include <unicode/utypes.h>
#include <unicode/uenum.h>
#include <unicode/strenum.h>
#include <unicode/unistr.h>
U_CAPI UEnumeration* U_EXPORT2 uenum_openFromStringEnumeration(icu::StringEnumeration* adopted, UErrorCode* ec);
U_NAMESPACE_BEGIN
/* stand-in for ICU's internal class; leaves out names with an option (",version=1"), which Java would reject */
class UStringEnumeration : public StringEnumeration {
 public:
  explicit UStringEnumeration(UEnumeration* u) : uenum(u) {}
  ~UStringEnumeration() override { uenum_close(uenum); }
  int32_t count(UErrorCode& s) const override {
    int32_t n = 0, l; UEnumeration* u = uenum; uenum_reset(u, &s);
    while (const char* p = uenum_next(u, &l, &s)) if (!strchr(p, ',')) n++;
    uenum_reset(u, &s); return n; }
  const UnicodeString* snext(UErrorCode& s) override {
    int32_t l; const char* p; do { p = uenum_next(uenum, &l, &s); } while (p && strchr(p, ','));
    if (!p || U_FAILURE(s)) return nullptr; str = UnicodeString(p, l, US_INV); return &str; }
  void reset(UErrorCode& s) override { uenum_reset(uenum, &s); }
  UClassID getDynamicClassID() const override { return nullptr; }
 private:
  UEnumeration* uenum; UnicodeString str;
};
U_NAMESPACE_END

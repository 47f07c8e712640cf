#pragma once
#include <linux/capability.h>
#ifdef __cplusplus
extern "C" {
#endif
int capget(cap_user_header_t, cap_user_data_t);
int capset(cap_user_header_t, const cap_user_data_t);
#ifdef __cplusplus
}
#endif

// Prints the rules of a profile by names, as ART reads them: libart's ProfileCompilationInfo finds
// the DEX files of a package by checksum and number of method ids. For ART 10, and for ART 14 with
// -DART14.
// usage: profdump PROFILE PACKAGE
#include <fcntl.h>
#include <stdio.h>
#include <memory>
#include <set>
#include <string>
#include <vector>
#include "base/logging.h"
#include "base/mem_map.h"
#include "dex/art_dex_file_loader.h"
#include "dex/dex_file-inl.h"
#include "profile/profile_compilation_info.h"
#include "runtime.h"
using namespace art;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  InitLogging(argv, Runtime::Abort);
  MemMap::Init();
  ProfileCompilationInfo profile;
  int file = open(argv[1], O_RDONLY);
  if (file < 0 || !profile.Load(file)) {
    fprintf(stderr, "%s: ART cannot read the profile\n", argv[1]);
    return 1;
  }
  std::vector<std::unique_ptr<const DexFile>> dex_files;
  std::string error;
#ifdef ART14
  ArtDexFileLoader loader(argv[2]);
  bool opened = loader.Open(/*verify=*/ false, /*verify_checksum=*/ true, &error, &dex_files);
#else
  const ArtDexFileLoader loader;
  bool opened = loader.Open(argv[2], argv[2], /*verify=*/ false, /*verify_checksum=*/ true, &error,
                            &dex_files);
#endif
  if (!opened) {
    fprintf(stderr, "%s: %s\n", argv[2], error.c_str());
    return 1;
  }
#ifdef ART14
  bool any_file_matched;
  bool updated = profile.UpdateProfileKeys(dex_files, &any_file_matched);
#else
  bool updated = profile.UpdateProfileKeys(dex_files);
#endif
  if (!updated) {
    fprintf(stderr, "%s: keys collide\n", argv[1]);
    return 1;
  }
  for (const std::unique_ptr<const DexFile>& dex : dex_files) {
    std::set<dex::TypeIndex> classes;
    std::set<uint16_t> hot, startup, post_startup;
    bool known = profile.GetClassesAndMethods(*dex, &classes, &hot, &startup, &post_startup);
    printf("D %s %s\n", dex->GetLocation().c_str(), known ? "known" : "unknown");
    if (!known) continue;
    for (dex::TypeIndex type : classes) printf("C %s\n", dex->StringByTypeIdx(type));
    std::set<uint16_t> methods(hot);
    methods.insert(startup.begin(), startup.end());
    methods.insert(post_startup.begin(), post_startup.end());
    for (uint16_t index : methods) {
      const dex::MethodId& method = dex->GetMethodId(index);
      printf("M %s%s%s %s->%s%s\n", hot.count(index) ? "H" : "", startup.count(index) ? "S" : "",
             post_startup.count(index) ? "P" : "", dex->GetMethodDeclaringClassDescriptor(method),
             dex->GetMethodName(method), dex->GetMethodSignature(method).ToString().c_str());
    }
  }
  return 0;
}

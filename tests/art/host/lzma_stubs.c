/* stand-in for the LZMA functions that libbacktrace wants (only for compressed .gnu_debugdata) */
void CrcGenerateTable(void) {}
void Crc64GenerateTable(void) {}
void XzUnpacker_Construct(void* p, void* a) {}
int XzUnpacker_Code(void* p, ...) { return 1; }
int XzUnpacker_IsStreamWasFinished(const void* p) { return 0; }
void XzUnpacker_Free(void* p) {}
void XzUnpacker_Init(void* p) {}

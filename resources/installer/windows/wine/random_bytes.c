/* bcryptprimitives.dll for wine 8, which lacks it: random bytes from the system's older function. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T count)
{
    const SIZE_T most = 1 << 16;
    for (SIZE_T done = 0; done < count;) {
        ULONG piece = (ULONG)(count - done < most ? count - done : most);
        if (!SystemFunction036(bytes + done, piece))
            return FALSE;
        done += piece;
    }
    return TRUE;
}

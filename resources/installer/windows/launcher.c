/* hexveil.exe and hexveil-window.exe (-DWINDOW): the Python beside them runs app\main.py in this process.
 *
 * Python is told to see nothing of the machine's own: no environment variables, no packages of the user (-I),
 * no byte code written beside the program, which may lie in a folder that is not writable (-B).
 */
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

#define LONGEST 32768
#define OURS 6

typedef int (*PythonMain)(int, wchar_t **);

static int incomplete(const wchar_t *part)
{
    wchar_t text[256];
    swprintf(text, 256, L"Hexveil is not complete: %ls cannot be used. Install it again.\n", part);
#ifdef WINDOW
    MessageBoxW(NULL, text, L"Hexveil", MB_ICONERROR);
#else
    fputws(text, stderr);
#endif
    return 2;
}

/* The folder of this program, with the backslash at its end; 0 where its path is too long. */
static size_t own_folder(wchar_t *folder)
{
    DWORD length = GetModuleFileNameW(NULL, folder, LONGEST - 64);
    if (length == LONGEST - 64)
        return 0;
    while (length > 0 && folder[length - 1] != L'\\')
        length--;
    folder[length] = 0;
    return length;
}

static int run(int count, wchar_t **words)
{
    static wchar_t library[LONGEST], script[LONGEST];
    size_t length = own_folder(library);
    if (length == 0 || own_folder(script) == 0)
        return incomplete(L"the path of its folder");
    wcscpy(library + length, L"python\\python311.dll");
    wcscpy(script + length, L"app\\main.py");

    HMODULE python = LoadLibraryExW(library, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    PythonMain python_main = python ? (PythonMain)(void *)GetProcAddress(python, "Py_Main") : NULL;
    if (python_main == NULL)
        return incomplete(L"python\\python311.dll");

    wchar_t *ours[OURS] = {words[0], L"-I", L"-B", L"-X", L"utf8", script};
    wchar_t **all = calloc((size_t)count + OURS, sizeof *all);
    if (all == NULL)
        return incomplete(L"the memory of this computer");
    memcpy(all, ours, sizeof ours);
    memcpy(all + OURS, words + 1, (size_t)(count - 1) * sizeof *all);
    return python_main(count - 1 + OURS, all);
}

#ifdef WINDOW
int WINAPI wWinMain(HINSTANCE self, HINSTANCE before, LPWSTR line, int shown)
{
    (void)self, (void)before, (void)line, (void)shown;
    return run(__argc, __wargv);
}
#else
int wmain(int count, wchar_t **words)
{
    return run(count, words);
}
#endif

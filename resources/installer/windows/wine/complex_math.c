/* What wine's C runtime lacks of <complex.h>, for trying the Windows program there; shipped to nobody.
 *
 * Microsoft's complex numbers are structures of two parts, which its calling convention hands over like any
 * structure; those of the compiler are not.
 */
#include <complex.h>

typedef struct { double re, im; } Wide;
typedef struct { float re, im; } Narrow;

static double _Complex wide(Wide a) { return __builtin_complex(a.re, a.im); }
static float _Complex narrow(Narrow a) { return __builtin_complex(a.re, a.im); }
static Wide of_wide(double _Complex z) { return (Wide){__real__ z, __imag__ z}; }
static Narrow of_narrow(float _Complex z) { return (Narrow){__real__ z, __imag__ z}; }

#define COMPLEX(name) \
    Wide shim_##name(Wide a) { return of_wide(name(wide(a))); } \
    Narrow shim_##name##f(Narrow a) { return of_narrow(name##f(narrow(a))); }
#define REAL(name) \
    double shim_##name(Wide a) { return name(wide(a)); } \
    float shim_##name##f(Narrow a) { return name##f(narrow(a)); }

COMPLEX(cacos) COMPLEX(cacosh) COMPLEX(casin) COMPLEX(casinh) COMPLEX(catan) COMPLEX(catanh)
COMPLEX(ccos) COMPLEX(ccosh) COMPLEX(cexp) COMPLEX(clog) COMPLEX(conj) COMPLEX(cproj)
COMPLEX(csin) COMPLEX(csinh) COMPLEX(csqrt) COMPLEX(ctan) COMPLEX(ctanh)
REAL(cabs) REAL(carg) REAL(cimag) REAL(creal)

Wide shim_cpow(Wide a, Wide b) { return of_wide(cpow(wide(a), wide(b))); }
Narrow shim_cpowf(Narrow a, Narrow b) { return of_narrow(cpowf(narrow(a), narrow(b))); }

// Types that the compiler requires and netstandard2.0 lacks.
namespace System.Runtime.CompilerServices;

internal static class IsExternalInit;

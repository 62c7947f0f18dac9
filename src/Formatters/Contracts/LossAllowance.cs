using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters;

/// <summary>Types whose values may be lost: an open generic type stands for all closed ones.</summary>
internal static class LossAllowance
{
    internal static bool Includes(IReadOnlyCollection<Type> allowed, Type type) =>
        allowed.Any(a => a == type || (a.IsGenericTypeDefinition && type.IsGenericType && type.GetGenericTypeDefinition() == a));
}

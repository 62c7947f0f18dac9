using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>
/// Identifies the base library: its assemblies by the tokens of their public keys, because an application's assembly or namespace may have any name.
/// </summary>
internal static class BaseLibrary
{
    private const int TokenByteCount = 8;

    private static readonly HashSet<ulong> Tokens =
        [0xB77A5C561934E089, 0xB03F5F7F11D50A3A, 0x7CEC85D7BEA7798E, 0xCC7B13FFCD2DDD51, 0x31BF3856AD364E35, 0xADB9793829DDAE60];

    /// <summary>Base library classes that may be derived from, and have no state, or none that belongs to a message.</summary>
    private static readonly HashSet<string> EmptyBases =
    [
        "System.Object", "System.ValueType", "System.Enum", "System.EventArgs", "System.MarshalByRefObject", "System.Attribute",
        "System.Dynamic.DynamicObject",
    ];

    /// <summary>Determines whether an assembly is one of .NET's, or of its packages.</summary>
    /// <param name="token">The token of its public key.</param>
    internal static bool HasToken(IReadOnlyList<byte>? token)
    {
        if (token is not { Count: TokenByteCount })
            return false;
        ulong value = 0;
        foreach (byte part in token)
            value = (value << 8) | part;
        return Tokens.Contains(value);
    }

    /// <summary>Determines whether a namespace belongs to the base library.</summary>
    internal static bool IsNamespace(string name) => name == "System" || name.StartsWith("System.", StringComparison.Ordinal);

    /// <summary>Determines whether a base library class has state that no member of a derived class exposes.</summary>
    /// <param name="fullName">Its name.</param>
    internal static bool HoldsHidden(string fullName) => !EmptyBases.Contains(fullName);

    /// <summary>Returns why a class that derives from one of the base library has no contract.</summary>
    internal static string WhyHidden(string baseName) =>
        "it derives from " + baseName + " of the base library, which holds more than its members show";

    internal const string InlineArrayAttribute = "System.Runtime.CompilerServices.InlineArrayAttribute";
    internal const string FixedBufferAttribute = "System.Runtime.CompilerServices.UnsafeValueTypeAttribute";
    internal const string WhyInlineArray = "of its elements only the first is a member; declare an array or a list";
}

using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The base library: its assemblies by the tokens of their public keys, since an application's assembly or namespace may have any name.</summary>
internal static class BaseLibrary
{
    private const int TokenByteCount = 8;

    private static readonly HashSet<ulong> Tokens =
        [0xB77A5C561934E089, 0xB03F5F7F11D50A3A, 0x7CEC85D7BEA7798E, 0xCC7B13FFCD2DDD51, 0x31BF3856AD364E35, 0xADB9793829DDAE60];

    /// <summary>Classes of the base library from which others derive, and that hold nothing, or nothing that belongs to a message.</summary>
    private static readonly HashSet<string> EmptyBases =
    [
        "System.Object", "System.ValueType", "System.Enum", "System.EventArgs", "System.MarshalByRefObject", "System.Attribute",
        "System.Dynamic.DynamicObject",
    ];

    /// <summary>Whether an assembly is one of .NET's, or of the packages that belong to it.</summary>
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

    /// <summary>Whether a namespace is one of the base library.</summary>
    internal static bool IsNamespace(string name) => name == "System" || name.StartsWith("System.", StringComparison.Ordinal);

    /// <summary>Whether a class of the base library holds something that no member of a derived class shows.</summary>
    /// <param name="fullName">Its name.</param>
    internal static bool HoldsHidden(string fullName) => !EmptyBases.Contains(fullName);

    /// <summary>Why a class that derives from one of the base library has no contract.</summary>
    internal static string WhyHidden(string baseName) => "it derives from " + baseName + " of the base library, which holds more than its members show";

    internal const string InlineArrayAttribute = "System.Runtime.CompilerServices.InlineArrayAttribute";
    internal const string FixedBufferAttribute = "System.Runtime.CompilerServices.UnsafeValueTypeAttribute";
    internal const string WhyInlineArray = "of its elements only the first is a member; declare an array or a list";
}

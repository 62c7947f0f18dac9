using System;

namespace Formatters;

/// <summary>The messages for the trimming and ahead-of-time compilation analyzers.</summary>
internal static class ReflectionMessages
{
    internal const string Trimming = "The contract comes from the members of the type and of the types of its members, which trimming may remove.";
    internal const string DynamicCode = "Collections of the member types are made at run time, and code is emitted where the runtime can.";

    /// <summary>
    /// Throws in a program that is compiled ahead of time: members that trimming has removed would be silently missing from bodies.
    /// </summary>
    /// <exception cref="PlatformNotSupportedException">The program is compiled ahead of time.</exception>
    internal static void RequireDynamicCode()
    {
#if NET
        if (!System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported)
        {
            throw new PlatformNotSupportedException(
                "This program is compiled ahead of time, so members that a contract by reflection needs may have been removed. "
                + "Pass a generated contract to the formatter, or a JsonTypeInfo to JsonFormatter<T>.");
        }
#endif
    }
}

#if NET
using System;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Formatters;

/// <summary>
/// Makes System.Text.Json reject objects of classes derived from the declared one, of which it would write only the declared members.
/// </summary>
[RequiresUnreferencedCode("System.Text.Json reflects over the members of the type, which trimming may remove.")]
[RequiresDynamicCode("System.Text.Json may generate code at run time.")]
internal static class JsonDerivedObjects
{
    /// <summary>Gets a single instance for all options, so that System.Text.Json shares its metadata.</summary>
    internal static DefaultJsonTypeInfoResolver Resolver { get; } = new() { Modifiers = { Check } };

    private static void Check(JsonTypeInfo info)
    {
        if (!JsonDerivedObject.IsChecked(info))
            return;
        Action<object>? before = info.OnSerializing;
        Type declared = info.Type;
        info.OnSerializing = value =>
        {
            if (value.GetType() != declared)
                throw new JsonDerivedObject(DerivedObjects.Text(value.GetType(), declared));
            before?.Invoke(value);
        };
    }
}

/// <summary>The exception for an object of a derived class, to which System.Text.Json adds the path.</summary>
internal sealed class JsonDerivedObject(string message) : JsonException(message)
{
    /// <summary>Determines whether a class is one whose declared members System.Text.Json writes, and that can have derived classes.</summary>
    internal static bool IsChecked(JsonTypeInfo info) =>
        info.Kind == JsonTypeInfoKind.Object && info.PolymorphismOptions is null && info.Type != typeof(object) && !info.Type.IsAbstract
        && DerivedObjects.AreChecked(info.Type);
}
#endif

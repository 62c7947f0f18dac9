#if NET
using System;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Formatters;

/// <summary>Has System.Text.Json refuse objects of classes derived from the declared one, of which it would write the declared members only.</summary>
[RequiresUnreferencedCode("System.Text.Json reflects over the members of the type, which trimming may remove.")]
[RequiresDynamicCode("System.Text.Json may generate code at run time.")]
internal static class JsonDerivedObjects
{
    /// <summary>One for all options, so that System.Text.Json shares what it knows of a type.</summary>
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

/// <summary>An object of a derived class: an exception that System.Text.Json gives its path.</summary>
internal sealed class JsonDerivedObject(string message) : JsonException(message)
{
    /// <summary>Whether System.Text.Json writes the declared members of a class, which others can derive from.</summary>
    internal static bool IsChecked(JsonTypeInfo info) =>
        info.Kind == JsonTypeInfoKind.Object && info.PolymorphismOptions is null && info.Type != typeof(object) && !info.Type.IsAbstract && DerivedObjects.AreChecked(info.Type);
}
#endif

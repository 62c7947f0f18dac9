using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>A type and the XmlSerializer for it, made once.</summary>
[RequiresUnreferencedCode(UnreferencedCode)]
[RequiresDynamicCode(DynamicCode)]
internal sealed class XmlContract
{
    internal const string UnreferencedCode = "XmlSerializer reflects over the members of the type, which trimming may remove.";
    internal const string DynamicCode = "XmlSerializer generates code at run time.";

    // Keyed weakly: a type of a collectible load context can go, and its entry with it.
    private static readonly ConditionalWeakTable<Type, XmlContract> Cache = new();

    private XmlContract(Type type)
    {
        Type = type;
        Serializer = new XmlSerializer(type);
    }

    internal Type Type { get; }

    internal XmlSerializer Serializer { get; }

    /// <exception cref="ArgumentException">XmlSerializer has no mapping for the type.</exception>
    internal static XmlContract For(Type type, string parameterName)
    {
        try
        {
            return Cache.GetValue(type, static t => new XmlContract(t));
        }
        catch (Exception e) when (e is InvalidOperationException or NotSupportedException)
        {
            throw new ArgumentException($"XmlSerializer cannot write {type}: {e.Message}", parameterName, e);
        }
    }
}

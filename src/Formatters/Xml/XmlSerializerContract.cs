using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>A type and the XmlSerializer for it, made once.</summary>
[RequiresUnreferencedCode(UnreferencedCode)]
[RequiresDynamicCode(DynamicCode)]
internal sealed class XmlSerializerContract
{
    internal const string UnreferencedCode = "XmlSerializer reflects over the members of the type, which trimming may remove.";
    internal const string DynamicCode = "XmlSerializer generates code at run time.";

    // Keyed weakly: a type of a collectible load context can go, and its entry with it.
    private static readonly ConditionalWeakTable<Type, XmlSerializerContract> Cache = new();

    private readonly Lazy<XmlNumberMaps?> _numbers;

    private XmlSerializerContract(Type type)
    {
        Type = type;
        Serializer = new XmlSerializer(type);
        _numbers = new Lazy<XmlNumberMaps?>(() => XmlNumberMaps.AreNeeded ? XmlNumberMaps.Of(type) : null);
    }

    internal Type Type { get; }

    internal XmlSerializer Serializer { get; }

    /// <summary>Where the type has numbers that need the digits of .NET Framework; null if nowhere.</summary>
    internal XmlNumberMaps? Numbers => _numbers.Value;

    /// <exception cref="ArgumentException">XmlSerializer has no mapping for the type.</exception>
    internal static XmlSerializerContract For(Type type, string parameterName)
    {
        try
        {
            return Cache.GetValue(type, static t => new XmlSerializerContract(t));
        }
        catch (Exception e) when (e is InvalidOperationException or NotSupportedException)
        {
            throw new ArgumentException($"XmlSerializer cannot write {type}: {e.Message}", parameterName, e);
        }
    }
}

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Xml;
using System.Xml.Serialization;
using Formatters.Xml;

namespace Formatters;

/// <summary>A type and its XmlSerializer, created once.</summary>
[RequiresUnreferencedCode(UnreferencedCode)]
[RequiresDynamicCode(DynamicCode)]
internal sealed class XmlSerializerContract
{
    internal const string UnreferencedCode = "XmlSerializer reflects over the members of the type, which trimming may remove.";
    internal const string DynamicCode = "XmlSerializer generates code at run time.";

    // Keyed weakly: a type of a collectible load context can be collected with its entry.
    private static readonly ConditionalWeakTable<Type, XmlSerializerContract> Cache = new();

    private readonly Lazy<XmlNumberMaps?> _numbers;
    private readonly Lazy<IReadOnlyList<XmlLoss>> _losses;
    private readonly Lazy<XmlTypeMapping> _mapping;

    private XmlSerializerContract(Type type)
    {
        Type = type;
        Serializer = new XmlSerializer(type);
        _mapping = new Lazy<XmlTypeMapping>(() => new XmlReflectionImporter().ImportTypeMapping(type));
        _losses = new Lazy<IReadOnlyList<XmlLoss>>(() => XmlLosses.Of(type));
        _numbers = new Lazy<XmlNumberMaps?>(() => XmlNumberMaps.AreNeeded ? XmlNumberMaps.Of(type) : null);
    }

    internal Type Type { get; }

    internal XmlSerializer Serializer { get; }

    /// <summary>Gets the mapping of the type to its root element.</summary>
    internal XmlTypeMapping Mapping => _mapping.Value;

    /// <summary>Gets the locations of numbers that need the digits of .NET Framework; null if there are none.</summary>
    internal XmlNumberMaps? Numbers => _numbers.Value;

    /// <summary>Determines whether a reader is at the root element.</summary>
    /// <remarks>XmlSerializer compares the element with the name before it is escaped, so it does not find <c>[XmlRoot("1a")]</c>.</remarks>
    internal bool IsRoot(XmlReader reader) =>
        Serializer.CanDeserialize(reader) || reader.IsStartElement(Mapping.XsdElementName, Mapping.Namespace ?? "");

    /// <param name="type">The type.</param>
    /// <param name="allowedLosses">The types whose values may be lost.</param>
    /// <param name="parameterName">Of the error.</param>
    /// <exception cref="ArgumentException">XmlSerializer does not support the type, or does not keep the values of a type in it.</exception>
    internal static XmlSerializerContract For(Type type, IReadOnlyList<Type> allowedLosses, string parameterName)
    {
        ReflectionMessages.RequireDynamicCode();
        XmlSerializerContract contract;
        try
        {
            contract = Cache.GetValue(type, static t => new XmlSerializerContract(t));
        }
        catch (Exception e) when (e is InvalidOperationException or NotSupportedException or NullReferenceException)
        {
            // An ImmutableArray<T> causes a null reference.
            if (e is NullReferenceException)
                Check(type, XmlLosses.Of(type), allowedLosses, parameterName);
            throw new ArgumentException($"XmlSerializer cannot write {type}: {e.Message}", parameterName, e);
        }

        Check(type, contract._losses.Value, allowedLosses, parameterName);
        return contract;
    }

    private static void Check(Type type, IReadOnlyList<XmlLoss> losses, IReadOnlyList<Type> allowed, string parameterName)
    {
        foreach (XmlLoss loss in losses)
        {
            if (!LossAllowance.Includes(allowed, loss.Type) && !type.GetCustomAttributes<AllowXmlLossAttribute>(inherit: true)
                .Any(a => LossAllowance.Includes([a.Type], loss.Type)))
            {
                throw new ArgumentException(
                    $"XmlSerializer does not keep {loss.Path}, a {TypeNames.Of(loss.Type)}: {loss.Why}. Leave it out ([XmlIgnore]), give its value "
                    + "in another member, "
                        + "or allow the loss: [AllowXmlLoss], XmlOptions.AllowedLosses.",
                    parameterName);
            }
        }
    }
}

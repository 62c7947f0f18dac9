using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes XML.</summary>
internal sealed class XmlWireFormat() : WireFormat("xml", "XML", ContentTypes.Xml, BodyTypes.Xml, XmlOptions.Default, ContractFormats.Xml)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Xml;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new XmlFormatter<T>((XmlOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new XmlFormatter<T>(contract, (XmlOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>XML as <c>XmlSerializer</c> writes it, UTF-8.</summary>
    public const string Xml = "text/xml";
}

public static partial class BodyTypes
{
    /// <summary>XML, and every body without a body type.</summary>
    public const int Xml = 0;
}

public abstract partial class MessageInspector
{
    /// <summary>Gets the inspector of XML.</summary>
    public static MessageInspector Xml { get; } = new XmlInspector();
}

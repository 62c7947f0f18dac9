using System;
using System.IO;
using System.Linq;
using System.Xml;
using System.Xml.Serialization;

namespace Formatters.Tools.Migrate;

/// <summary>Elements, attributes and text of an XML body that the type lacks, by the events of XmlSerializer.</summary>
internal static class XmlPassedOver
{
    internal static bool CanFind(IMessageFormatter formatter) => formatter is XmlFormatter || PayloadOf(formatter) is not null;

    /// <param name="formatter">Has read the body before, so that it is within its limits.</param>
    /// <param name="body">The body.</param>
    /// <param name="changes">Receives what was found.</param>
    internal static void Find(IMessageFormatter formatter, MessageBody body, ChangeList changes)
    {
        Type[] types = formatter is XmlFormatter untyped ? [.. untyped.TargetTypes] : [PayloadOf(formatter)!];
        foreach (XmlSerializer serializer in types.Select(static type => new XmlSerializer(type)))
        {
            using var reader = XmlReader.Create(new MemoryStream(body.ToArray()), new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null });
            if (!serializer.CanDeserialize(reader))
                continue;
            serializer.Deserialize(reader, new XmlDeserializationEvents
            {
                OnUnknownElement = (_, e) => Add(e.ObjectBeingDeserialized, e.Element.LocalName),
                OnUnknownAttribute = (_, e) =>
                {
                    // xsi:schemaLocation and xml:space are not the payload's.
                    if (e.Attr.NamespaceURI is not ("http://www.w3.org/2001/XMLSchema-instance" or "http://www.w3.org/XML/1998/namespace"))
                        Add(e.ObjectBeingDeserialized, e.Attr.LocalName);
                },
                OnUnknownNode = (_, e) =>
                {
                    if (e.NodeType is XmlNodeType.Text or XmlNodeType.CDATA && !string.IsNullOrWhiteSpace(e.Text))
                        Add(e.ObjectBeingDeserialized, "#text");
                },
            });
            return;
        }

        void Add(object? target, string name)
        {
            TypeText type = TypeText.Of(target?.GetType() ?? types[0]);
            string member = MemberTexts.Printable(name);
            changes.Add(new ChangePlace(type, member, ChangeKind.Dropped), "the body has the member, the type lacks it", () => $"{type.Name}.{member}");
        }
    }

    private static Type? PayloadOf(IMessageFormatter formatter) =>
        formatter.GetType() is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(XmlFormatter<>) ? type.GetGenericArguments()[0] : null;
}

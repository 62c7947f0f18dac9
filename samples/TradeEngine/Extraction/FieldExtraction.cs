using System.Buffers;
using System.Text;
using System.Xml;

namespace Formatters.TradeEngine.Extraction;

/// <summary>A way to take the fields that a component needs out of a body. Not for several threads.</summary>
internal abstract class FieldExtraction(string name, MessageFormats formats)
{
    /// <summary>Its name in reports.</summary>
    internal string Name => name;

    /// <summary>The format of the bodies that it reads.</summary>
    internal MessageFormats Formats => formats;

    /// <summary>All ways: the study's, the one that it proposes, and others.</summary>
    internal static IReadOnlyList<FieldExtraction> CreateAll() =>
    [
        new SpanSearch(),
        new BoyerMooreSearch(),
        new TagScan(),
        new ReaderExtraction(),
        new FormatterExtraction("XmlSerializer", MessageFormats.Xml, MessageFormats.XmlSerializer),
        new FormatterExtraction("generated XML", MessageFormats.Xml, MessageFormats.Xml),
        new FormatterExtraction("binary", MessageFormats.Binary, MessageFormats.Binary),
        new FormatterExtraction("MessagePack", MessageFormats.MessagePack, MessageFormats.MessagePack),
    ];

    /// <summary>Takes the fields out of a body.</summary>
    /// <param name="type">The type that the label names.</param>
    /// <param name="fields">Receives them.</param>
    /// <exception cref="FormatException">A field is missing or not what it should be.</exception>
    /// <exception cref="MessageFormatException">A formatter cannot read the body.</exception>
    internal abstract void Extract(MessageType type, byte[] body, ExtractedFields fields);

    private static FormatException Missing(int field) => new($"There is no element '{Encoding.ASCII.GetString(FieldNames.All[field])}'.");

    /// <summary>The whole message is one string, and each element is searched for from its beginning.</summary>
    private abstract class StringSearch(string name) : FieldExtraction(name, MessageFormats.Xml)
    {
        private protected static readonly byte[][] Tags = [.. FieldNames.All.ToArray().Select(field => (byte[])[(byte)'<', .. field, (byte)'>'])];

        private protected abstract int IndexOfTag(ReadOnlySpan<byte> body, int field);

        internal override void Extract(MessageType type, byte[] body, ExtractedFields fields)
        {
            fields.Clear();
            foreach (int field in FieldNames.Of(type))
            {
                int start = IndexOfTag(body, field);
                if (start < 0)
                    throw Missing(field);
                ReadOnlySpan<byte> rest = body.AsSpan(start + Tags[field].Length);
                int length = rest.IndexOf((byte)'<');
                fields.Set(field, length < 0 ? throw Missing(field) : rest[..length]);
            }
        }
    }

    /// <summary>The study's way (<c>strstr</c>), by the vectorized search of .NET.</summary>
    private sealed class SpanSearch() : StringSearch("span search")
    {
        private protected override int IndexOfTag(ReadOnlySpan<byte> body, int field) => body.IndexOf(Tags[field]);
    }

    /// <summary>The way that the study proposes instead.</summary>
    private sealed class BoyerMooreSearch() : StringSearch("Boyer-Moore")
    {
        private static readonly BoyerMoore[] Searches = [.. Tags.Select(tag => new BoyerMoore(tag))];

        private protected override int IndexOfTag(ReadOnlySpan<byte> body, int field) => Searches[field].IndexOf(body);
    }

    /// <summary>From one tag to the next, once through the message, each by a vectorized search for the characters of tags.</summary>
    private sealed class TagScan() : FieldExtraction("SearchValues", MessageFormats.Xml)
    {
        private static readonly SearchValues<byte> NameEnds = SearchValues.Create(" />"u8);

        internal override void Extract(MessageType type, byte[] body, ExtractedFields fields)
        {
            fields.Clear();
            int left = FieldNames.Of(type).Length;
            ReadOnlySpan<byte> rest = body;
            while (left > 0)
            {
                int start = rest.IndexOf((byte)'<');
                if (start < 0)
                    throw new FormatException($"{left} elements are missing.");
                rest = rest[(start + 1)..];
                int length = rest.IndexOfAny(NameEnds);
                if (length <= 0)
                    continue;
                ReadOnlySpan<byte> name = rest[..length];
                if (rest[length] != (byte)'>' || FieldNames.IndexOf(name) is var field && field < 0)
                {
                    rest = rest[length..];
                    continue;
                }

                rest = rest[(length + 1)..];
                int end = rest.IndexOf((byte)'<');
                fields.Set(field, end < 0 ? throw Missing(field) : rest[..end]);
                rest = rest[end..];
                left--;
            }
        }
    }

    /// <summary>XmlReader: every element is visited, and the needed ones are taken.</summary>
    private sealed class ReaderExtraction() : FieldExtraction("XmlReader", MessageFormats.Xml)
    {
        private static readonly XmlReaderSettings Settings =
            new() { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, IgnoreComments = true };

        private readonly byte[] _name = new byte[64];
        private readonly byte[] _text = new byte[256];

        internal override void Extract(MessageType type, byte[] body, ExtractedFields fields)
        {
            fields.Clear();
            int left = FieldNames.Of(type).Length;
            using var stream = new MemoryStream(body, writable: false);
            using var reader = XmlReader.Create(stream, Settings);
            while (left > 0 && reader.Read())
            {
                if (reader.NodeType != XmlNodeType.Element || reader.LocalName.Length > _name.Length)
                    continue;
                int field = FieldNames.IndexOf(_name.AsSpan(0, Encoding.UTF8.GetBytes(reader.LocalName, _name)));
                if (field < 0)
                    continue;
                reader.Read();
                fields.Set(field, _text.AsSpan(0, Encoding.UTF8.GetBytes(reader.Value, _text)));
                left--;
            }

            if (left > 0)
                throw new FormatException($"{left} elements are missing.");
        }
    }

    /// <summary>A formatter reads the whole message into the objects of the one before.</summary>
    private sealed class FormatterExtraction : FieldExtraction
    {
        private readonly IMessageReading[] _readings;

        internal FormatterExtraction(string name, MessageFormats bodies, MessageFormats reading)
            : base(name, bodies) => _readings = [.. MessageTypes.Inbound.Select(reading.CreateReading)];

        internal override void Extract(MessageType type, byte[] body, ExtractedFields fields) =>
            fields.Take(_readings[Array.IndexOf(MessageTypes.Inbound, type)].Read(body));
    }
}

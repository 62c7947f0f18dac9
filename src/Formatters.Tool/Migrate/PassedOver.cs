using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Formatters.Tools.Migrate;

/// <summary>Finds what a body holds and its reader passes over, since the type lacks it.</summary>
/// <remarks>
/// What was read is written again in the format of the body. Where these bytes are those of the body, it holds nothing else; where they are not, both
/// are compared without the type, as the inspectors see them: what the second one lacks was not read. XmlSerializer says it itself.
/// </remarks>
internal static class PassedOver
{
    internal static void Find(IMessageFormatter reader, MessageBody body, object? value, ChangeList changes)
    {
        if (value is null || InnermostOf(reader, body) is not { } formatter)
            return;
        try
        {
            if (XmlPassedOver.CanFind(formatter))
            {
                XmlPassedOver.Find(formatter, body, changes);
                return;
            }

            if (InspectorOf(formatter, body) is not { } inspector)
                return;
            var again = new MessageBody();
            formatter.Write(again, value);
            if (again.Bytes.Length == body.Bytes.Length && again.ToArray().AsSpan().SequenceEqual(body.ToArray()))
                return;
            Compare(inspector, body.ToArray(), again.ToArray(), value.GetType(), changes);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            changes.Add(
                new ChangePlace(TypeText.Of(value.GetType()), "", ChangeKind.Unchecked),
                $"what else is in the body is not known, since it cannot be written again in its own format: {e.Message}",
                () => MemberTexts.NameOf(value.GetType()));
        }
    }

    private static IMessageFormatter? InnermostOf(IMessageFormatter? formatter, MessageBody body)
    {
        while (formatter is FormatterRegistry registry)
            formatter = registry.Find(body);
        return formatter;
    }

    /// <summary>Null where a reader refuses what it does not know (binary, ActiveX), and where the format is the user's own.</summary>
    private static MessageInspector? InspectorOf(IMessageFormatter formatter, MessageBody body)
    {
        string? contentType = formatter.GetType().GetProperty(nameof(MessageFormatter<object>.ContentType))?.GetValue(formatter) as string ?? body.ContentType;
        MessageInspector? inspector = contentType is null ? null : MessageInspector.Find(contentType.Split(';')[0].Trim());
        return inspector == MessageInspector.Binary ? null : inspector;
    }

    private static void Compare(MessageInspector inspector, byte[] before, byte[] after, Type type, ChangeList changes)
    {
        if (inspector == MessageInspector.Protobuf)
        {
            new BodyTree(changes, type).Compare(ProtobufNode.Read(before), ProtobufNode.Read(after));
            return;
        }

        var options = new JsonDocumentOptions { MaxDepth = int.MaxValue, CommentHandling = JsonCommentHandling.Skip };
        using JsonDocument left = JsonDocument.Parse(inspector == MessageInspector.Json ? before : System.Text.Encoding.UTF8.GetBytes(inspector.Inspect(before)), options);
        using JsonDocument right = JsonDocument.Parse(inspector == MessageInspector.Json ? after : System.Text.Encoding.UTF8.GetBytes(inspector.Inspect(after)), options);
        if (inspector == MessageInspector.LegacyBinary)
            new LegacyTree(changes, left.RootElement, right.RootElement).Compare();
        else
            new BodyTree(changes, type).Compare(new JsonNode(left.RootElement, inspector == MessageInspector.Json), new JsonNode(right.RootElement, inspector == MessageInspector.Json));
    }
}

/// <summary>A value in a body of which no type is known.</summary>
internal abstract class BodyNode
{
    internal virtual bool IsNull => false;

    /// <summary>Gets whether it is the value that a format may leave out.</summary>
    internal virtual bool IsDefault => IsNull;

    /// <summary>Determines whether to look into it would tell nothing.</summary>
    internal virtual bool EqualsBytes(BodyNode other) => false;

    /// <summary>Its members by name or number; null if it has none.</summary>
    internal virtual IEnumerable<KeyValuePair<string, BodyNode>>? Members => null;

    /// <summary>Its elements; null if it has none.</summary>
    internal virtual IReadOnlyList<BodyNode>? Elements => null;
}

/// <summary>A value of JSON, or of what an inspector has printed.</summary>
internal sealed class JsonNode(JsonElement element, bool isJson) : BodyNode
{
    internal override bool IsNull => element.ValueKind is JsonValueKind.Null;

    internal override bool IsDefault => element.ValueKind switch
    {
        JsonValueKind.Null or JsonValueKind.False => true,
        JsonValueKind.Number => element.GetRawText().AsSpan().IndexOfAnyInRange('1', '9') < 0,
        JsonValueKind.String => element.ValueEquals(""),
        JsonValueKind.Array => element.GetArrayLength() == 0,
        _ => false,
    };

    internal override IEnumerable<KeyValuePair<string, BodyNode>>? Members => IsObject
        ? element.EnumerateObject().Select(property => KeyValuePair.Create(property.Name, (BodyNode)new JsonNode(property.Value, isJson))) : null;

    internal override IReadOnlyList<BodyNode>? Elements => element.ValueKind == JsonValueKind.Array ? [.. element.EnumerateArray().Select(item => new JsonNode(item, isJson))] : null;

    /// <summary>Gets whether the value is an object with members, and not one that stands for a value that JSON does not have
    /// (<c>$date</c>).</summary>
    private bool IsObject => element.ValueKind == JsonValueKind.Object
        && (isJson || !element.EnumerateObject().Take(1).Any(static property => property.Name is "$binary" or "$float" or "$decimal" or "$date" or "$timeSpan" or "$guid" or "$timestamp"
            || property.Name.StartsWith("$extension", StringComparison.Ordinal)));
}

/// <summary>A field of protobuf, or a message.</summary>
internal sealed class ProtobufNode : BodyNode
{
    private readonly byte[] _bytes;
    private readonly bool _isMessage;
    private readonly bool _isRepeated;
    private List<KeyValuePair<string, BodyNode>>? _members;

    private ProtobufNode(byte[] bytes, bool isMessage, IReadOnlyList<BodyNode>? elements = null)
    {
        _bytes = bytes;
        _isMessage = isMessage;
        _isRepeated = elements is not null;
        Elements = elements;
    }

    internal override bool IsDefault => _isRepeated ? Elements!.All(static element => element.IsDefault) : Array.TrueForAll(_bytes, static value => value == 0);

    internal override IReadOnlyList<BodyNode>? Elements { get; }

    internal override IEnumerable<KeyValuePair<string, BodyNode>>? Members => _isMessage && !_isRepeated ? _members ??= ReadFields(_bytes) : null;

    internal static ProtobufNode Read(byte[] body) => new(body, isMessage: true);

    internal override bool EqualsBytes(BodyNode other) => !_isRepeated && other is ProtobufNode { _isRepeated: false } node && _bytes.AsSpan().SequenceEqual(node._bytes);

    /// <summary>The fields by number; those that come several times as one with elements. Null if the bytes are not fields.</summary>
    private static List<KeyValuePair<string, BodyNode>>? ReadFields(byte[] bytes)
    {
        var fields = new List<(uint Number, ProtobufNode Node)>();
        ReadOnlySpan<byte> rest = bytes;
        while (rest.Length > 0)
        {
            if (!TryReadVarint(ref rest, out ulong tag) || tag >> 3 is 0 or > 0x1FFFFFFF)
                return null;
            ReadOnlySpan<byte> start = rest;
            int length;
            switch (tag & 7)
            {
                case 0:
                    if (!TryReadVarint(ref rest, out ulong value))
                        return null;
                    fields.Add(((uint)(tag >> 3), new ProtobufNode(BitConverter.GetBytes(value), isMessage: false)));
                    continue;
                case 1:
                    length = 8;
                    break;
                case 5:
                    length = 4;
                    break;
                case 2:
                    if (!TryReadVarint(ref rest, out ulong byteCount) || byteCount > (ulong)rest.Length)
                        return null;
                    length = (int)byteCount;
                    break;
                default:
                    return null;
            }

            if (length > rest.Length)
                return null;
            fields.Add(((uint)(tag >> 3), new ProtobufNode(rest[..length].ToArray(), isMessage: (tag & 7) == 2)));
            rest = rest[length..];
        }

        return [.. fields.GroupBy(static field => field.Number).Select(static group => KeyValuePair.Create(
            group.Key.ToString(System.Globalization.CultureInfo.InvariantCulture),
            (BodyNode)(group.Count() == 1 ? group.First().Node : new ProtobufNode([], isMessage: false, [.. group.Select(static field => field.Node)]))))];
    }

    private static bool TryReadVarint(ref ReadOnlySpan<byte> bytes, out ulong value)
    {
        value = 0;
        for (int i = 0; i < Math.Min(10, bytes.Length); i++)
        {
            value |= (ulong)(bytes[i] & 0x7F) << (7 * i);
            if (bytes[i] < 0x80)
            {
                bytes = bytes[(i + 1)..];
                return true;
            }
        }

        return false;
    }
}

using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Formatters.Bench.Peers;

/// <summary>System.Text.Json, source-generated for the study's order, through a <see cref="Utf8JsonWriter"/> for each thread.</summary>
internal sealed class SystemTextJsonPeer() : Peer("System.Text.Json", "System.Text.Json, called directly", RowFormat.Json, canChange: true)
{
    private static readonly JsonSerializerOptions WithFields = new() { IncludeFields = true, TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    internal override MessageFormatter<T> Create<T>() =>
        new Formatter<T>((JsonTypeInfo<T>)(PeerJson.Default.GetTypeInfo(typeof(T)) ?? WithFields.GetTypeInfo(typeof(T))));

    private sealed class Formatter<T>(JsonTypeInfo<T> info) : PeerFormatter<T>(ContentTypes.Json, BodyTypes.Json)
    {
        [ThreadStatic]
        private static Utf8JsonWriter? t_writer;

        protected override void Serialize(IBufferWriter<byte> destination, T value)
        {
            Utf8JsonWriter writer = t_writer ??= new Utf8JsonWriter(Stream.Null);
            writer.Reset(destination);
            JsonSerializer.Serialize(writer, value, info);
            writer.Flush();
        }

        protected override T? Deserialize(in ReadOnlySequence<byte> body)
        {
            if (body.IsSingleSegment)
                return JsonSerializer.Deserialize(body.FirstSpan, info);
            var reader = new Utf8JsonReader(body);
            return JsonSerializer.Deserialize(ref reader, info);
        }
    }
}

/// <summary>The JSON contract of the order, generated at compile time.</summary>
[JsonSerializable(typeof(PeerOrder))]
internal sealed partial class PeerJson : JsonSerializerContext;

using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Formatters.Bench.Peers;
using Formatters.Benchmarks.Peers;
using Formatters.Benchmarks.Ratios;
using Formatters.Contracts;

namespace Formatters.Benchmarks.Models;

/// <summary>A payload to measure with. Many are re-made from those that other projects publish, so that not only our own kind of message is
/// measured.</summary>
/// <param name="name">The name in tables and for <c>--model</c>.</param>
/// <param name="source">Where the definition is from; empty for our own.</param>
internal abstract class Model(string name, string source)
{
    /// <summary>The name of the row that the others are divided by.</summary>
    internal const string Baseline = "BinaryWriter";

    /// <summary>The name of the row that no formatter is expected to beat.</summary>
    internal const string Limit = "limit";

    /// <summary>The name of the row of binary with strings in UTF-16.</summary>
    internal const string Utf16 = "binary UTF-16";

    private const string MemoryPack = "Cysharp/MemoryPack, sandbox/Benchmark";
    private const string Performance = "dotnet/performance, src/benchmarks/micro/Serializers";
    private const string Nino = "JasonXuDeveloper/Nino, src/Nino.Benchmark";

    private static readonly WireFormat[] Formats = [.. WireFormat.All.Where(static format => format.DefaultOptions is ContractOptions)];

    /// <summary>All models, in the order of the tables. A new model is one line here.</summary>
    internal static IReadOnlyList<Model> All { get; } =
    [
        new Of<Person>("person", MemoryPack, Person.Create()),
        new Of<ResponsePage>("response page", MemoryPack, ResponsePage.Create()),
        new Of<Answer>("nullables", MemoryPack, Answer.Create()),
        new Of<NetworkLayer>("float[65536]", MemoryPack, NetworkLayer.Create()),
        new Of<Path3>("vectors", MemoryPack, Path3.Create()),
        new Of<Login>("login", Performance, Login.Create()),
        new Of<Location>("location", Performance, Location.Create()),
        new Of<EventList>("event list", Performance, EventList.Create()),
        new Of<Collections>("collections", Performance, Collections.Create()),
        new Of<Settings>("settings", Performance, Settings.Create()),
        new Of<Tree>("tree", Performance, Tree.Create()),
        new Of<Mixed>("mixed", Nino, Mixed.Create()),
        new Of<NumberBag>("numbers", "", NumberBag.Create()),
        new Of<Doubles>("double[1000]", "", Doubles.Create()),
        new Of<Integers>("List<int>", "", Integers.Create()),
        new Of<WordCounts>("word counts", "", WordCounts.Create()),
        new Of<Invoice>("invoice", "", Invoice.Create()),
        new Of<Titles>("ASCII titles", "", Titles.Ascii()),
        new Of<Titles>("accented titles", "", Titles.Accented()),
        new Of<Titles>("Japanese titles", "", Titles.Japanese()),
    ];

    /// <summary>The names of all rows: the baseline, the limit, the formats of this library, and the other libraries. Google.Protobuf is none: it has
    /// classes of its own.</summary>
    internal static IReadOnlyList<string> Rows { get; } =
        [Baseline, Limit, .. Formats.Select(static format => format.Name), Utf16, .. Others.Select(static peer => peer.Name)];

    internal string Name { get; } = name;
    internal string Source { get; } = source;
    private static IEnumerable<Peer> Others =>
        [.. Peer.All.Where(static peer => peer is not GoogleProtobufPeer), new HyperionPeer()];

    /// <summary>Creates the cases of the model, the baseline first, and checks that each row reads what it has written.</summary>
    /// <param name="leftOut">Receives the rows that cannot carry the model, each with the reason.</param>
    internal abstract IReadOnlyList<RatioCase[]> CreateCases(ICollection<string> leftOut);

    private sealed class Of<T>(string name, string source, T value) : Model(name, source)
        where T : class, IModel<T>
    {
        // Some libraries read dates without their kind.
        private static readonly JsonSerializerOptions Json = new() { Converters = { new TicksConverter() } };

        internal override IReadOnlyList<RatioCase[]> CreateCases(ICollection<string> leftOut)
        {
            var rows = new List<(string Name, ModelRow<T> Row)>();
            Add(Baseline, () => new BinaryWriterModelRow<T>(value));
            Add(Limit, () => new LimitModelRow<T>(value, MessageFormatter.Create<T>(WireFormat.Binary).Write(value)));
            foreach (WireFormat format in Formats)
                Add(format.Name, () => new FormatterModelRow<T>(MessageFormatter.Create<T>(format), value));
            var utf16 = new BinaryBodyOptions { UseUtf16 = true };
            Add(Utf16, () => new FormatterModelRow<T>(MessageFormatter.Create<T>(WireFormat.Binary, utf16), value));
            foreach (Peer peer in Others)
                Add(peer.Name, () => new FormatterModelRow<T>(peer.Create<T>(), value));
            return
            [
                .. new[] { RowOperation.Write, RowOperation.Read }.Select(
                    operation => rows.Select(row => new RatioCase(row.Name, row.Row, Name, operation)).ToArray()),
            ];

            void Add(string row, Func<ModelRow<T>> create)
            {
                // Dictionaries may come in another order.
                JsonNode? expected = JsonSerializer.SerializeToNode(value, Json);
                try
                {
                    ModelRow<T> added = create();
                    if (!JsonNode.DeepEquals(JsonSerializer.SerializeToNode(added.Read(), Json), expected))
                        throw new InvalidOperationException($"{row}: the values of '{Name}' that are read are not those that were written.");
                    rows.Add((row, added));
                }
                catch (Exception e) when (Others.Any(peer => peer.Name == row))
                {
                    leftOut.Add($"{Name}: {row}: {(e.InnerException ?? e).Message}");
                }
            }
        }
    }

    /// <summary>Compares dates by their time alone.</summary>
    private sealed class TicksConverter : JsonConverter<DateTime>
    {
        public override DateTime Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options) => writer.WriteNumberValue(value.Ticks);
    }
}

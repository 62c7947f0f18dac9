using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Tools.Commands;
using Formatters.Contracts.Tests;
using Formatters.Envelopes;
using Formatters.Inspection;
using Formatters.Queues;
using Formatters.Tests.Support;

namespace Formatters.HostileBodies;

/// <summary>Good bodies of each format, damaged in random ways.</summary>
internal static class MutatedReads
{
    /// <summary>What reads bodies, by name.</summary>
    internal static readonly SortedDictionary<string, Func<MutatedTarget>> Targets = WithFormats(new(StringComparer.Ordinal)
    {
        ["activex"] = ActiveX,
        ["persist-stream"] = () =>
            Of(new PersistStreamFormatter<Parcel>(new Guid("00112233-4455-6677-8899-aabbccddeeff"), new BinaryBodyFormatter<Parcel>(Parcel.MessageContract)), Parcels),
        ["batch"] = Batch,
        ["binary-writer"] = () => Of(
            new BinaryWriterFormatter<Part>(
                static (part, writer) =>
                {
                    writer.Write(part.Name);
                    writer.Write(part.Price);
                    writer.Write(part.Count);
                },
                static reader => new Part { Name = reader.ReadString(), Price = reader.ReadDecimal(), Count = reader.ReadInt32() }),
            [.. Samples(1, random => new Part { Name = Secret.Text(random), Price = 1.5m })]),
        ["compressed-brotli"] = () => Compressed(CompressionAlgorithm.Brotli),
        ["compressed-deflate"] = () => Compressed(CompressionAlgorithm.Deflate),
        ["compressed-inside"] = () => Inside(
            static inner => new CompressedFormatter<Parcel>(inner, Always), static inner => new CompressedFormatter<byte[]>(inner, Always)),
        ["encrypted"] = () => Of(
            new EncryptedFormatter<Parcel>(new BinaryBodyFormatter<Parcel>(Parcel.MessageContract), EncryptionKeys),
            new EncryptedFormatter<Table>(new BinaryBodyFormatter<Table>(Table.MessageContract), EncryptionKeys)),
        ["encrypted-inside"] = () => Inside(
            static inner => new EncryptedFormatter<Parcel>(inner, EncryptionKeys), static inner => new EncryptedFormatter<byte[]>(inner, EncryptionKeys)),
        ["hand-coded"] = () => Of(
            new HandCodedFormatter<HandCodedPart>(),
            [.. Samples(8, random => new HandCodedPart { Name = Secret.Text(random), Price = 1.5m, Numbers = [1, 2] })]),
        ["inspect"] = Inspect,
        ["inspect-envelopes"] = InspectEnvelopes,
        ["json-canonical"] = () => Of(new JsonFormatter<Parcel>(new JsonOptions { IsCanonical = true }), new JsonFormatter<Table>(new JsonOptions { IsCanonical = true })),
        ["json-generated"] = () => Of(new JsonFormatter<Parcel>(JsonContext.Default.Parcel), new JsonFormatter<Table>(JsonContext.Default.Table)),
        ["json-reflection"] = () => Of(new JsonFormatter<Parcel>(), new JsonFormatter<Table>()),
        ["legacy-generated"] = () => Of(new LegacyBinaryFormatter<Parcel>(LegacyContracts.LegacyBinaryContract), Parcels) with { Allowance = Measured.LegacyAllowance },
        ["legacy-reflection"] = () => Of(new LegacyBinaryFormatter<Parcel>(), Parcels) with { Allowance = Measured.LegacyAllowance },
        ["messagepack-named"] = () => Of(new MessagePackFormatter<Parcel>(Named), new MessagePackFormatter<Table>(Named)),
        ["migrate"] = Migrate,
        ["protobuf-bcl"] = () => Of(new ProtobufFormatter<Parcel>(BclTypes), new ProtobufFormatter<Table>(BclTypes)),
        ["registry"] = Registry,
        ["signed"] = () => Of(
            new SignedFormatter<Parcel>(new BinaryBodyFormatter<Parcel>(Parcel.MessageContract), Keys), new SignedFormatter<Table>(new BinaryBodyFormatter<Table>(Table.MessageContract), Keys)),
        ["signed-inside"] = () => Inside(static inner => new SignedFormatter<Parcel>(inner, Keys), static inner => new SignedFormatter<byte[]>(inner, Keys)),
        ["stack-overflow"] = () => new MutatedTarget([new byte[1]], _ => Overflow(1)),
        ["xml-generated"] = () => Of(new XmlFormatter<Parcel>(Parcel.MessageContract), Parcels),
        ["xml-serializer"] = () => Of(new XmlFormatter<Parcel>(ByReflection.Xml), Parcels),
        ["xml-untyped"] = XmlUntyped,
    });

    private static SortedDictionary<string, Func<MutatedTarget>> WithFormats(SortedDictionary<string, Func<MutatedTarget>> targets)
    {
        foreach (((string Name, Func<MessageFormatter<Parcel>> Create) parcel, (string Name, Func<MessageFormatter<Table>> Create) table) in
            AllFormats.Rows<Parcel>().Zip(AllFormats.Rows<Table>()))
            targets.Add(parcel.Name, () => Of(parcel.Create(), table.Create()));
        return targets;
    }

    private static CompressionOptions Always => new() { MinByteCount = 1 };

    private static MessagePackOptions Named => ByReflection.MessagePack with { Form = MessagePackForm.Map };

    private static ProtobufOptions BclTypes => ByReflection.Protobuf with { UseBclTypes = true };

    private static KeyRing<EncryptionKey> EncryptionKeys => new(EncryptionKey.AesGcm("k1", new byte[32]), EncryptionKey.AesGcm("k2", new byte[16]));

    private static KeyRing<SigningKey> Keys => new(SigningKey.HmacSha256("k1", new byte[32]), SigningKey.HmacSha256("k2", new byte[40]));

    /// <summary>Shows that a death is seen.</summary>
    private static int Overflow(int depth) => Overflow(depth + 1) + depth;

    private static Parcel[] Parcels => [.. Samples(8, random => Parcel.Create(random, random.Next(1, 4)))];

    /// <summary>Reads damaged bodies on a small stack.</summary>
    /// <param name="name">Of a target.</param>
    /// <param name="count">How many.</param>
    /// <param name="seed">Of the first; each of the others has one more.</param>
    /// <returns>How many were refused.</returns>
    internal static int Run(string name, int count, int seed)
    {
        MutatedTarget target = Targets[name]();
        int refused = 0;
        Measured.OnStack(Measured.StackByteCount, () =>
        {
            // What is compiled and kept at the first use is not the body's doing.
            foreach (byte[] good in target.BatchSize > 1 ? [] : target.Bodies)
                Measured.Typed(() => target.Read(good));
            for (int i = 0; i < count; i++)
            {
                if (i % 1000 == 0)
                    Console.WriteLine($"at {seed + i}");
                byte[] body = Damage(new Random(seed + i), target.Bodies);
                try
                {
                    if (target.BatchSize > 1)
                        target.Read(body);
                    else if (Measured.Within(body.Length, () => target.Read(body), allowance: target.Allowance) is not null)
                        refused++;
                }
                catch (BrokenPromiseException e)
                {
                    throw new BrokenPromiseException($"seed {seed + i}: {e.Message} The body: {Convert.ToHexString(body)}", e);
                }
            }

            target.Finish();
        });
        return refused;
    }

    private static byte[] Damage(Random random, IReadOnlyList<byte[]> good)
    {
        var body = new List<byte>(good[random.Next(good.Count)]);
        for (int n = random.Next(1, 5); n > 0 && body.Count > 0; n--)
        {
            int at = random.Next(body.Count), length = Math.Min(random.Next(1, 17), body.Count - at);
            switch (random.Next(9))
            {
                case 0:
                    body[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    body[at] = (byte)random.Next(256);
                    break;
                case 2:
                    body[at] = (byte)random.Next(3);
                    break;
                case 3:
                    body.RemoveRange(at, length);
                    break;
                case 4:
                    body.InsertRange(random.Next(body.Count), body.GetRange(at, length));
                    break;
                case 5:
                    body.Insert(at, (byte)random.Next(256));
                    break;
                case 6:
                    body.RemoveRange(at, body.Count - at);
                    break;
                case 7:
                    // A piece of another body.
                    byte[] other = good[random.Next(good.Count)];
                    int start = random.Next(other.Length);
                    body.InsertRange(at, other[start..Math.Min(other.Length, start + length)]);
                    break;
                default:
                    // Lengths and counts at the ends of their ranges.
                    byte[] ends = [0x7F, 0x80, 0xFF, 0xFE];
                    for (int i = 0; i < Math.Min(4, length); i++)
                        body[at + i] = ends[random.Next(ends.Length)];
                    break;
            }
        }

        return [.. body];
    }

    private static IEnumerable<T> Samples<T>(int count, Func<Random, T> create) => Enumerable.Range(1, count).Select(seed => create(new Random(seed)));

    /// <summary>
    /// Half of the bodies are read as they are, a quarter over an object that is there, a quarter in pieces: the body itself says which, so that a seed
    /// can be tried again.
    /// </summary>
    private static MutatedTarget Of<T>(MessageFormatter<T> formatter, params T[] values)
        where T : class
    {
        byte[][] bodies = [.. values.Select(value => formatter.Write(value))];
        return new(bodies, body =>
        {
            switch (body.Length == 0 ? 0 : (body[^1] + body[body.Length / 2]) % 8)
            {
                case 0:
                    T value = formatter.Read(bodies[0]);
                    formatter.Read(body, ref value);
                    break;
                case 1:
                    T? cleared = formatter.Read(bodies[0]);
                    formatter.ReadOrClear(body, ref cleared);
                    break;
                case 2 or 3:
                    formatter.Read(Bytes.Segmented(body, 32));
                    break;
                default:
                    formatter.Read(body);
                    break;
            }
        });
    }

    /// <summary>Damaged bodies in good envelopes: of a sender that has the key.</summary>
    private static MutatedTarget Inside(
        Func<MessageFormatter<Parcel>, MessageFormatter<Parcel>> around, Func<MessageFormatter<byte[]>, MessageFormatter<byte[]>> aroundBytes)
    {
        var inner = new MessagePackFormatter<Parcel>(Parcel.MessageContract);
        DelegateFormatter<byte[]> bytes = DelegateFormatter.FromArrays(inner.ContentType, inner.BodyType, static body => body, static (byte[] body) => body);
        MessageFormatter<byte[]> wrap = aroundBytes(bytes);
        MutatedTarget target = Of(around(inner), Parcels);
        return new([.. Parcels.Select(parcel => inner.Write(parcel))], body => target.Read(wrap.Write(body)));
    }

    private static MutatedTarget Of(MessageFormatter<Parcel> parcels, MessageFormatter<Table> tables)
    {
        MutatedTarget first = Of(parcels, Parcels), second = Of(tables, [.. Samples(4, Table.Create)]);
        // The bodies of one also for the other: half of a body of the right type, half of one of the wrong.
        return new([.. first.Bodies, .. second.Bodies], body =>
        {
            if ((body.Length & 1) == 0)
                first.Read(body);
            else
                second.Read(body);
        });
    }

    private static MutatedTarget Compressed(CompressionAlgorithm algorithm)
    {
        var options = new CompressionOptions { Algorithm = algorithm, MinByteCount = 16 };
        return Of(
            new CompressedFormatter<Parcel>(new BinaryBodyFormatter<Parcel>(Parcel.MessageContract), options),
            new CompressedFormatter<Table>(new BinaryBodyFormatter<Table>(Table.MessageContract), options));
    }

    private static MutatedTarget Batch()
    {
        var formatter = new BatchFormatter<Parcel>(new BinaryBodyFormatter<Parcel>(Parcel.MessageContract));
        return new([.. Enumerable.Range(0, 5).Select(count => formatter.Write(Parcels[..count]))], body =>
        {
            if ((body.Length & 1) == 0)
                formatter.Read(body);
            else
                formatter.ReadEach(body);
        });
    }

    /// <summary>The formatter that tells the types of bodies by their root elements.</summary>
    private static MutatedTarget XmlUntyped()
    {
        var formatter = new XmlFormatter(typeof(Parcel), typeof(Part));
        var bodies = new List<byte[]>();
        foreach (object value in (object[])[.. Parcels, .. Parcels[0].Parts])
        {
            var body = new MessageBody();
            formatter.Write(body, value);
            bodies.Add(body.ToArray());
        }

        return new(bodies, body => formatter.Read(new MessageBody(body)));
    }

    private static MutatedTarget InspectEnvelopes()
    {
        var inner = new MessagePackFormatter<Parcel>(Parcel.MessageContract);
        var options = new InspectionOptions { SigningKeys = Keys, EncryptionKeys = EncryptionKeys };
        var compressed = new CompressedFormatter<Parcel>(inner, new CompressionOptions { MinByteCount = 16 });
        var signed = new SignedFormatter<Parcel>(new CborFormatter<Parcel>(Parcel.MessageContract), Keys);
        (MessageInspector Inspector, byte[] Body)[] bodies =
        [
            (MessageInspector.Batch, new BatchFormatter<Parcel>(signed).Write(Parcels)),
            (MessageInspector.Signed, new SignedFormatter<Parcel>(inner, Keys).Write(Parcels[0])),
            (MessageInspector.Signed, new SignedFormatter<Parcel>(compressed, Keys).Write(Parcels[1])),
            (MessageInspector.Encrypted, new EncryptedFormatter<Parcel>(compressed, EncryptionKeys).Write(Parcels[2])),
            (MessageInspector.Compressed, compressed.Write(Parcels[3])),
            (MessageInspector.Batch, new BatchFormatter<Parcel>(compressed).Write(Parcels)),
        ];
        return new([.. bodies.Select(static pair => pair.Body)], body => bodies[body.Length % bodies.Length].Inspector.Inspect(body, TextWriter.Null, options));
    }

    private static MutatedTarget ActiveX()
    {
        var formatter = new ActiveXFormatter();
        object[] values = ["s3cr3t \u00e4", 42, 1.5, 12.5m, true, new DateTime(2026, 11, 20), new byte[] { 1, 2, 3 }, Guid.Empty, 'x', 7L];
        var bodies = new List<byte[]>();
        var varTypes = new List<int>();
        foreach (object value in values)
        {
            var body = new MessageBody();
            formatter.Write(body, value);
            bodies.Add([.. body.ToArray(), (byte)body.BodyType]);
            varTypes.Add(body.BodyType);
        }

        // The last byte of each is its body type.
        return new(bodies, body =>
        {
            if (body.Length > 0)
                formatter.Read(new MessageBody(body.AsSpan(0, body.Length - 1).ToArray(), varTypes[body[^1] % varTypes.Count]));
        });
    }

    private static FormatterRegistry CreateRegistry() => new(
        new BinaryBodyFormatter<Parcel>(Parcel.MessageContract),
        new VersionedFormatter<Parcel>(Parcel.MessageContract),
        new MessagePackFormatter<Parcel>(Parcel.MessageContract),
        new CborFormatter<Parcel>(Parcel.MessageContract),
        new ProtobufFormatter<Parcel>(Parcel.MessageContract),
        new JsonFormatter<Parcel>(JsonContext.Default.Parcel),
        new XmlFormatter<Parcel>(Parcel.MessageContract),
        new LegacyBinaryFormatter<Parcel>(LegacyContracts.LegacyBinaryContract),
        new ActiveXFormatter());

    private static MutatedTarget Registry()
    {
        FormatterRegistry registry = CreateRegistry();
        return new(BodiesOf(registry), body =>
        {
            // Tagged as one of them, or not at all.
            IMessageFormatter? formatter = body.Length == 0 ? null : registry.Readers[body[0] % registry.Readers.Count];
            var message = new MessageBody(body);
            if (formatter is not null && body.Length % 3 != 0)
            {
                var tagged = new MessageBody();
                if (formatter is not ActiveXFormatter)
                    formatter.Write(tagged, new Parcel());
                message = new MessageBody(body, tagged.BodyType, tagged.ContentType);
            }

            registry.Read(message);
        }) { Allowance = Measured.LegacyAllowance };
    }

    private static List<byte[]> BodiesOf(FormatterRegistry registry)
    {
        var bodies = new List<byte[]>();
        foreach (IMessageFormatter formatter in registry.Readers)
        {
            foreach (Parcel parcel in Parcels)
            {
                var body = new MessageBody();
                formatter.Write(body, formatter is ActiveXFormatter ? parcel.Text : parcel);
                bodies.Add(body.ToArray());
            }
        }

        return bodies;
    }

    private static MutatedTarget Inspect() => new(BodiesOf(CreateRegistry()), body =>
    {
        MessageInspector inspector = body.Length % 2 == 0 ? MessageInspector.Detect(new MessageBody(body)) : MessageInspector.All[body.Length / 2 % MessageInspector.All.Count];
        inspector.Inspect(body, TextWriter.Null);
    });

    /// <summary>Each body is moved by the tool from one queue in memory to another, or to that of the errors.</summary>
    private static MutatedTarget Migrate()
    {
        var connector = new QueueConnector([new MemoryQueueProvider()]);
        string[] options =
        [
            "migrate", "memory:old", "memory:new", "--error-queue", "memory:errors", "--type", typeof(Parcel).FullName!, "--assembly", typeof(Parcel).Assembly.Location, "--to-format", "binary",
            "--wait", "0",
        ];
        const int BatchSize = 500;
        var batch = new List<byte[]>();
        FormatterRegistry registry = CreateRegistry();
        return new(BodiesOf(registry), Add) { BatchSize = BatchSize, Finish = Move };

        void Add(byte[] body)
        {
            batch.Add(body);
            if (batch.Count == BatchSize)
                Move();
        }

        void Move()
        {
            MoveAsync().GetAwaiter().GetResult();
            batch.Clear();
        }

        async Task MoveAsync()
        {
            await using (QueueClient source = await connector.OpenAsync("memory:old"))
            {
                foreach (byte[] body in batch)
                    await source.SendAsync(new QueueMessage(new MessageBody(body)));
            }

            using var error = new StringWriter();
            int exitCode = await new OperatorApplication(TextWriter.Null, error, connector, TimeProvider.System).RunAsync(options);
            string errors = error.ToString();
            if (exitCode is not (0 or 1 or 3) || errors.Contains("   at ", StringComparison.Ordinal) || errors.Contains(Secret.Word, StringComparison.Ordinal))
                throw new BrokenPromiseException($"migrate: exit code {exitCode}: {errors}");
            long count = 0;
            foreach (string address in new[] { "memory:old", "memory:new", "memory:errors" })
            {
                await using QueueClient queue = await connector.OpenAsync(address);
                count += await queue.GetMessageCountAsync();
                await queue.PurgeAsync();
            }

            if (count != batch.Count)
                throw new BrokenPromiseException($"migrate: {count} messages of {batch.Count} are left.");
        }
    }
}

/// <summary>Reads bodies of one format.</summary>
/// <param name="Bodies">Good ones.</param>
/// <param name="Read">Reads one.</param>
internal sealed record MutatedTarget(IReadOnlyList<byte[]> Bodies, Action<byte[]> Read)
{
    /// <summary>How many are read together, so that what one takes cannot be told; usually 1.</summary>
    internal int BatchSize { get; init; } = 1;

    /// <summary>Reads what is left of a batch.</summary>
    internal Action Finish { get; init; } = static () => { };

    /// <summary>How many bytes a read may allocate beside those for each byte of the body.</summary>
    internal int Allowance { get; init; } = Measured.Allowance;
}

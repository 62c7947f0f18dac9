using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>
/// Generated contracts and contracts by reflection against a <see cref="Judge"/> of each format, which was written from the format's page and shares no code with the library: the bytes of
/// values, at every boundary; and of damaged bodies, which are read, and as what.
/// </summary>
public class JudgeTests(ITestOutputHelper output)
{
    /// <summary>Records with numbers as maps: only by reflection, since the generated contract of a type with numbers has arrays.</summary>
    private const string Maps = "MessagePack, maps";

    private const string BinaryUtf16 = "binary, UTF-16";

    private const string VersionedUtf16 = "versioned, UTF-16";

    private static readonly int s_seed = TestScale.Seed(20261129);

    /// <summary>The number of damaged bodies of each type in each format.</summary>
    private static readonly int s_count = TestScale.Values(10_000);

    private static readonly Dictionary<string, Func<Judge>> s_judges = new()
    {
        ["compact"] = static () => new CompactJudge(),
        ["CBOR"] = static () => new CborJudge(),
        ["binary"] = static () => new BinaryJudge(),
        ["versioned"] = static () => new VersionedJudge(),
        [BinaryUtf16] = static () => new BinaryJudge(writesUtf16: true),
        [VersionedUtf16] = static () => new VersionedJudge(writesUtf16: true),
        ["protobuf"] = static () => new ProtobufJudge(),
        ["MessagePack"] = static () => new MessagePackJudge(isMap: false),
        [Maps] = static () => new MessagePackJudge(isMap: true),
        ["RESP3"] = static () => new Resp3Judge(),
    };

    private static readonly Dictionary<string, Func<string, int>> s_types = new()
    {
        ["bool"] = Run<One<bool>>,
        ["byte"] = Run<One<byte>>,
        ["sbyte"] = Run<One<sbyte>>,
        ["short"] = Run<One<short>>,
        ["ushort"] = Run<One<ushort>>,
        ["int"] = Run<One<int>>,
        ["uint"] = Run<One<uint>>,
        ["long"] = Run<One<long>>,
        ["ulong"] = Run<One<ulong>>,
        ["char"] = Run<One<char>>,
        ["float"] = Run<One<float>>,
        ["double"] = Run<One<double>>,
        ["decimal"] = Run<One<decimal>>,
        ["DateTime"] = Run<One<DateTime>>,
        ["DateTimeOffset"] = Run<One<DateTimeOffset>>,
        ["TimeSpan"] = Run<One<TimeSpan>>,
        ["Guid"] = Run<One<Guid>>,
        ["BigInteger"] = Run<One<BigInteger>>,
        ["enum"] = Run<One<JudgedEnum>>,
        ["int?"] = Run<One<int?>>,
        ["double?"] = Run<One<double?>>,
        ["decimal?"] = Run<One<decimal?>>,
        ["BigInteger?"] = Run<One<BigInteger?>>,
        ["DateTime?"] = Run<One<DateTime?>>,
        ["string"] = Run<Boxed<string>>,
        ["byte[]"] = Run<Boxed<byte[]>>,
        ["Uri"] = Run<Boxed<Uri>>,
        ["Version"] = Run<Boxed<Version>>,
        ["IPAddress"] = Run<Boxed<IPAddress>>,
        ["List<int>"] = Run<Boxed<List<int>>>,
        ["List<double>"] = Run<Boxed<List<double>>>,
        ["List<long?>"] = Run<Boxed<List<long?>>>,
        ["Dictionary<long, string>"] = Run<Boxed<Dictionary<long, string>>>,
        ["record"] = Run<Judged>,
        ["union"] = Run<JudgedHolder>,
        ["structs"] = Run<JudgedRows>,
        ["names"] = Run<JudgedNames>,
#if !FORMATTERS_NETSTANDARD
        ["Half"] = Run<One<Half>>,
        ["DateOnly"] = Run<One<DateOnly>>,
        ["TimeOnly"] = Run<One<TimeOnly>>,
        ["Int128"] = Run<One<Int128>>,
        ["UInt128"] = Run<One<UInt128>>,
#endif
    };

    public static TheoryData<string, string> Cases
    {
        get
        {
            var cases = new TheoryData<string, string>();
            foreach (string format in s_judges.Keys)
            {
                // Without numbers, there is no contract for these two.
                foreach (string type in s_types.Keys.Where(type => type != "names" || format is not ("versioned" or VersionedUtf16 or "protobuf")))
                    cases.Add(format, type);
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Bodies_AreThoseOfThePage(string format, string type) => output.WriteLine($"Seed {s_seed}: {s_types[type](format)} damaged bodies read, the others refused, as the page says.");

    private static int Run<T>(string format)
    {
        Judge judge = s_judges[format]();
        Shape shape = Shape.Of(typeof(T));
        (string Name, MessageFormatter<T> Formatter)[] formatters = format switch
        {
            Maps => [(Maps, new MessagePackFormatter<T>(ByReflection.MessagePack with { Form = MessagePackForm.Map }))],
            BinaryUtf16 => [(format, new BinaryBodyFormatter<T>(Contract<T>(), new BinaryBodyOptions { UseUtf16 = true })),
                (format + " by reflection", new BinaryBodyFormatter<T>(ByReflection.Binary with { UseUtf16 = true }))],
            VersionedUtf16 => [(format, new VersionedFormatter<T>(Contract<T>(), new VersionedOptions { UseUtf16 = true })),
                (format + " by reflection", new VersionedFormatter<T>(ByReflection.Versioned with { UseUtf16 = true }))],
            _ => [.. AllFormats.Of<T>(typeof(JudgedContracts)).Where(row => row.Name.Split(',')[0] == format)],
        };
        Assert.Equal(format == Maps ? 1 : 2, formatters.Length);
        var random = new Random(s_seed);
        var values = new RandomValues(s_seed);
        List<byte[]> bodies = [];
        foreach (T value in Boundaries.Of<T>().Concat(Enumerable.Range(0, 100).Select(_ => values.Next<T>())))
        {
            byte[] body = judge.Write(shape, shape.Tree(value));
            bodies.Add(body);
            foreach ((string name, MessageFormatter<T> formatter) in formatters)
            {
                string text = shape.Print(shape.Tree(value), keepsNaN: true);
                Assert.True(body.AsSpan().SequenceEqual(formatter.Write(value)), $"{name} of {text}: {Convert.ToHexString(formatter.Write(value))}, not {Convert.ToHexString(body)}");
                Compare(judge, shape, formatter, name, body, mustRead: true);
            }
        }

        // Those that are cut off, those that are damaged, and those that only look like one.
        byte[] some = bodies[random.Next(bodies.Count)];
        byte[][] damaged =
        [
            .. Enumerable.Range(0, Math.Min(some.Length, 500)).Select(byteCount => some[..byteCount]),
            .. typeof(T) != typeof(Judged) ? judge.Forms(shape) : [],
            .. Enumerable.Range(0, s_count).Select(i => i % 2 == 0 ? judge.Likely(shape, random) : Damage(bodies[random.Next(bodies.Count)])),
        ];
        // A body that is cut off is the same whether or not its buffer goes on.
        foreach (byte[] body in bodies.Where(static body => body.Length > 0).Take(500))
        {
            foreach ((string name, MessageFormatter<T> formatter) in formatters)
                Assert.Equal((name, Outcome(formatter, body.AsSpan(0, body.Length - 1).ToArray())), (name, Outcome(formatter, body.AsSpan(0, body.Length - 1))));
        }

        int readCount = 0;
        foreach (byte[] body in damaged)
        {
            foreach ((string name, MessageFormatter<T> formatter) in formatters)
                readCount += Compare(judge, shape, formatter, name, body, mustRead: false) ? 1 : 0;
        }

        return readCount / formatters.Length;

        string Outcome(MessageFormatter<T> formatter, ReadOnlySpan<byte> body)
        {
            try
            {
                return shape.Print(shape.Tree(formatter.Read(body)), judge.KeepsNaN);
            }
            catch (MessageFormatException e)
            {
                return $"{e.Code} at {e.ByteOffset}";
            }
        }

        byte[] Damage(byte[] body) => body.Length == 0 ? judge.Likely(shape, random) : Mutant.Of(body, random);
    }

    private static MessageContract<T> Contract<T>() => AllFormats.ContractOf<T>(typeof(JudgedContracts))!;

    /// <returns>Whether the body is read.</returns>
    private static bool Compare<T>(Judge judge, Shape shape, MessageFormatter<T> formatter, string name, byte[] body, bool mustRead)
    {
        string expected, actual;
        bool isRead = true;
        try
        {
            expected = shape.Print(judge.Read(shape, body), judge.KeepsNaN);
        }
        catch (Judge.RefusedException) when (!mustRead)
        {
            expected = "refused";
            isRead = false;
        }

        try
        {
            actual = shape.Print(shape.Tree(formatter.Read(body)), judge.KeepsNaN);
        }
        catch (MessageFormatException e)
        {
            actual = isRead ? $"refused: {e.Message}" : "refused";
        }

        Assert.True(expected == actual, $"{name} reads {Convert.ToHexString(body)} as\n{actual}, not\n{expected}");
        return isRead;
    }
}

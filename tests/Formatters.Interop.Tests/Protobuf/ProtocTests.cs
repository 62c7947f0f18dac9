using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Formatters.Protobuf;
using Xunit;

namespace Formatters.Interop.Tests.Protobuf;

#pragma warning disable CA1069 // protoc is to see an alias.
public enum Level : byte
{
    Low = 1,
    High = 2,
    Top = 2,
}
#pragma warning restore CA1069

public enum Wide : ulong
{
    None,
    Big = ulong.MaxValue,
}

/// <summary>What has no form of its own in protobuf.</summary>
public sealed class Odd
{
    [MessageMember(1)] public Guid Id { get; set; }

    [MessageMember(2)] public decimal Price { get; set; }

    [MessageMember(3)] public DateTimeOffset When { get; set; }

    [MessageMember(4)] public Level Level { get; set; }

    [MessageMember(5)] public Wide Wide { get; set; }

    [MessageMember(6)] public List<int?> Gaps { get; set; } = [];

    [MessageMember(7)] public List<List<string>> Rows { get; set; } = [];

    [MessageMember(8)] public Dictionary<Guid, List<Level>> ById { get; set; } = [];

    [MessageMember(9)] public int[,] Grid { get; set; } = new int[0, 0];

    [MessageMember(10)] public (int, string) Pair { get; set; } = (0, "");

    [MessageMember(11, Name = "ZIPCode")] public string Zip { get; set; } = "";

    [MessageMember(12)] public Uri? Link { get; set; }

    [MessageMember(13, Encoding = MemberEncoding.Fixed)] public Guid Short { get; set; }

    [MessageMember(14)] public Dictionary<Level, Uri> Links { get; set; } = [];

    [MessageMember(15)] public char Sign { get; set; }
}

/// <summary>protoc compiles our schemas, reads our bodies, and writes bodies that we read.</summary>
public sealed class ProtocTests
{
    private static readonly ProtobufFormatter<Everything> Formatter = new();
    private static readonly string Schema = ProtobufSchema.Export<Everything>("formatters.interop");

    [ProtocFact]
    public void It_reads_our_bodies_and_writes_the_same_from_the_text()
    {
        var payloads = new RandomPayloads(new Random(1), sparseness: 2);
        for (int i = 0; i < 20; i++)
        {
            byte[] body = Formatter.Write(payloads.Next());
            (byte[] text, string error) = Protoc.Run(Schema, "--decode=formatters.interop.Everything", body);
            Assert.Equal("", error);
            byte[] again = Protoc.Run(Schema, "--deterministic_output --encode=formatters.interop.Everything", text).Output;
            // The order of maps, and entries with a default key or value, are written otherwise: the values are the same.
            byte[] canonical = Canonical(Formatter.Read(body));
            Assert.Equal(Convert.ToHexString(canonical), Convert.ToHexString(Canonical(Formatter.Read(again))));
        }
    }

    [ProtocFact]
    public void It_reads_a_body_by_the_names_of_the_schema()
    {
        var value = new Everything
        {
            Int32 = -1,
            SInt32 = -1,
            Time = new DateTime(1970, 1, 1, 0, 0, 1, DateTimeKind.Utc).AddTicks(1),
            Color = Color.Infra,
            Shape = new Square { Side = -3 },
            Int32s = [1, 300],
            Counts = new() { ["a"] = 7 },
            OptionalInt32 = 0,
        };
        string text = Encoding.UTF8.GetString(Protoc.Run(Schema, "--decode=formatters.interop.Everything", Formatter.Write(value)).Output);
        Assert.Equal(
            """
            int32: -1
            s_int32: -1
            color: COLOR_INFRA
            time {
              seconds: 1
              nanos: 100
            }
            shape {
              square {
                side: -3
              }
            }
            optional_int32: 0
            int32s: 1
            int32s: 300
            counts {
              key: "a"
              value: 7
            }

            """.ReplaceLineEndings("\n"),
            text);
    }

    [ProtocFact]
    public void It_compiles_the_schema_of_what_protobuf_has_no_form_for()
    {
        string schema = ProtobufSchema.Export([typeof(Odd), typeof(List<Odd>), typeof(int)], "odd");
        var value = new Odd
        {
            Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff", CultureInfo.InvariantCulture),
            Price = 1.20m,
            When = new DateTimeOffset(1970, 1, 1, 2, 0, 0, TimeSpan.FromHours(2)),
            Level = Level.High,
            Wide = Wide.Big,
            Gaps = [1, null, 0],
            Rows = [["a"], []],
            ById = new() { [Guid.Empty] = [Level.Low] },
            Grid = new[,] { { 1, 2 } },
            Pair = (4, "x"),
            Zip = "12345",
            Link = new Uri("http://a/"),
            Short = Guid.Parse("61626364-6566-6768-696a-6b6c6d6e6f70", CultureInfo.InvariantCulture),
            Links = new() { [Level.Low] = new Uri("b", UriKind.Relative) },
            Sign = '+',
        };
        byte[] body = new ProtobufFormatter<Odd>().Write(value);
        string text = Encoding.UTF8.GetString(Protoc.Run(schema, "--decode=odd.Odd", body).Output);
        Assert.Equal(
            """
            id: "00112233-4455-6677-8899-aabbccddeeff"
            price: "1.20"
            when {
              offset_minutes: 120
            }
            level: LEVEL_HIGH
            wide: 18446744073709551615
            gaps {
              value: 1
            }
            gaps {
            }
            gaps {
              value: 0
            }
            rows {
              value: "a"
            }
            rows {
            }
            by_id {
              key: ""
              value {
                value: LEVEL_LOW
              }
            }
            grid {
              lengths: 1
              lengths: 2
              items: 1
              items: 2
            }
            pair {
              item1: 4
              item2: "x"
            }
            zip_code: "12345"
            link: "http://a/"
            short: "abcdefghijklmnop"
            links {
              key: LEVEL_LOW
              value: "b"
            }
            sign: 43

            """.ReplaceLineEndings("\n"),
            text);
        byte[] encoded = Protoc.Run(schema, "--encode=odd.Odd", Encoding.UTF8.GetBytes(text)).Output;
        Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(new ProtobufFormatter<Odd>().Write(new ProtobufFormatter<Odd>().Read(encoded))));
    }

    [ProtocFact]
    public void It_writes_defaults_that_we_leave_out_and_we_read_them()
    {
        string schema = ProtobufSchema.Export([typeof(List<Odd>)], "odd");
        var random = new Random(7);
        var values = new List<Odd>();
        for (int i = 0; i < 200; i++)
            values.Add(NextOdd(random));
        var formatter = new ProtobufFormatter<List<Odd>>(new ProtobufOptions { IsCanonical = true });
        byte[] body = formatter.Write(values);
        byte[] text = Protoc.Run(schema, "--decode=odd.ListOfOddValue", body).Output;
        byte[] again = Protoc.Run(schema, "--encode=odd.ListOfOddValue", text).Output;
        Assert.NotEqual(body, again);
        Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(formatter.Write(formatter.Read(again))));
    }

    private static Odd NextOdd(Random random)
    {
        return new Odd
        {
            Id = Id(),
            Price = Pick(0m, 0.00m, -1.20m, decimal.MaxValue, new decimal(random.Next(), random.Next(), 0, true, 28)),
            When = Pick(DateTimeOffset.UnixEpoch, DateTimeOffset.MaxValue, new DateTimeOffset(1, 1, 2, 0, 0, 0, TimeSpan.FromHours(14))),
            Level = Pick(default, Level.Low, Level.High, (Level)200),
            Wide = Pick(Wide.None, Wide.Big),
            Gaps = Pick<List<int?>>([], [0], [null], [-1, null, 0]),
            Rows = Pick<List<List<string>>>([], [[]], [[""], ["a\"\n\u00e9\0", ""]]),
            ById = new() { [Id()] = Pick<List<Level>>([], [default], [Level.Low, Level.Top]) },
            Grid = Pick(new int[0, 0], new int[2, 0], new[,] { { 0 }, { -1 } }),
            Pair = (random.Next(2), Pick("", "x")),
            Zip = Pick("", "0"),
            Link = Pick(null, new Uri("", UriKind.Relative), new Uri("http://a/")),
            Short = Id(),
            Links = new() { [Pick(default, Level.Low)] = Pick(new Uri("", UriKind.Relative), new Uri("b", UriKind.Relative)) },
            Sign = Pick('\0', '\uD800', '+'),
        };

        Guid Id() => Pick(Guid.Empty, Guid.Empty, new Guid(Bytes(16)), Guid.Parse("ffffffff-ffff-ffff-ffff-ffffffffffff", CultureInfo.InvariantCulture));

        byte[] Bytes(int count)
        {
            byte[] bytes = new byte[count];
            random.NextBytes(bytes);
            return bytes;
        }

        T Pick<T>(params T[] values) => values[random.Next(values.Length)];
    }

    private static byte[] Canonical(Everything value) => new ProtobufFormatter<Everything>(new ProtobufOptions { IsCanonical = true }).Write(value);
}

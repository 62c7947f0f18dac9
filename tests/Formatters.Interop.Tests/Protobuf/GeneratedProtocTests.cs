using System;
using System.Globalization;
using System.Text;
using Formatters.Protobuf;
using Xunit;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>Bodies that generated code wrote, as protoc reads them with the schema that we export.</summary>
public sealed class GeneratedProtocTests
{
    private static readonly string Schema = ProtobufSchema.Export<Everything>("formatters.interop");

    [ProtocFact]
    public void It_reads_every_kind_of_scalar()
    {
        var value = new Everything
        {
            Bool = true,
            Int32 = -2,
            Int64 = long.MinValue,
            UInt32 = uint.MaxValue,
            UInt64 = ulong.MaxValue,
            SInt32 = -3,
            SInt64 = long.MinValue,
            Fixed32 = 4_000_000_000,
            Fixed64 = ulong.MaxValue - 1,
            SFixed32 = -5,
            SFixed64 = long.MaxValue,
            Float = 1.5f,
            Double = -0.25,
            String = "h\u00e9\n",
            Bytes = [0, 255],
            Color = Color.Green,
            Far = "away",
        };
        AssertText(
            """
            bool: true
            int32: -2
            int64: -9223372036854775808
            u_int32: 4294967295
            u_int64: 18446744073709551615
            s_int32: -3
            s_int64: -9223372036854775808
            fixed32: 4000000000
            fixed64: 18446744073709551614
            s_fixed32: -5
            s_fixed64: 9223372036854775807
            float: 1.5
            double: -0.25
            string: "h\303\251\n"
            bytes: "\000\377"
            color: COLOR_GREEN
            far: "away"

            """,
            value);
    }

    [ProtocFact]
    public void It_reads_messages_times_and_a_case_of_a_oneof()
    {
        var value = new Everything
        {
            Time = new DateTime(2026, 11, 21, 12, 34, 56, DateTimeKind.Utc).AddTicks(7_890_123),
            Duration = TimeSpan.FromSeconds(-1.5),
            Child = new Child { Id = 7, Next = new Child { Name = "next" }, Children = [new Child(), new Child { Id = -1 }], Weight = 0 },
            Shape = new Circle { Radius = 2, Label = "" },
        };
        AssertText(
            """
            time {
              seconds: 1795264496
              nanos: 789012300
            }
            duration {
              seconds: -1
              nanos: -500000000
            }
            child {
              id: 7
              next {
                name: "next"
              }
              children {
              }
              children {
                id: -1
              }
              weight: 0
            }
            shape {
              circle {
                radius: 2
                label: ""
              }
            }

            """,
            value);
    }

    [ProtocFact]
    public void It_reads_defaults_where_they_say_that_a_member_is_there()
    {
        var value = new Everything
        {
            OptionalInt32 = 0,
            OptionalBool = false,
            OptionalString = "",
            OptionalBytes = [],
            OptionalDouble = 0,
            OptionalColor = Color.None,
        };
        AssertText(
            """
            optional_int32: 0
            optional_bool: false
            optional_string: ""
            optional_bytes: ""
            optional_double: 0
            optional_color: COLOR_NONE

            """,
            value);
        AssertText("", new Everything());
    }

    [ProtocFact]
    public void It_reads_packed_and_repeated_fields_and_maps()
    {
        var value = new Everything
        {
            Int32s = [1, -1, 300],
            SInt64s = [-1, long.MaxValue],
            Fixed32s = [1, uint.MaxValue],
            Doubles = [0.5, 0],
            Bools = [true, false],
            Strings = ["", "x"],
            ByteArrays = [[1], []],
            Colors = [Color.Red, Color.Infra],
            Children = [new Child { Id = 1 }, new Child()],
            Times = [DateTime.UnixEpoch, DateTime.UnixEpoch.AddSeconds(-1)],
            Counts = new() { ["a"] = 7 },
            Names = new() { [-1] = "minus" },
            Nodes = new() { [true] = new Child { Id = 2 } },
            Numbers = new() { [-9] = 0.5, [9] = 1 },
        };
        value.UInt64s.Enqueue(ulong.MaxValue);
        AssertText(
            """
            int32s: 1
            int32s: -1
            int32s: 300
            s_int64s: -1
            s_int64s: 9223372036854775807
            fixed32s: 1
            fixed32s: 4294967295
            doubles: 0.5
            doubles: 0
            bools: true
            bools: false
            strings: ""
            strings: "x"
            byte_arrays: "\001"
            byte_arrays: ""
            colors: COLOR_RED
            colors: COLOR_INFRA
            children {
              id: 1
            }
            children {
            }
            times {
            }
            times {
              seconds: -1
            }
            u_int64s: 18446744073709551615
            counts {
              key: "a"
              value: 7
            }
            names {
              key: -1
              value: "minus"
            }
            nodes {
              key: true
              value {
                id: 2
              }
            }
            numbers {
              key: -9
              value: 0.5
            }
            numbers {
              key: 9
              value: 1
            }

            """,
            value);
        // Of the wire itself: packed elements are one field, of wire type 2.
        Assert.Equal("CA020401AC0200", Convert.ToHexString(new ProtobufFormatter<Everything>(GeneratedContracts.Everything).Write(new Everything { Int32s = [1, 300, 0] })));
    }

    [ProtocFact]
    public void It_reads_fields_that_an_older_contract_kept_without_knowing_them()
    {
        var value = new Child { Id = 1, Name = "new", Next = new Child { Id = 2 }, Children = [new Child { Name = "x" }], Weight = 0.5 };
        ProtobufFormatter<OldChild> old = ProtobufFormatter.Create<OldChild>();
        OldChild kept = old.Read(new ProtobufFormatter<Child>().Write(value));
        kept.Name = "changed";
        Assert.Equal(
            """
            id: 1
            name: "changed"
            next {
              id: 2
            }
            children {
              name: "x"
            }
            weight: 0.5

            """.ReplaceLineEndings("\n"),
            Decode(Schema, "formatters.interop.Child", old.Write(kept)));
        Assert.Equal(
            """
            id: 1
            name: "changed"
            3 {
              1: 2
            }
            4 {
              2: "x"
            }
            5: 0x3fe0000000000000

            """.ReplaceLineEndings("\n"),
            Decode(ProtobufSchema.Export<OldChild>("old"), "old.OldChild", old.Write(kept)));
    }

    [ProtocFact]
    public void It_reads_what_protobuf_has_no_form_for()
    {
        var value = new Odd
        {
            Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff", CultureInfo.InvariantCulture),
            Price = -1.20m,
            When = new DateTimeOffset(1970, 1, 1, 2, 0, 1, TimeSpan.FromHours(2)),
            Level = Level.Low,
            Wide = Wide.Big,
            Gaps = [null, -1],
            Rows = [["a", ""], []],
            Grid = new[,] { { 1 }, { 2 } },
            Pair = (4, "x"),
            Zip = "12345",
            Sign = '+',
        };
        Assert.Equal(
            """
            id: "00112233-4455-6677-8899-aabbccddeeff"
            price: "-1.20"
            when {
              seconds: 1
              offset_minutes: 120
            }
            level: LEVEL_LOW
            wide: 18446744073709551615
            gaps {
            }
            gaps {
              value: -1
            }
            rows {
              value: "a"
              value: ""
            }
            rows {
            }
            grid {
              lengths: 2
              lengths: 1
              items: 1
              items: 2
            }
            pair {
              item1: 4
              item2: "x"
            }
            zip_code: "12345"
            sign: 43

            """.ReplaceLineEndings("\n"),
            Decode(ProtobufSchema.Export<Odd>("odd"), "odd.Odd", new ProtobufFormatter<Odd>(GeneratedContracts.Odd).Write(value)));
    }

    private static void AssertText(string expected, Everything value) =>
        Assert.Equal(
            expected.ReplaceLineEndings("\n"),
            Decode(Schema, "formatters.interop.Everything", new ProtobufFormatter<Everything>(GeneratedContracts.Everything).Write(value)));

    private static string Decode(string schema, string message, byte[] body)
    {
        (byte[] text, string error) = Protoc.Run(schema, "--decode=" + message, body);
        Assert.Equal("", error);
        return Encoding.UTF8.GetString(text);
    }
}

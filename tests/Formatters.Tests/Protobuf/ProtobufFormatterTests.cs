using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using Formatters.Protobuf;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Protobuf;

public sealed class ProtobufFormatterTests
{
    [Fact]
    public void Defaults_are_left_out_and_read_as_defaults_whatever_the_initializer()
    {
        var formatter = new ProtobufFormatter<PersonV2>();
        Assert.Equal("", Convert.ToHexString(formatter.Write(new PersonV2 { Name = "", Tags = [] })));
        PersonV2 read = formatter.Read([]);
        Assert.Equal((0, "", null, null, 0, null), (read.Id, read.Name, read.Title, read.Boss, read.Balance, read.Rank));
        Assert.Empty(read.Tags);
        Assert.Equal(("application/x-protobuf", 0x4604), (formatter.ContentType, formatter.BodyType));
    }

    [Fact]
    public void Fields_are_in_the_order_of_the_numbers_and_a_nullable_member_has_presence()
    {
        byte[] body = new ProtobufFormatter<PersonV2>().Write(new PersonV2 { Id = 300, Name = "é", Title = "", Tags = ["a", ""], Boss = new() { Name = "", Tags = [] }, Balance = -1, Rank = 0 });
        Assert.Equal("08AC02" + "1200" + "1A02C3A9" + "220161" + "2200" + "2A00" + "800101" + "880100", Convert.ToHexString(body));
        PersonV2 read = new ProtobufFormatter<PersonV2>().Read(body);
        Assert.Equal((300, "é", "", -1, 0), (read.Id, read.Name, read.Title, read.Balance, read.Rank));
        Assert.Equal(["a", ""], read.Tags);
        Assert.Equal("", read.Boss!.Name);
    }

    [Fact]
    public void Parameters_of_a_record_are_members()
    {
        var formatter = new ProtobufFormatter<Point>();
        Assert.Equal("080110021803", Convert.ToHexString(formatter.Write(new Point(X: 1, Y: 2, Z: 3))));
        Assert.Equal(new Point(X: 1, Y: 2, Z: 0), formatter.Read(Bytes.Hex("1002 0801")));
    }

    [Theory]
    [InlineData("0801 0802", 2, "")]
    [InlineData("1A0161 1A0162", 0, "b")]
    public void Of_a_scalar_the_last_field_counts(string hex, int id, string name)
    {
        PersonV1 read = new ProtobufFormatter<PersonV1>().Read(Bytes.Hex(hex));
        Assert.Equal((id, name), (read.Id, read.Name));
    }

    [Fact]
    public void A_message_that_comes_twice_is_merged()
    {
        PersonV2 read = new ProtobufFormatter<PersonV2>().Read(Bytes.Hex("2A05 0801 220161" + "2A06 1A0162 220163"));
        Assert.Equal((1, "b"), (read.Boss!.Id, read.Boss.Name));
        Assert.Equal(["a", "c"], read.Boss.Tags);
        Assert.Equal(new Point(X: 1, Y: 2, Z: 0), new ProtobufFormatter<Graph>().Read(Bytes.Hex("0A00 3A02 0801 3A02 1002")).Point);
    }

    [Fact]
    public void Repeated_numbers_are_read_packed_and_not()
    {
        var formatter = new ProtobufFormatter<List<int>>();
        Assert.Equal("0A0401AC0200", Convert.ToHexString(formatter.Write([1, 300, 0])));
        Assert.Equal([1, 300, 0], formatter.Read(Bytes.Hex("0A0401AC0200")));
        Assert.Equal([1, 300, 0], formatter.Read(Bytes.Hex("0801 0A03AC0200")));
        Assert.Equal([1, 300, 0, 5], formatter.Read(Bytes.Hex("0801 0A02AC02 0A00 0A0100 0805")));
        Assert.Equal([1.5, -0.0], new ProtobufFormatter<double[]>().Read(new ProtobufFormatter<double[]>().Write([1.5, -0.0])));
    }

    [Fact]
    public void Fields_of_another_wire_type_are_unknown()
    {
        PersonV1 read = new ProtobufFormatter<PersonV1>().Read(Bytes.Hex("0D01000000 0805 0A0161"));
        Assert.Equal((5, 2), (read.Id, read.Unknown!.Count));
    }

    [Fact]
    public void Unknown_fields_are_kept_and_written_behind_the_others()
    {
        byte[] body = Bytes.Hex("1202 4472 08AC02 2A02 0801 FB01 0801 FC01 1A0161 88010A");
        PersonV1 read = new ProtobufFormatter<PersonV1>().Read(body);
        Assert.True(read.Unknown!.Contains(2) && read.Unknown.Contains(31) && !read.Unknown.Contains(1));
        byte[] written = new ProtobufFormatter<PersonV1>().Write(read);
        Assert.Equal("08AC02" + "1A0161" + "12024472" + "2A020801" + "FB010801FC01" + "88010A", Convert.ToHexString(written));
        PersonV2 newer = new ProtobufFormatter<PersonV2>().Read(written);
        Assert.Equal((300, "a", "Dr", 1, 10), (newer.Id, newer.Name, newer.Title, newer.Boss!.Id, newer.Rank));
        PersonV1 target = read;
        new ProtobufFormatter<PersonV1>().Read([], ref target);
        Assert.Null(target.Unknown);
    }

    [Fact]
    public void Unknown_fields_of_protobuf_do_not_get_into_a_versioned_body()
    {
        PersonV1 read = new ProtobufFormatter<PersonV1>().Read(Bytes.Hex("1202 4472 0805"));
        var versioned = new VersionedFormatter<PersonV1>();
        Assert.Throws<MessageFormatException>(() => versioned.Write(read));
        var dropping = new VersionedFormatter<PersonV1>(new VersionedOptions { Limits = FormatterLimits.Default with { DropForeignMembers = true } });
        byte[] body = dropping.Write(read);
        read.Unknown = null;
        Assert.Equal(versioned.Write(read), body);
    }

    [Fact]
    public void Groups_are_passed_over()
    {
        PersonV2 read = new ProtobufFormatter<PersonV2>().Read(Bytes.Hex("33 0801 3B 1200 3C 34 0807"));
        Assert.Equal(7, read.Id);
    }

    [Theory]
    [InlineData("33 0801", MessageFormatErrorCode.Truncated, 3)]
    [InlineData("33 0801 3C", MessageFormatErrorCode.Malformed, 3)]
    [InlineData("34", MessageFormatErrorCode.Malformed, 1)]
    [InlineData("00", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("0F01", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("0E01", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("8880808010 00", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("888080808000 00", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("88", MessageFormatErrorCode.Truncated, 1)]
    [InlineData("08", MessageFormatErrorCode.Truncated, 1)]
    [InlineData("08 FFFFFFFFFFFFFFFFFFFF01", MessageFormatErrorCode.Malformed, 1)]
    [InlineData("08 FFFFFFFFFFFFFFFFFF", MessageFormatErrorCode.Truncated, 10)]
    [InlineData("1A 05 61", MessageFormatErrorCode.Truncated, 3)]
    [InlineData("1A FFFFFFFF0F", MessageFormatErrorCode.BadLength, 1)]
    [InlineData("1A FFFFFFFF07", MessageFormatErrorCode.Truncated, 6)]
    [InlineData("1A 02 61FF", MessageFormatErrorCode.BadText, 3)]
    [InlineData("2A 02 0880", MessageFormatErrorCode.Truncated, 4)]
    [InlineData("2A 02 1A05 0000000000", MessageFormatErrorCode.Truncated, 4)]
    [InlineData("7D 000000", MessageFormatErrorCode.Truncated, 4)]
    [InlineData("79 00", MessageFormatErrorCode.Truncated, 2)]
    public void Bad_bytes_are_refused(string hex, MessageFormatErrorCode code, long byteOffset)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<PersonV2>().Read(Bytes.Hex(hex)));
        Assert.Equal((code, byteOffset, true), (error.Code, error.ByteOffset, error.IsPoison));
    }

    [Theory]
    [InlineData("0A03 000000", MessageFormatErrorCode.BadLength, 1)]
    [InlineData("0A02 0880", MessageFormatErrorCode.BadLength, 1)]
    public void Packed_elements_of_fixed_size_fill_their_length(string hex, MessageFormatErrorCode code, long byteOffset)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<List<float>>().Read(Bytes.Hex(hex)));
        Assert.Equal((code, byteOffset), (error.Code, error.ByteOffset));
    }

    [Fact]
    public void Numbers_are_cut_to_the_width_of_the_field_and_refused_beyond_that_of_the_type()
    {
        Assert.Equal([-1, 1], new ProtobufFormatter<List<int>>().Read(Bytes.Hex("0A0F FFFFFFFFFFFFFFFFFF01 8180808010")));
        Assert.Equal([false, true, true], new ProtobufFormatter<List<bool>>().Read(Bytes.Hex("0A04 00 01 8002")));
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<List<short>>().Read(Bytes.Hex("0803 08808002")));
        Assert.Equal((MessageFormatErrorCode.BadValue, 3, "List<short>[1]"), (error.Code, error.ByteOffset, error.MemberPath));
    }

    [Fact]
    public void The_default_of_a_string_or_bytes_is_read_where_it_is_written_all_the_same()
    {
        Assert.Equal([Guid.Empty], new ProtobufFormatter<List<Guid>>().Read(Bytes.Hex("0A00")));
        Assert.Equal([0m], new ProtobufFormatter<List<decimal>>().Read(Bytes.Hex("0A00")));
#if !FORMATTERS_NETSTANDARD
        Assert.Equal([UInt128.Zero], new ProtobufFormatter<List<UInt128>>().Read(Bytes.Hex("0A00")));
#endif
        Assert.Equal([0], new ProtobufFormatter<List<BigInteger>>().Read(Bytes.Hex("0A00")));
        Assert.Equal(Guid.Empty, Assert.Single(new ProtobufFormatter<Dictionary<Guid, decimal>>().Read(Bytes.Hex("0A04 0A00 1200"))).Key);
        Assert.Equal("", Assert.Single(new ProtobufFormatter<Dictionary<int, Uri>>().Read(Bytes.Hex("0A00"))).Value.OriginalString);
    }

    [Fact]
    public void A_null_that_is_not_declared_names_the_member()
    {
        var graph = new Graph { People = [new PersonV2(), new PersonV2 { Boss = new PersonV2 { Name = null! } }] };
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<Graph>().Write(graph));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "Graph.People[1].Boss.Name"), (error.Code, error.MemberPath));
        error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<Graph>().Write(new Graph { People = [null!] }));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "Graph.People[0]"), (error.Code, error.MemberPath));
        error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<Graph>().Write(new Graph { Words = new() { ["a"] = null! } }));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "Graph.Words[0]"), (error.Code, error.MemberPath));
    }

    [Fact]
    public void A_message_that_is_missing_is_that_of_a_new_object_or_an_error()
    {
        Assert.Equal("nobody", new ProtobufFormatter<Graph>().Read([]).Person.Name);
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<NeedsBoss>().Read([]));
        Assert.Equal((MessageFormatErrorCode.MissingMember, "NeedsBoss.Boss", true), (error.Code, error.MemberPath, error.IsPoison));
    }

    [Fact]
    public void A_value_that_the_type_refuses_is_a_bad_value()
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<List<Refuses>>().Read(Bytes.Hex("0A0B 08FFFFFFFFFFFFFFFFFF01")));
        Assert.Equal((MessageFormatErrorCode.BadValue, "List<Refuses>[0].Value"), (error.Code, error.MemberPath));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
    }

    [Fact]
    public void A_union_is_a_oneof()
    {
        var formatter = new ProtobufFormatter<List<Shape>>();
        byte[] body = formatter.Write([new Circle { Radius = 0 }, new Square { Side = 3, Label = "x" }]);
        Assert.Equal("0A020A00" + "0A0712050803120178", Convert.ToHexString(body));
        List<Shape> read = formatter.Read(body);
        Assert.IsType<Circle>(read[0]);
        Assert.Equal((3, "x"), (((Square)read[1]).Side, ((Square)read[1]).Label));

        // Two fields of one case are merged; of another case the last counts.
        var shape = new ProtobufFormatter<Shape>();
        Assert.Equal((3, "x"), shape.Read(Bytes.Hex("12020803 1203120178")) is Square square ? (square.Side, square.Label) : default);
        Assert.IsType<Circle>(shape.Read(Bytes.Hex("12020803 0A00")));
        byte[] unknown = Bytes.Hex("4A03 010203");
        Assert.Equal(9, Assert.IsType<UnknownShape>(shape.Read(unknown)).Tag);
        Assert.Equal(unknown, shape.Write(shape.Read(unknown)));
    }

    [Fact]
    public void A_oneof_that_does_not_fit_is_refused()
    {
        Refused<Declared<OneofTwice>>("<OneofTwice>.Value.Shape, Square: [MessageOneof] lists it twice");
        Refused<Declared<OneofForeign>>("<OneofForeign>.Value.Shape, Point: [MessageOneof] lists it, but it is not a case of the union Shape");
        Refused<Declared<OneofMissing>>("<OneofMissing>.Value.Shape: [MessageOneof] does not list Square, a case of the union Shape");
        Refused<Declared<OneofOfText>>("<OneofOfText>.Value.Text has [MessageOneof], but string is not a union");
        Refused<Declared<OneofTaken>>("has the number 2, which");
        Refused<Declared<OneofRetired>>("<OneofRetired>.Value.Shape has the number 9, which is retired");
        Refused<Declared<CaseNotNullable>>("<CaseNotNullable>.Value.Number has Oneof = \"value\", but is not nullable");
        Refused<Declared<CaseOfList>>("<CaseOfList>.Value.Numbers has Oneof = \"value\", but is a collection");
        Refused<Declared<OneofInOneof>>("<OneofInOneof>.Value.Shape has [MessageOneof] and Oneof");
        Refused<Declared<OneofEncoded>>("neither Encoding nor IsPacked applies to it");
        Refused<Declared<UnpackedTexts>>("<UnpackedTexts>.Value.Texts has IsPacked = false, which does not apply to it");
        // What is in a member's own type does not count for the member.
        Refused<Declared<EncodedRecord>>("<EncodedRecord>.Value.Person has Encoding = Fixed, which does not apply to it");

        static void Refused<T>(string expected) => Assert.Contains(expected, Assert.Throws<ArgumentException>(() => new ProtobufFormatter<T>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_union_without_a_known_case_is_refused()
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<Shape>().Read([]));
        Assert.Equal((MessageFormatErrorCode.MissingMember, true), (error.Code, error.IsPoison));
        Assert.Throws<ArgumentException>(() => new ProtobufFormatter<IClosed>());
        Assert.Throws<ArgumentException>(() => new ProtobufFormatter<DateTime?>());
    }

    [Fact]
    public void Of_two_entries_of_one_key_the_last_counts()
    {
        var formatter = new ProtobufFormatter<Dictionary<int, string>>();
        Assert.Equal("0A05080112016" + "1" + "0A00", Convert.ToHexString(formatter.Write(new() { [1] = "a", [0] = "" })));
        Assert.Equal(new Dictionary<int, string> { [1] = "b", [0] = "" }, formatter.Read(Bytes.Hex("0A05 0801 120161 0A00 0A05 120162 0801")));
        Dictionary<string, PersonV2> people = new ProtobufFormatter<Dictionary<string, PersonV2>>().Read(Bytes.Hex("0A03 0A0161"));
        Assert.Equal("", people["a"].Name);
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<HashSet<int>>().Read(Bytes.Hex("0A020101")));
        Assert.Equal(MessageFormatErrorCode.DuplicateKey, error.Code);
    }

    [Fact]
    public void Numbers_come_from_DataMember_and_ProtoMember()
    {
        Assert.Equal("08011002", Convert.ToHexString(new ProtobufFormatter<DataMembers>().Write(new() { First = 1, Second = 2, None = 3 })));
        byte[] body = new ProtobufFormatter<ProtoNet300>().Write(new() { Time = DateTime.UnixEpoch, Balance = -1, Fixed = 1, NoMember = 5 });
        Assert.Equal("0A00" + "1200" + "2801" + "310100000000000000", Convert.ToHexString(body));
    }

    [Fact]
    public void The_types_of_bcl_proto_are_those_of_protobuf_net()
    {
        var formatter = new ProtobufFormatter<ProtoNet>(new ProtobufOptions { UseBclTypes = true });
        var value = new ProtoNet
        {
            Time = new DateTime(1970, 1, 2, 1, 0, 0),
            Span = TimeSpan.FromTicks(-1),
            Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff", null),
            Price = -1.20m,
        };
        byte[] body = formatter.Write(value);
        Assert.Equal(
            "0A04" + "0832" + "1001" // 25 hours
            + "1204" + "0801" + "1005" // -1 tick
            + "1A12" + "093322110055447766" + "118899AABBCCDDEEFF"
            + "2204" + "0878" + "1805", // 120, negative, two decimals
            Convert.ToHexString(body));
        ProtoNet read = formatter.Read(body);
        Assert.Equal((value.Time, value.Span, value.Id, value.Price), (read.Time, read.Span, read.Id, read.Price));
        foreach (DateTime time in new[] { DateTime.MinValue, DateTime.MaxValue, new DateTime(1, 1, 1, 0, 0, 1), new DateTime(2026, 11, 21, 13, 0, 0, 5) })
            Assert.Equal(time, formatter.Read(formatter.Write(new ProtoNet { Time = time })).Time);
        foreach (TimeSpan span in new[] { TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.Zero, TimeSpan.FromDays(-3), TimeSpan.FromMinutes(7) })
            Assert.Equal(span, formatter.Read(formatter.Write(new ProtoNet { Span = span })).Span);
    }

    [Fact]
    public void A_type_has_a_codec_of_its_own_wherever_it_occurs()
    {
        var formatter = new ProtobufFormatter<Invoice>(ProtobufOptions.Default.WithCodec(new MoneyCodec()));
        var invoice = new Invoice { Total = new Money(7), Items = [new Money(1), new Money(0)] };
        byte[] body = formatter.Write(invoice);
        Assert.Equal("0A021007" + "1A021001" + "1A021000", Convert.ToHexString(body));
        Invoice read = formatter.Read(body);
        Assert.Equal((invoice.Total, invoice.Discount), (read.Total, read.Discount));
        Assert.Equal(invoice.Items, read.Items);
        Assert.Contains("import \"google/type/money.proto\";", ProtobufSchema.Export<Invoice>(options: ProtobufOptions.Default.WithCodec(new MoneyCodec())), StringComparison.Ordinal);
    }

    [Fact]
    public void Callbacks_are_called()
    {
        var formatter = new ProtobufFormatter<Called>();
        var value = new Called { Value = 4 };
        byte[] body = formatter.Write(value);
        Assert.Equal(["serializing", "serialized"], value.Calls);
        Assert.Equal(["deserializing", "deserialized 4"], formatter.Read(body).Calls);
    }

    [Fact]
    public void Reading_into_an_object_reuses_what_it_holds_and_merges_nothing()
    {
        var formatter = new ProtobufFormatter<Graph>();
        byte[] body = formatter.Write(NewGraph());
        Graph target = formatter.Read(body);
        (PersonV2 person, List<PersonV2> people, PersonV2 second, PersonV2[] array, Dictionary<string, string> words, string name, byte[] bytes, List<string> tags) =
            (target.Person, target.People, target.People[1], target.Array, target.Words, target.Person.Name, target.Bytes, target.Person.Tags);
        target.Person.Id = 100;
        target.Person.Rank = 5;
        target.People.Add(new PersonV2());
        target.Words["z"] = "z";
        target.Person.Tags.Add("c");
        Graph same = target;
        formatter.Read(body, ref target);
        Assert.Same(same, target);
        Assert.Same(person, target.Person);
        Assert.Same(people, target.People);
        Assert.Same(second, target.People[1]);
        Assert.Same(array, target.Array);
        Assert.Same(words, target.Words);
        Assert.Same(name, target.Person.Name);
        Assert.Same(bytes, target.Bytes);
        Assert.Same(tags, target.Person.Tags);
        Assert.Equal(body, formatter.Write(target));
        formatter.Read([], ref target);
        Assert.Equal(formatter.Write(formatter.Read([])), formatter.Write(target));
    }

    [Fact]
    public void Canonical_bodies_of_equal_objects_are_equal()
    {
        var formatter = new ProtobufFormatter<Graph>(new ProtobufOptions { IsCanonical = true });
        Graph one = NewGraph(), other = NewGraph();
        other.Words = one.Words.Reverse().ToDictionary();
        other.Set = [.. one.Set.Reverse()];
        one.Number = double.NaN;
        other.Number = BitConverter.Int64BitsToDouble(-1);
        Assert.Equal(formatter.Write(one), formatter.Write(other));
        Assert.NotEqual(new ProtobufFormatter<Graph>().Write(one), new ProtobufFormatter<Graph>().Write(other));
        Graph read = formatter.Read(formatter.Write(one));
        Assert.Equal(one.Words, read.Words);
        Assert.Equal(one.Set.Order(), read.Set.Order());
    }

    [Fact]
    public void Contracts_that_contradict_themselves_are_refused()
    {
        Assert.Contains("has no number", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Orders.Address>()).Message, StringComparison.Ordinal);
        Assert.Contains("19000", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Reserved>()).Message, StringComparison.Ordinal);
        Assert.Contains("has the number 0", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<NumberZero>()).Message, StringComparison.Ordinal);
        Assert.Contains("which First also has", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Twice>()).Message, StringComparison.Ordinal);
        Assert.Contains("Encoding = ", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<NoInteger>()).Message, StringComparison.Ordinal);
    }

    private static Graph NewGraph() => new()
    {
        Person = new PersonV2 { Id = 1, Name = "somebody else", Tags = ["a", "b"], Boss = new PersonV2 { Id = 9 } },
        People = [new PersonV2 { Id = 2 }, new PersonV2 { Id = 3 }],
        Array = [new PersonV2 { Id = 4 }],
        Words = { ["x"] = "y", ["a"] = new string('b', 200) },
        Bytes = [1, 2, 3],
        Set = [3, 300, 1],
        Point = new Point(1, 2),
        Grid = new[,] { { 1, 2, 3 }, { 4, 5, 6 } },
    };

    private sealed class Reserved
    {
        [MessageMember(19_000)]
        public int Value { get; set; }
    }

    private sealed class NumberZero
    {
        [MessageMember(0)]
        public int Value { get; set; }
    }

    private sealed class Twice
    {
        [MessageMember(1)]
        public int First { get; set; }

        [MessageMember(1)]
        public int Second { get; set; }
    }

    private sealed class NoInteger
    {
        [MessageMember(1, Encoding = MemberEncoding.ZigZag)]
        public string Text { get; set; } = "";
    }
}

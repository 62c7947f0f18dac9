using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.MessagePack;

public sealed class MessagePackFormatterTests(ITestOutputHelper output)
{
    [Fact]
    public void Numbered_members_are_an_array_with_nil_in_the_gaps()
    {
        var formatter = new MessagePackFormatter<PersonV1>();
        byte[] body = formatter.Write(new PersonV1 { Id = 5, Name = "Eve" });
        Assert.Equal("9305C0A3457665", Convert.ToHexString(body));
        Assert.Equal(("application/x-msgpack", 0x4603), (formatter.ContentType, formatter.BodyType));
        PersonV1 read = formatter.Read(body);
        Assert.Equal((5, "Eve"), (read.Id, read.Name));
    }

    [Fact]
    public void A_body_with_fewer_members_is_read_and_what_is_missing_stays_as_a_new_object_has_it()
    {
        PersonV2 read = new MessagePackFormatter<PersonV2>().Read(Bytes.Hex("9305C0A3457665"));
        Assert.Equal((5, "Eve", null, null), (read.Id, read.Name, read.Title, read.Boss));
        Assert.Equal(["new"], read.Tags);
        Assert.Equal("nobody", new MessagePackFormatter<PersonV2>().Read(Bytes.Hex("9105")).Name);
        Assert.Equal("nobody", new MessagePackFormatter<PersonV2>().Read(Bytes.Hex("90")).Name);
    }

    [Fact]
    public void A_body_with_more_members_is_read_and_the_others_are_passed_over()
    {
        byte[] body = new MessagePackFormatter<PersonV2>().Write(new PersonV2 { Id = 1, Name = "Ann", Title = "Dr", Tags = ["x", "y"], Boss = new PersonV1() });
        PersonV1 read = new MessagePackFormatter<PersonV1>().Read(body);
        Assert.Equal((1, "Ann"), (read.Id, read.Name));
    }

    [Fact]
    public void Parameters_of_a_record_carry_numbers_and_defaults()
    {
        var formatter = new MessagePackFormatter<Point>();
        Assert.Equal("93010203", Convert.ToHexString(formatter.Write(new Point(X: 1, Y: 2, Z: 3))));
        Assert.Equal(new Point(X: 1, Y: 2), formatter.Read(Bytes.Hex("920102")));
        Assert.Equal((MessageFormatErrorCode.MissingMember, "Point.Y"), Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("9101"))) is var error ? (error.Code, error.MemberPath) : default);
        Assert.Equal(new Point(X: 1, Y: 2, Z: 3), formatter.Read(Bytes.Hex("9401020309")));
    }

    [Fact]
    public void Names_come_from_the_attribute_and_in_any_order()
    {
        var formatter = new MessagePackFormatter<NameOnly>();
        Assert.Equal("84A16202A16101A34D6170C0A3536574C0", Convert.ToHexString(formatter.Write(new NameOnly { First = 1, Second = 2 })));
        NameOnly read = formatter.Read(Bytes.Hex("84 A161 07 A178 9101 05 C0 A162 08"));
        Assert.Equal((7, 8), (read.First, read.Second));
    }

    [Fact]
    public void The_form_can_be_chosen()
    {
        var point = new Point(X: 1, Y: 2, Z: 3);
        Assert.Equal("83A15902A15801A15A03", Convert.ToHexString(new MessagePackFormatter<Point>(new() { Form = MessagePackForm.Map }).Write(point)));
        byte[] array = new MessagePackFormatter<NameOnly>(new() { Form = MessagePackForm.Array }).Write(new NameOnly { First = 1, Second = 2 });
        Assert.Equal("940201C0C0", Convert.ToHexString(array));
    }

    [Fact]
    public void A_null_that_is_not_declared_names_the_member()
    {
        var graph = new Graph { People = [new PersonV2(), new PersonV2 { Boss = new PersonV1 { Name = null! } }] };
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<Graph>().Write(graph));
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, error.Code);
        Assert.Equal("Graph.People[1].Boss.Name", error.MemberPath);
        error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<PersonV1>().Read(Bytes.Hex("9305C0C0")));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "PersonV1.Name", 3), (error.Code, error.MemberPath, error.ByteOffset));
        error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<PersonV1>().Read(Bytes.Hex("C0")));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "PersonV1", 0), (error.Code, error.MemberPath, error.ByteOffset));
    }

    [Fact]
    public void A_name_that_comes_twice_is_refused()
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<NameOnly>().Read(Bytes.Hex("82 A161 01 A161 02")));
        Assert.Equal((MessageFormatErrorCode.DuplicateKey, 4), (error.Code, error.ByteOffset));
        error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<Dictionary<int, int>>().Read(Bytes.Hex("82 01 01 CC01 02")));
        Assert.Equal((MessageFormatErrorCode.DuplicateKey, 3), (error.Code, error.ByteOffset));
        error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<HashSet<int>>().Read(Bytes.Hex("920101")));
        Assert.Equal(MessageFormatErrorCode.DuplicateKey, error.Code);
    }

    [Fact]
    public void A_value_that_the_type_refuses_is_a_bad_value()
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<List<Refuses>>().Read(Bytes.Hex("9181A556616C7565FF")));
        Assert.Equal((MessageFormatErrorCode.BadValue, "List<Refuses>[0].Value"), (error.Code, error.MemberPath));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
    }

    [Fact]
    public void A_cycle_ends_with_an_error()
    {
        var node = new Node();
        node.Next = node;
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<Node>().Write(node));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, error.Code);
        node = new Node();
        for (int i = 0; i < 20; i++)
            node = new Node { Next = node, Children = [new Node()] };
        var formatter = new MessagePackFormatter<Node>();
        Assert.Equal(formatter.Write(node), formatter.Write(formatter.Read(formatter.Write(node))));
    }

    [Fact]
    public void Reading_into_an_object_reuses_what_it_holds_and_renews_what_is_missing()
    {
        var formatter = new MessagePackFormatter<Graph>();
        var graph = new Graph
        {
            Person = new PersonV2 { Id = 1, Name = "somebody else", Tags = ["a", "b"], Boss = new PersonV1 { Id = 9 } },
            People = [new PersonV2 { Id = 2 }, new PersonV2 { Id = 3 }],
            Array = [new PersonV2 { Id = 4 }],
            Words = { ["x"] = "y" },
            Bytes = [1, 2, 3],
        };
        byte[] body = formatter.Write(graph);
        Graph target = formatter.Read(body);
        (PersonV2 person, List<PersonV2> people, PersonV2 second, PersonV2[] array, Dictionary<string, string> words, string name, byte[] bytes) =
            (target.Person, target.People, target.People[1], target.Array, target.Words, target.Person.Name, target.Bytes);
        target.Person.Id = 100;
        target.People.Add(new PersonV2());
        target.Words["z"] = "z";
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
        Assert.Equal(body, formatter.Write(target));

        PersonV2 full = new() { Id = 1, Name = "x", Title = "t", Tags = [], Boss = new PersonV1() };
        new MessagePackFormatter<PersonV2>().Read(Bytes.Hex("9105"), ref full);
        Assert.Equal((5, "nobody", null, null), (full.Id, full.Name, full.Title, full.Boss));
        Assert.Equal(["new"], full.Tags);
    }

    [Fact]
    public void Canonical_bytes_do_not_depend_on_order()
    {
        MessagePackOptions canonical = new() { IsCanonical = true };
        var formatter = new MessagePackFormatter<NameOnly>(canonical);
        var one = new NameOnly { First = 1, Map = new() { [300] = double.NaN, [1] = 1, [-1] = 2 }, Set = ["bb", "a", "c"] };
        var other = new NameOnly { First = 1, Map = new() { [-1] = 2, [300] = BitConverter.Int64BitsToDouble(-1), [1] = 1 }, Set = ["c", "bb", "a"] };
        byte[] body = formatter.Write(one);
        Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(formatter.Write(other)));
        Assert.Equal(
            "84" + "A16101" + "A16200"
            + "A34D617083" + "01CB3FF0000000000000" + "CD012CCB7FF8000000000000" + "FFCB4000000000000000"
            + "A353657493A161A163A26262",
            Convert.ToHexString(body));
        Assert.NotEqual(new MessagePackFormatter<NameOnly>().Write(one), new MessagePackFormatter<NameOnly>().Write(other));
        Assert.Equal(body, formatter.Write(formatter.Read(body)));
    }

    [Fact]
    public void A_codec_of_ones_own_takes_part_in_contracts()
    {
        var formatter = new MessagePackFormatter<Invoice>(MessagePackOptions.Default.WithCodec(new MoneyCodec()));
        var invoice = new Invoice { Total = new Money(258), Items = [new Money(1)] };
        byte[] body = formatter.Write(invoice);
        Assert.Equal("93D7050000000000000102C091D7050000000000000001", Convert.ToHexString(body));
        Invoice read = formatter.Read(body);
        Assert.Equal((invoice.Total, null), (read.Total, read.Discount));
        Assert.Equal(invoice.Items, read.Items);
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("93C0C090")));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "Invoice.Total"), (error.Code, error.MemberPath));
        error = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("93D40500C090")));
        Assert.Equal((MessageFormatErrorCode.BadValue, "Invoice.Total", 1), (error.Code, error.MemberPath, error.ByteOffset));
        Assert.Equal(new Money(-1), new MessagePackFormatter<Money>(new MoneyCodec()).Read(Bytes.Hex("D705FFFFFFFFFFFFFFFF")));
    }

    [Fact]
    public void Unions_refuse_what_they_do_not_know()
    {
        var formatter = new MessagePackFormatter<IShape>();
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex("920790")));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, 1, false), (error.Code, error.ByteOffset, error.IsPoison));
        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => formatter.Write(new Triangle())).Code);
        Assert.IsType<Circle>(formatter.Read(Bytes.Hex("9200 91 CB3FF0000000000000")));
    }

    [Fact]
    public void Tuples_are_read_whole_only()
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<(int, int)>().Read(Bytes.Hex("9101")));
        Assert.Equal(MessageFormatErrorCode.BadValue, error.Code);
    }

    [Fact]
    public void A_matrix_whose_lengths_do_not_fit_is_refused()
    {
        var formatter = new MessagePackFormatter<int[,]>();
        Assert.Equal(new[,] { { 1, 2 }, { 3, 4 } }, formatter.Read(Bytes.Hex("93 02 02 94 01 02 03 04")));
        foreach (string hex in new[] { "93020293010203", "93FFFF90", "93CE7FFFFFFFCE7FFFFFFF90", "920202" })
            Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex(hex)));
    }

    [Theory]
    [InlineData(typeof(MixedNumbers), "has no number")]
    [InlineData(typeof(SameNumbers), "another member has the same number")]
    [InlineData(typeof(SameNames), "two members have the name")]
    [InlineData(typeof(NumberZero), "numbers start at 1")]
    [InlineData(typeof(Holder<object>), "Value: object is not supported")]
    [InlineData(typeof(Holder<Action>), "Value: Action is not supported")]
    [InlineData(typeof(Dictionary<int[], int>), "cannot be a dictionary key")]
    [InlineData(typeof(int?), "the payload itself cannot be null")]
    public void What_has_no_contract_is_refused_at_once(Type type, string text)
    {
        Exception? error = Assert.Throws<System.Reflection.TargetInvocationException>(
            () => Activator.CreateInstance(typeof(MessagePackFormatter<>).MakeGenericType(type), MessagePackOptions.Default)).InnerException;
        Assert.Contains(text, Assert.IsType<ArgumentException>(error).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Hostile_counts_allocate_nothing_to_speak_of()
    {
        foreach (string hex in new[] { "DD00FFFFFF", "DD7FFFFFFF", "DDFFFFFFFF" })
        {
            byte[] body = [.. Bytes.Hex(hex), .. new byte[100]];
            // What is allocated once.
            Refuse(body);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Refuse(body);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 200_000);
        }

        // Each nil takes one byte in the body and 40 in memory.
        byte[] nils = [0xDD, 0, 1, 0x86, 0xA0, .. Enumerable.Repeat((byte)0xC0, 100_000)];
        FormatterLimits strict = FormatterLimits.Default with { MaxAllocationFactor = 4 };
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<(decimal, decimal)?[]>(new MessagePackOptions { Limits = strict }).Read(nils));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);

        static void Refuse(byte[] body)
        {
            Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<List<Guid>>().Read(body));
            Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<int[]>().Read(body));
        }
    }

    [Theory]
    [InlineData(1, MessagePackForm.Array)]
    [InlineData(2, MessagePackForm.Map)]
    public void Damage_gives_only_typed_errors(int seed, MessagePackForm form)
    {
        OrderWithList order = SampleOrders.CreateWithList(seed, 3);
        var formatter = new MessagePackFormatter<OrderWithList>(new() { Form = form });
        byte[] body = formatter.Write(order);
        Mutation.Run(output, seed, 30_000, body, damaged => formatter.Read(damaged));
        for (int length = 0; length < body.Length; length++)
        {
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, length)));
            Assert.Equal((MessageFormatErrorCode.Truncated, length), (error.Code, error.ByteOffset));
        }

        Assert.Equal(MessageFormatErrorCode.TrailingBytes, Assert.Throws<MessageFormatException>(() => formatter.Read([.. body, 0])).Code);
    }

    [Fact]
    public void Every_golden_body_is_the_same_from_small_buffers_and_segments()
    {
        OrderWithList order = SampleOrders.CreateWithList(3, 5);
        var formatter = new MessagePackFormatter<OrderWithList>();
        byte[] body = formatter.Write(order);
        var stingy = new StingyBufferWriter();
        formatter.Write(stingy, order);
        Assert.Equal(body, stingy.ToArray());
        Assert.True(order.ContentEquals(formatter.Read(Bytes.Segmented(body, 1))));
    }

    [Fact]
    public void A_registry_reads_every_name_of_the_format()
    {
        var registry = new FormatterRegistry(new MessagePackFormatter<PersonV1>(), new BinaryBodyFormatter<PersonV1>());
        foreach (string contentType in new[] { "application/x-msgpack", "application/msgpack", "application/vnd.msgpack; charset=binary" })
        {
            var body = new MessageBody(Bytes.Hex("9305C0A3457665"), contentType: contentType);
            Assert.Equal("Eve", registry.Read<PersonV1>(body).Name);
        }
    }

    private sealed class Triangle : IShape;

#pragma warning disable CA1034, CA1812
    public class MixedNumbers
    {
        [MessageMember(1)]
        public int A { get; set; }

        public int B { get; set; }
    }

    public class SameNumbers
    {
        [MessageMember(1)]
        public int A { get; set; }

        [MessageMember(1)]
        public int B { get; set; }
    }

    public class SameNames
    {
        public int A { get; set; }

        [MessageMember(Name = "A")]
        public int B { get; set; }
    }

    public class NumberZero
    {
        [MessageMember(0)]
        public int A { get; set; }
    }

    public class Holder<T>
    {
        public T Value { get; set; } = default!;
    }
}

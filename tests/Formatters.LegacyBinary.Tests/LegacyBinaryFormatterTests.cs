using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Formatters.Buffers;
using Formatters.Tests.Support;
using Golden;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Names, evolution of types, options, and the formatter as a formatter.</summary>
public partial class LegacyBinaryFormatterTests
{
    [Fact]
    public void Tags_AreThoseOfSystemMessaging()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>();

        Assert.Equal((768, "application/vnd.formatters.legacy-binary"), (formatter.BodyType, formatter.ContentType));
        Assert.True(formatter.CanRead(new MessageBody(new byte[1], BodyTypes.LegacyBinary)));
        Assert.False(formatter.CanRead(new MessageBody(new byte[1], BodyTypes.Xml)));
        Assert.Same(formatter, formatter.Clone());
    }

    [Fact]
    public void Registry_ReadsABodyByItsType()
    {
        var registry = new FormatterRegistry(
            new XmlFormatter<Golden.Order>(), new LegacyBinaryFormatter<Golden.Order>(GoldenTests.Options), new ActiveXFormatter());

        var order = (Golden.Order)registry.Read(new MessageBody(GoldenBody.Get("bin-order-1.bin").Bytes, bodyType: 768))!;

        Assert.Equal("Ingo", order.ShippingAddress.Firstname);
    }

    [Fact]
    public void Read_InSegmentsAndFromStreams_IsTheSame()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>(GoldenTests.Options);
        byte[] body = GoldenBody.Get("bin-order-50.bin").Bytes;

        Assert.Equal(body, formatter.Write(formatter.Read(Bytes.Segmented(body, 1))));
        Assert.Equal(body, formatter.Write(formatter.Read(new System.IO.MemoryStream(body))));
        var stingy = new StingyBufferWriter();
        formatter.Write(stingy, formatter.Read(body));
        Assert.Equal(body, stingy.ToArray());
    }

    [Fact]
    public void Write_OfTextsThatWereTwoObjects_HasTwoObjects()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>(GoldenTests.Options);
        foreach (int charCount in new[] { 1, 2, 40 })
        {
            Golden.Order order = Make.Order(1);
            order.ShippingAddress.Firstname = new string('Y', charCount);
            order.ShippingAddress.Lastname = new string('Y', charCount);
            byte[] body = formatter.Write(order);

            Assert.Equal(body, formatter.Write(formatter.Read(body)));
        }
    }

    [Fact]
    public void Write_InTheSteadyState_AllocatesNothingButTheArray()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>(GoldenTests.Options);
        Golden.Order order = Make.Order(50);
        using var buffer = new PooledBufferWriter(16 * 1024);
        for (int i = 0; i < 200; i++)
        {
            buffer.Clear();
            formatter.Write(buffer, order);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            buffer.Clear();
            formatter.Write(buffer, order);
        }

        // An enumerator for the elements of an array of objects.
        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 100, 0, 64);
    }

    [Fact]
    public async Task Formatter_IsSafeForSeveralThreads()
    {
        var formatter = new LegacyBinaryFormatter<Graph>(RandomGraphs.Options);
        byte[][] bodies = [.. Enumerable.Range(1, 50).Select(seed => formatter.Write(new RandomGraphs(seed).Next()))];

        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            foreach (byte[] body in bodies)
                Assert.Equal(body, formatter.Write(formatter.Read(body)));
        })));
    }

    [Fact]
    public void Write_Null_Throws()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>();

        Assert.Throws<ArgumentNullException>(() => formatter.Write(null!));
        Assert.Throws<ArgumentNullException>(() => formatter.Write((System.Buffers.IBufferWriter<byte>)null!, new Golden.Order()));
    }

    [Fact]
    public void Read_ATypeOutsideTheSet_NamesItAsTheBodyDoes()
    {
        byte[] body = Peer.Write(new Node { Tag = new Money { Amount = 1 } });
        string assembly = typeof(Money).Assembly.FullName!;
        var inMember = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<Node>().Read(body));
        var asRoot = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<Point>().Read(body));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "Node.Tag"), (inMember.Code, inMember.MemberPath));
        Assert.Contains($"'{typeof(Money).FullName}, {assembly}'", inMember.Message, StringComparison.Ordinal);
        Assert.Contains($"'{typeof(Node).FullName}, {assembly}'", asRoot.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_ATypeWithAHostileName_ShowsNoneOfItsCommandsAndNotAllOfIt()
    {
        byte[] body = new LegacyBinaryFormatter<Money>(LegacyBinaryOptions.Default.WithType(typeof(Money), "A\u001B\u202E\n" + new string('x', 5000), "B")).Write(new Money { Amount = 1 });
        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<Node>().Read(body));
        Assert.Contains("'A???xxx", error.Message, StringComparison.Ordinal);
        Assert.InRange(error.Message.Length, 300, 600);
    }

    [Fact]
    public void Write_ATypeOutsideTheSet_NamesTheMember()
    {
        var formatter = new LegacyBinaryFormatter<Node>(GoldenTests.Options);

        var error = Assert.Throws<MessageFormatException>(() => formatter.Write(new Node { Tag = new Version(1, 2) }));

        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "Node.Tag"), (error.Code, error.MemberPath));
    }

    [Theory]
    [InlineData(typeof(Golden.Custom))]
    [InlineData(typeof(Exception))]
    [InlineData(typeof(Action))]
    [InlineData(typeof(System.Globalization.CultureInfo))]
    [InlineData(typeof(SortedList))]
    [InlineData(typeof(System.Threading.Thread))]
    public void Create_ForATypeThatIsNotRead_SaysWhy(Type type)
    {
        var error = Assert.Throws<TargetInvocationException>(
            () => Activator.CreateInstance(typeof(LegacyBinaryFormatter<>).MakeGenericType(type), LegacyBinaryOptions.Default));

        Assert.Contains("cannot be read from a legacy binary body: it", Assert.IsType<ArgumentException>(error.InnerException).Message.Replace("the fields", "it the fields", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Fact]
    public void Create_TwoTypesOfOneName_Throws() => Assert.Throws<ArgumentException>(
        () => new LegacyBinaryFormatter<object>(LegacyBinaryOptions.Default.WithType(typeof(Money), "A").WithType(typeof(Node), "A")));

    [Fact]
    public void Options_WithBadArguments_Throw()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default;
        Assert.Throws<ArgumentNullException>(() => options.WithType(null!));
        Assert.Throws<ArgumentException>(() => options.WithType(typeof(List<>).MakeArrayType()));
        Assert.Throws<ArgumentException>(() => options.WithType(typeof(List<>), "Old.List`1[[System.Int32]]"));
        Assert.Throws<ArgumentException>(() => options.WithType(typeof(Money), ""));
        Assert.Throws<ArgumentException>(() => options.WithType(typeof(Money), "A", ""));
        Assert.Throws<ArgumentNullException>(() => options.WithAssembly(null!, "A"));
        Assert.Throws<ArgumentException>(() => options.WithMember(typeof(Money), "NoField", "A"));
    }

    [Serializable]
    public sealed class WithHandler
    {
        public int Number;
        public Action? Handler;
        public Exception? Fault;
    }

    [Fact]
    public void AMemberOfATypeThatIsNotRead_MayBeNull()
    {
        var formatter = new LegacyBinaryFormatter<WithHandler>();

        Assert.Equal(Peer.Write(new WithHandler { Number = 7 }), formatter.Write(new WithHandler { Number = 7 }));
        Assert.Equal(7, formatter.Read(formatter.Write(new WithHandler { Number = 7 })).Number);
        Assert.Equal("WithHandler.Fault", Assert.Throws<MessageFormatException>(() => formatter.Write(new WithHandler { Fault = new InvalidOperationException() })).MemberPath);
    }

    [Fact]
    public void Hashtables_AreReadAndWrittenAsByThePeer()
    {
        var formatter = new LegacyBinaryFormatter<Hashtable>();
        var table = new Hashtable { [1] = "one", ["two"] = 2, [3.5] = null, [DayOfWeek.Monday] = true, [new Guid(1, 2, 3, new byte[8])] = 'x' };
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(DayOfWeek));
        formatter = new LegacyBinaryFormatter<Hashtable>(options);

        Assert.Equal(Convert.ToHexString(Peer.Write(table)), Convert.ToHexString(formatter.Write(table)));
        Hashtable read = formatter.Read(Peer.Write(table));
        Assert.Equal(table.Count, read.Count);
        Assert.All(table.Keys.Cast<object>(), key => Assert.Equal(table[key], read[key]));
        Bodies.AssertEqual(Peer.Write(table), formatter.Write(read), "a table that was read");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void HashtablesThatWereRead_KeepTheirOrder(bool ignoreCase)
    {
        var formatter = new LegacyBinaryFormatter<object[]>();
        var table = new Hashtable(ignoreCase ? StringComparer.OrdinalIgnoreCase : null);
        for (int i = 0; i < 500; i++)
            table["key " + i] = i;
        table.Remove("key 7");
        byte[] body = Peer.Write(new object[] { table, table.Clone() });

        object[] read = formatter.Read(body);
        Bodies.AssertEqual(body, formatter.Write(read), "two tables");

        // Other values of the same keys: the order stays.
        var changed = (Hashtable)read[0];
        table["key 8"] = changed["key 8"] = -8;
        changed = (Hashtable)((object[])Peer.Read(formatter.Write(read)))[0];
        Assert.Equal(table.Keys.Cast<string>().Order(), changed.Keys.Cast<string>().Order());
        Assert.All(table.Keys.Cast<string>(), key => Assert.Equal(table[key], changed[key]));

        // Other keys: the order is that of the hashes.
        changed = (Hashtable)read[1];
        changed.Remove("key 9");
        changed["new"] = 1;
        var again = (Hashtable)((object[])Peer.Read(formatter.Write(read)))[1];
        Assert.Equal(changed.Keys.Cast<string>().Order(), again.Keys.Cast<string>().Order());
    }

    [Fact]
    public void ATableAndItsClone_AreWrittenWithKeysOfTheirOwn()
    {
        var formatter = new LegacyBinaryFormatter<object[]>();
        var read = (Hashtable)formatter.Read(Peer.Write(new object[] { new Hashtable { [1] = 2, [3] = 4 } }))[0];
        object[] both = [read, read.Clone()];

        byte[] body = formatter.Write(both);

        var table = new Hashtable { [1] = 2, [3] = 4 };
        Bodies.AssertEqual(Peer.Write(new object[] { table, table.Clone() }), body, "two tables");
    }

    [Fact]
    public void HashtablesWithoutCase_StayWithoutCase()
    {
        var formatter = new LegacyBinaryFormatter<Hashtable>();
        var table = new Hashtable(StringComparer.OrdinalIgnoreCase) { ["Key"] = 1 };

        Assert.Equal(1, formatter.Read(Peer.Write(table))["KEY"]);
        Assert.Equal(1, ((Hashtable)Peer.Read(formatter.Write(table)))["kEY"]);
    }

    [Serializable]
    public sealed class Names : Collection<string>
    {
        public int Version;
    }

    [Serializable]
    public sealed class Numbers : List<int>
    {
        public string? Label;
    }

    [Fact]
    public void ClassesDerivedFromLists_AreWrittenAsByThePeer()
    {
        var names = new Names { "a", "b" };
        names.Version = 3;
        var numbers = new Numbers { 1, 2, 3 };
        numbers.Label = "three";

        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(List<string>));
        Assert.Equal(Peer.Write(names), new LegacyBinaryFormatter<Names>(options).Write(names));
        Assert.Equal(names, new LegacyBinaryFormatter<Names>(options).Read(Peer.Write(names)));
        Assert.Equal(Peer.Write(numbers), new LegacyBinaryFormatter<Numbers>().Write(numbers));
        Assert.Equal(numbers, new LegacyBinaryFormatter<Numbers>().Read(Peer.Write(numbers)));
    }

    [Fact]
    public void ADictionaryInItself_IsReadAndWritten()
    {
        var formatter = new LegacyBinaryFormatter<Dictionary<string, object>>();
        var map = new Dictionary<string, object>();
        map["self"] = map;
        map["list"] = new object[] { map };

        Dictionary<string, object> read = formatter.Read(Peer.Write(map));

        Assert.Same(read, read["self"]);
        Assert.Same(read, ((object[])read["list"])[0]);
        Assert.Equal(Peer.Write(map), formatter.Write(map));
    }

    [Fact]
    public void AValueWhereAnyInterfaceStands_IsReadBack()
    {
        // BinaryFormatter writes the number without its type here, and cannot read what it wrote.
        var formatter = new LegacyBinaryFormatter<IComparable?[]>();

        Assert.Equal(new IComparable?[] { 5, "x", null, 2.5m }, formatter.Read(formatter.Write([5, "x", null, 2.5m])));
    }

    [Fact]
    public void LoneSurrogates_AreRefusedOrReplaced()
    {
        // Nor are there strings in UTF-16, as in the binary format.
        byte[] body = new LegacyBinaryFormatter<string>().Write("ab");
        int at = body.AsSpan().IndexOf("\u0002ab"u8);
        byte[] utf16 = [.. body[..at], 0x82, 0, .. body[(at + 1)..]];
        Assert.Equal((MessageFormatErrorCode.BadLength, at), Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<string>().Read(utf16)) is var e ? (e.Code, e.ByteOffset) : default);
        Assert.Equal("a\uFFFD", new LegacyBinaryFormatter<string>().Read(new LegacyBinaryFormatter<string>().Write("a\uD800")));
        var strict = new LegacyBinaryFormatter<string>(new LegacyBinaryOptions { Limits = FormatterLimits.Default with { RefuseInvalidText = true } });
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => strict.Write("a\uD800")).Code);
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<char>().Write('\uD800')).Code);
    }

    [Fact]
    public void Write_BeyondTheBodyLimit_IsRefused()
    {
        var formatter = new LegacyBinaryFormatter<int[]>(new LegacyBinaryOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 100 } });

        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new int[30])).Code);
    }

    [Fact]
    public void BadKeysOfTheApplication_AreTheBodysFault()
    {
        var formatter = new LegacyBinaryFormatter<Dictionary<Spiteful, int>>();
        byte[] body = formatter.Write(new Dictionary<Spiteful, int> { [new Spiteful { Text = "x" }] = 1 });
        body[body.AsSpan().LastIndexOf("x"u8)] = (byte)'!';

        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));

        Assert.IsType<InvalidTimeZoneException>(error.InnerException);
    }

    [Serializable]
    public sealed class Spiteful
    {
        public string? Text;

        public override bool Equals(object? obj) => ReferenceEquals(this, obj);

        public override int GetHashCode() => Text == "!" ? throw new InvalidTimeZoneException() : 1;
    }
}

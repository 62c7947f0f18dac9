using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization;
using System.Threading.Tasks;
using Formatters.Tests.Support;
using Golden;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Names, evolution of types, options, and the formatter as a formatter.</summary>
public class LegacyBinaryFormatterTests
{
    private const string GoldenAssembly = "Golden, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null";

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
            new XmlFormatter<Golden.Order>(), new LegacyBinaryFormatter<Golden.Order>(options: GoldenTests.Options), new ActiveXFormatter());

        var order = (Golden.Order)registry.Read(new MessageBody(GoldenBody.Get("bin-order-1.bin").Bytes, bodyType: 768))!;

        Assert.Equal("Ingo", order.ShippingAddress.Firstname);
    }

    [Fact]
    public void Read_InSegmentsAndFromStreams_IsTheSame()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>(options: GoldenTests.Options);
        byte[] body = GoldenBody.Get("bin-order-50.bin").Bytes;

        Assert.Equal(body, formatter.Write(formatter.Read(Bytes.Segmented(body, 1))));
        Assert.Equal(body, formatter.Write(formatter.Read(new System.IO.MemoryStream(body))));
        var stingy = new StingyBufferWriter();
        formatter.Write(stingy, formatter.Read(body));
        Assert.Equal(body, stingy.ToArray());
    }

    [Fact]
    public void Write_InTheSteadyState_AllocatesNothingButTheArray()
    {
        var formatter = new LegacyBinaryFormatter<Golden.Order>(options: GoldenTests.Options);
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
        var formatter = new LegacyBinaryFormatter<Graph>(options: RandomGraphs.Options);
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

    [Serializable]
    public sealed class RenamedOrder
    {
        private DateTime _when;
        public long CustomerID;
        public RenamedAddress? ShippingAddress;
        public RenamedAddress? BillingAddress { get; set; }
        public double Total;
        public IList? LineItems;
        public string Added = "never set: no constructor runs";

        public DateTime When => _when;
    }

    [Serializable]
    public sealed class RenamedAddress
    {
        public string? City;
        public string? Firstname;
    }

    [Fact]
    public void Read_RenamedTypesAndMembers_AddedAndRemovedMembers_WiderNumbers()
    {
        var options = LegacyBinaryOptions.Default
            .WithType(typeof(RenamedOrder), "Golden.Order", GoldenAssembly)
            .WithType(typeof(RenamedAddress), "Golden.Address", GoldenAssembly)
            .WithType(typeof(LineItem), null, GoldenAssembly)
            .WithMember(typeof(RenamedOrder), "_when", "Date")
            .WithMember(typeof(RenamedOrder), "<BillingAddress>k__BackingField", "BillingAddress");

        RenamedOrder order = new LegacyBinaryFormatter<RenamedOrder>(options: options).Read(GoldenBody.Get("bin-order-1.bin").Bytes);

        Assert.Equal(new DateTime(2004, 11, 20, 13, 14, 15, 678, DateTimeKind.Utc), order.When);
        Assert.Equal((4711L, "Wien", "Z\u00FCrich", "Greg"), (order.CustomerID, order.ShippingAddress!.City, order.BillingAddress!.City, order.BillingAddress.Firstname));
        Assert.Equal("Article 1", ((LineItem)order.LineItems![0]!).Name);
        Assert.Null(order.Added);
    }

    [Fact]
    public void Write_RenamedTypesAndMembers_GivesTheNamesOfBodies()
    {
        var options = GoldenTests.Options.WithMember(typeof(Money), "Currency", "m_Currency").WithType(typeof(Money), "Golden.OldMoney");
        byte[] body = new LegacyBinaryFormatter<Money>(options: options).Write(new Money { Amount = 1, Currency = "EUR" });

        Assert.True(body.AsSpan().IndexOf("Golden.OldMoney"u8) > 0);
        Assert.True(body.AsSpan().IndexOf("m_Currency"u8) > 0);
        // Read under the new and the old name.
        var formatter = new LegacyBinaryFormatter<Money>(options: options);
        Assert.Equal("EUR", formatter.Read(body).Currency);
        Assert.Equal("EUR", formatter.Read(GoldenBody.Get("bin-struct.bin").Bytes).Currency);
    }

    [Serializable]
    public sealed class Slim
    {
        public string? Name;

        [OptionalField]
        public int Later;

        public int Required;
    }

    [Serializable]
    public sealed class SlimBefore
    {
        public string? Name;
        public Node? Gone;
        public string? Shared;
    }

    [Fact]
    public void Read_MissingMembers_ByOption()
    {
        byte[] body = new LegacyBinaryFormatter<SlimBefore>().Write(new SlimBefore { Name = "n" });
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(Slim), typeof(SlimBefore).FullName);

        Assert.Equal("n", new LegacyBinaryFormatter<Slim>(options: options).Read(body).Name);
        var error = Assert.Throws<MessageFormatException>(
            () => new LegacyBinaryFormatter<Slim>(options: options with { RequireAllMembers = true }).Read(body));
        Assert.Equal((MessageFormatErrorCode.Malformed, "Slim.Required"), (error.Code, error.MemberPath));
    }

    [Fact]
    public void Read_AnObjectOfAnUndeclaredClass_IsPassedOverWithItsMember_AndItsStringsStay()
    {
        string shared = new('s', 3);
        byte[] body = new LegacyBinaryFormatter<SlimBefore>().Write(
            new SlimBefore { Gone = new Node { Name = shared, Next = new Node { Name = "b" }, Tag = new object[] { 1, null!, "x" } }, Shared = shared, Name = "n" });
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(SlimAfter), typeof(SlimBefore).FullName);

        SlimAfter read = new LegacyBinaryFormatter<SlimAfter>(options: options).Read(body);

        Assert.Equal(("n", "sss"), (read.Name, read.Shared));
    }

    [Serializable]
    public sealed class SlimAfter
    {
        public string? Shared;
        public string? Name;
    }

    [Theory]
    [InlineData("Golden, Version=2.0.0.0, Culture=neutral, PublicKeyToken=0123456789abcdef", false, true)]
    [InlineData("golden", false, true)]
    [InlineData("Golden, Version=2.0.0.0, Culture=neutral, PublicKeyToken=null", true, false)]
    [InlineData(GoldenAssembly, true, true)]
    [InlineData("Silver", false, false)]
    public void Read_ComparesAssemblies(string ownName, bool matchFull, bool isRead)
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithAssembly(typeof(Money).Assembly, ownName) with { MatchFullAssemblyNames = matchFull };
        var formatter = new LegacyBinaryFormatter<Money>(options: options);

        if (isRead)
            Assert.Equal("EUR", formatter.Read(GoldenBody.Get("bin-struct.bin").Bytes).Currency);
        else
            Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => formatter.Read(GoldenBody.Get("bin-struct.bin").Bytes)).Code);
    }

    [Fact]
    public void Read_AGenericTypeFromAnotherVersionOfItsAssemblies()
    {
        var formatter = new LegacyBinaryFormatter<List<Money>>(options: GoldenTests.Options);
        byte[] body = formatter.Write([new Money { Currency = "EUR" }]);
        int at = body.AsSpan().IndexOf("Version=1.0.0.0"u8);
        body[at + 8] = (byte)'7';

        Assert.Equal("EUR", Assert.Single(formatter.Read(body)).Currency);
    }

    [Fact]
    public void Write_ATypeOutsideTheSet_NamesTheMember()
    {
        var formatter = new LegacyBinaryFormatter<Node>(options: GoldenTests.Options);

        var error = Assert.Throws<MessageFormatException>(() => formatter.Write(new Node { Tag = new Version(1, 2) }));

        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "Node.Tag"), (error.Code, error.MemberPath));
    }

    [Theory]
    [InlineData(typeof(Custom))]
    [InlineData(typeof(Exception))]
    [InlineData(typeof(Action))]
    [InlineData(typeof(Uri))]
    [InlineData(typeof(System.Threading.Thread))]
    public void Create_ForATypeThatIsNotRead_SaysWhy(Type type)
    {
        var error = Assert.Throws<TargetInvocationException>(
            () => Activator.CreateInstance(typeof(LegacyBinaryFormatter<>).MakeGenericType(type), [null, null]));

        Assert.Contains("cannot be read from a legacy binary body: it", Assert.IsType<ArgumentException>(error.InnerException).Message.Replace("the fields", "it the fields", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Fact]
    public void Create_TwoTypesOfOneName_Throws() => Assert.Throws<ArgumentException>(
        () => new LegacyBinaryFormatter<object>(options: LegacyBinaryOptions.Default.WithType(typeof(Money), "A").WithType(typeof(Node), "A")));

    [Fact]
    public void Options_WithBadArguments_Throw()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default;
        Assert.Throws<ArgumentNullException>(() => options.WithType(null!));
        Assert.Throws<ArgumentException>(() => options.WithType(typeof(List<>)));
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
        public Uri? Address;
    }

    [Fact]
    public void AMemberOfATypeThatIsNotRead_MayBeNull()
    {
        var formatter = new LegacyBinaryFormatter<WithHandler>();

        Assert.Equal(Peer.Write(new WithHandler { Number = 7 }), formatter.Write(new WithHandler { Number = 7 }));
        Assert.Equal(7, formatter.Read(formatter.Write(new WithHandler { Number = 7 })).Number);
        Assert.Equal("WithHandler.Address", Assert.Throws<MessageFormatException>(() => formatter.Write(new WithHandler { Address = new Uri("http://localhost") })).MemberPath);
    }

    [Fact]
    public void Hashtables_AreReadAndWrittenAsByThePeer()
    {
        var formatter = new LegacyBinaryFormatter<Hashtable>();
        var table = new Hashtable { [1] = "one", ["two"] = 2, [3.5] = null, [DayOfWeek.Monday] = true, [new Guid(1, 2, 3, new byte[8])] = 'x' };
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(DayOfWeek));
        formatter = new LegacyBinaryFormatter<Hashtable>(options: options);

        Assert.Equal(Convert.ToHexString(Peer.Write(table)), Convert.ToHexString(formatter.Write(table)));
        Hashtable read = formatter.Read(Peer.Write(table));
        Assert.Equal(table.Count, read.Count);
        Assert.All(table.Keys.Cast<object>(), key => Assert.Equal(table[key], read[key]));
        // The bodies of tables that were read differ in their order at most, and the peer reads them.
        var again = (Hashtable)Peer.Read(formatter.Write(read));
        Assert.All(table.Keys.Cast<object>(), key => Assert.Equal(table[key], again[key]));
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
        Assert.Equal(Peer.Write(names), new LegacyBinaryFormatter<Names>(options: options).Write(names));
        Assert.Equal(names, new LegacyBinaryFormatter<Names>(options: options).Read(Peer.Write(names)));
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
        Assert.Equal("a\uFFFD", new LegacyBinaryFormatter<string>().Read(new LegacyBinaryFormatter<string>().Write("a\uD800")));
        var strict = new LegacyBinaryFormatter<string>(FormatterLimits.Default with { RefuseInvalidText = true });
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => strict.Write("a\uD800")).Code);
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<char>().Write('\uD800')).Code);
    }

    [Fact]
    public void Write_BeyondTheBodyLimit_IsRefused()
    {
        var formatter = new LegacyBinaryFormatter<int[]>(FormatterLimits.Default with { MaxBodyByteCount = 100 });

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

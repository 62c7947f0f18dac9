using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.Serialization;
using Formatters.Tests.Support;
using Golden;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

public partial class LegacyBinaryFormatterTests
{
    private const string GoldenAssembly = "Golden, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null";

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

        RenamedOrder order = new LegacyBinaryFormatter<RenamedOrder>(options).Read(GoldenBody.Get("bin-order-1.bin").Bytes);

        Assert.Equal(new DateTime(2004, 11, 20, 13, 14, 15, 678, DateTimeKind.Utc), order.When);
        Assert.Equal((4711L, "Wien", "Z\u00FCrich", "Greg"), (order.CustomerID, order.ShippingAddress!.City, order.BillingAddress!.City, order.BillingAddress.Firstname));
        Assert.Equal("Article 1", ((LineItem)order.LineItems![0]!).Name);
        Assert.Null(order.Added);
    }

    [Serializable]
    public sealed class OldLists
    {
        public ArrayList? Numbers;
        public ArrayList? Points;
        public ArrayList? Same;
        public object? Any;
        public ArrayList? Loop;
        public ArrayList[]? Many;
        public Hashtable? ByName;
    }

    [Serializable]
    public sealed class NewLists
    {
        public List<long>? Numbers;
        public List<Point?>? Points;
        public List<Point?>? Same;
        public object? Any;
        public List<object>? Loop;
        public List<string>[]? Many;
        public Dictionary<string, int>? ByName;
    }

    private static LegacyBinaryFormatter<NewLists> NewListsFormatter { get; } = new(options: LegacyBinaryOptions.Default.WithType(typeof(NewLists), typeof(OldLists).FullName!));

    [Fact]
    public void Read_ArrayListWhereAListIsDeclared_ChecksItsElements()
    {
        var points = new ArrayList { new Point { X = 1 }, null, new Point { Y = 2 } };
        var old = new OldLists { Numbers = [1, (short)2, 3L], Points = points, Same = points, Any = points };
        old.Loop = [old, "x"];
        NewLists read = NewListsFormatter.Read(Peer.Write(old));
        Assert.Equal([1L, 2L, 3L], read.Numbers!);
        Assert.Equal([1, null, 0], read.Points!.ConvertAll(static point => point?.X));
        Assert.Same(read.Points, read.Same);
        Assert.Equal(3, Assert.IsType<ArrayList>(read.Any).Count);
        Assert.Same(read, read.Loop![0]);
        Assert.Equal([1, 2], new LegacyBinaryFormatter<List<int>>().Read(Peer.Write(new ArrayList { 1, 2 })));
    }

    [Fact]
    public void Read_ArrayListWithAnotherElement_NamesTheElement()
    {
        AssertBad(new OldLists { Numbers = [1, "x"] }, "NewLists.Numbers[1]", "string");
        AssertBad(new OldLists { Numbers = [null] }, "NewLists.Numbers[0]", "null");
        AssertBad(new OldLists { Numbers = [1.5] }, "NewLists.Numbers[0]", "double");
        // What is not read is named with both types.
        AssertBad(new OldLists { Many = [["a"]] }, "NewLists.Many", "ArrayList[]");
        AssertBad(new OldLists { ByName = new Hashtable { ["a"] = 1 } }, "NewLists.ByName", "Hashtable");

        static void AssertBad(OldLists old, string path, string what)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => NewListsFormatter.Read(Peer.Write(old)));
            Assert.Equal((MessageFormatErrorCode.BadValue, path, true), (e.Code, e.MemberPath, e.IsPoison));
            Assert.Contains(what, e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Write_RenamedTypesAndMembers_GivesTheNamesOfBodies()
    {
        var options = GoldenTests.Options.WithMember(typeof(Money), "Currency", "m_Currency").WithType(typeof(Money), "Golden.OldMoney");
        byte[] body = new LegacyBinaryFormatter<Money>(options).Write(new Money { Amount = 1, Currency = "EUR" });

        Assert.True(body.AsSpan().IndexOf("Golden.OldMoney"u8) > 0);
        Assert.True(body.AsSpan().IndexOf("m_Currency"u8) > 0);
        // Read under the new and the old name.
        var formatter = new LegacyBinaryFormatter<Money>(options);
        Assert.Equal("EUR", formatter.Read(body).Currency);
        Assert.Equal("EUR", formatter.Read(GoldenBody.Get("bin-struct.bin").Bytes).Currency);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Read_RenamedBaseClasses_AndWriteTheirFieldsUnderTheOldNames(bool isGenerated)
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default
            .WithType(typeof(Worker), typeof(Employee).FullName)
            .WithType(typeof(Human), typeof(Person).FullName)
            .WithMember(typeof(Human), "_fullName", "_name");
        LegacyBinaryFormatter<Worker> formatter = isGenerated ? new(WorkerContracts.LegacyBinaryContract, options: options) : new(options: options);
        byte[] body = Peer.Write(new Employee("Ann", 42, 7) { Wage = 3 });

        Worker worker = formatter.Read(body);

        Assert.Equal(("Ann", 42, 7, 3), (worker.FullName, worker.Years, worker.Number, worker.Wage));
        Bodies.AssertEqual(body, formatter.Write(worker), "by the new classes");
        // And under the new ones.
        Assert.Equal("Bob", formatter.Read(Renamed(body)).FullName);

        static byte[] Renamed(byte[] body)
        {
            string text = System.Text.Encoding.Latin1.GetString(body).Replace("\u000cPerson+_name", "\u000fHuman+_fullName", StringComparison.Ordinal).Replace("Ann", "Bob", StringComparison.Ordinal);
            return System.Text.Encoding.Latin1.GetBytes(text);
        }
    }

    [Serializable]
    public class Person(string name, int age)
    {
        private readonly string _name = name;
        protected int Age = age;

        public override string ToString() => _name;
    }

    [Serializable]
    public class Middle<T>(string name, int age, T id) : Person(name, age)
    {
        private readonly T _id = id;

        public T Number => _id;
    }

    [Serializable]
    public sealed class Employee(string name, int age, int id) : Middle<int>(name, age, id)
    {
        public int Wage;
    }

    [Serializable]
    public class Human
    {
        private string _fullName = "";
        protected int Age;

        public string FullName => _fullName;

        public int Years => Age;
    }

    [Serializable, LegacyBinaryName("Formatters.LegacyBinary.Tests.LegacyBinaryFormatterTests+Middle`1[[System.Int32, mscorlib]]")]
    public class Between : Human
    {
        private int _id;

        public int Number => _id;
    }

    [Serializable]
    public sealed class Worker : Between
    {
        public int Wage;
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

        Assert.Equal("n", new LegacyBinaryFormatter<Slim>(options).Read(body).Name);
        var error = Assert.Throws<MessageFormatException>(
            () => new LegacyBinaryFormatter<Slim>(options with { RequireAllMembers = true }).Read(body));
        Assert.Equal((MessageFormatErrorCode.Malformed, "Slim.Required"), (error.Code, error.MemberPath));
    }

    [Fact]
    public void Read_AnObjectOfAnUndeclaredClass_IsPassedOverWithItsMember_AndItsStringsStay()
    {
        string shared = new('s', 3);
        byte[] body = new LegacyBinaryFormatter<SlimBefore>().Write(
            new SlimBefore { Gone = new Node { Name = shared, Next = new Node { Name = "b" }, Tag = new object[] { 1, null!, "x" } }, Shared = shared, Name = "n" });
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(SlimAfter), typeof(SlimBefore).FullName);

        SlimAfter read = new LegacyBinaryFormatter<SlimAfter>(options).Read(body);

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
        var formatter = new LegacyBinaryFormatter<Money>(options);

        if (isRead)
            Assert.Equal("EUR", formatter.Read(GoldenBody.Get("bin-struct.bin").Bytes).Currency);
        else
            Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => formatter.Read(GoldenBody.Get("bin-struct.bin").Bytes)).Code);
    }

    [Fact]
    public void Read_AGenericTypeFromAnotherVersionOfItsAssemblies()
    {
        var formatter = new LegacyBinaryFormatter<List<Money>>(GoldenTests.Options);
        byte[] body = formatter.Write([new Money { Currency = "EUR" }]);
        int at = body.AsSpan().IndexOf("Version=1.0.0.0"u8);
        body[at + 8] = (byte)'7';

        Assert.Equal("EUR", Assert.Single(formatter.Read(body)).Currency);
    }
}

/// <summary>Classes whose base classes had other names.</summary>
[LegacyBinaryContract(typeof(LegacyBinaryFormatterTests.Worker), typeof(LegacyBinaryFormatterTests.Human))]
internal static partial class WorkerContracts;

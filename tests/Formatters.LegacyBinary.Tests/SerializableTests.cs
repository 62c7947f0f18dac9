using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Serialization;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Types that write their own members: by delegates, or by types that stand for them.</summary>
public class SerializableTests
{
    private const string Core = "mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089";

    private static readonly LegacyBinaryOptions Options = LegacyBinaryOptions.Default
        .WithType(typeof(Pair)).WithType(typeof(Holder)).WithType(typeof(Dictionary<string, Money>)).WithType(typeof(Money[])).WithType(typeof(Level))
        .WithSerializable<Money>(
            static members => new Money(members.Get<decimal>("amount"), members.Get<string?>("currency")) { Tag = members.TryGet("tag", out object? tag) ? tag : null },
            static (money, members) => money.AddTo(members.Add, members.Add))
        .WithSerializable<Rate>(static members => new Rate(members.Get<int>("percent")), static (rate, members) => members.Add("percent", rate.Percent))
        .WithSerializable<Country>(static members => Country.Get(members.Get<string>("code")), static (country, members) => members.Add("code", country.Code));

    private static readonly LegacyBinaryFormatter<object> Formatter = new(options: Options);

    public static TheoryData<string> Names => new(Values.Keys);

    private static Dictionary<string, object> Values { get; } = MakeValues();

    [Theory]
    [MemberData(nameof(Names))]
    public void Values_AreWrittenAndReadAsByThePeer(string name)
    {
        object value = Values[name];
        byte[] theirs = Peer.Write(value);

        Bodies.AssertEqual(theirs, Formatter.Write(value), name);
        Bodies.AssertEqual(theirs, Formatter.Write(Formatter.Read(theirs)), name + ", read");
        Bodies.AssertEqual(theirs, Peer.Write(Peer.Read(Formatter.Write(value))), name + ", read by the peer");
    }

    [Fact]
    public void AnObjectThatIsThereAlready_TakesThePlaceOfTheOneRead()
    {
        var read = (Pair)Formatter.Read(Formatter.Write(new Pair { First = Country.Get("DE"), Second = Country.Get("DE") }));

        Assert.Same(Country.Get("DE"), read.First);
        Assert.Same(read.First, read.Second);
    }

    [Fact]
    public void ObjectsThatAreMadeOfEachOther_AreMalformed()
    {
        var money = new Money(1, "EUR");
        money.Tag = new Money(2, "EUR") { Tag = money };
        byte[] body = Formatter.Write(money);

        var error = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));

        Assert.Equal(MessageFormatErrorCode.Malformed, error.Code);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ObjectsThatAreCreatedEmpty_MayReferToEachOther(bool withOthers)
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default
            .WithType(typeof(Dictionary<Person, string>)).WithType(typeof(List<Person>)).WithType(typeof(Person[])).WithType(typeof(Pair))
            .WithSerializable<Person>(
                static () => new Person(),
                static (person, members) => person.Set(members.Get<string>("name"), members.Get<Person?>("spouse"), members.Get<object?>("other")),
                static (person, members) => person.AddTo(members.Add))
            .WithSerializable<Money>(static members => new Money(1, null) { Tag = members.Get<object?>("tag") }, static (money, members) => money.AddTo(members.Add, members.Add));
        var formatter = new LegacyBinaryFormatter<Person>(options);
        var ann = new Person { Name = "Ann" };
        var bob = new Person { Name = "Bob", Spouse = ann, Other = ann };
        ann.Spouse = bob;
        ann.Other = ann;
        if (withOthers)
        {
            bob.Other = new object[] { new Dictionary<Person, string> { [ann] = "a", [bob] = "b" }, new List<Person> { ann, bob }, new Pair { First = bob }, new[] { ann }, new Money(1, null) { Tag = ann } };
        }

        byte[] body = Peer.Write(ann);
        Bodies.AssertEqual(body, formatter.Write(ann), "the cycle");

        Person read = formatter.Read(body);

        Assert.Equal(("Ann", "Bob"), (read.Name, read.Spouse!.Name));
        Assert.Same(read, read.Spouse.Spouse);
        Assert.Same(read, read.Other);
        if (withOthers)
        {
            object[] others = Assert.IsType<object[]>(read.Spouse.Other);
            Assert.Equal("b", Assert.IsType<Dictionary<Person, string>>(others[0])[read.Spouse]);
            Assert.Same(read.Spouse, Assert.IsType<List<Person>>(others[1])[1]);
            Assert.Same(read.Spouse, Assert.IsType<Pair>(others[2]).First);
            Assert.Same(read, Assert.IsType<Person[]>(others[3])[0]);
            Assert.Same(read, Assert.IsType<Money>(others[4]).Tag);
        }

        Bodies.AssertEqual(body, formatter.Write(read), "the cycle, read");
    }

    [Fact]
    public void AChainOfObjectsThatAreCreatedEmpty_TakesNoStack()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithSerializable<Person>(
            static () => new Person(),
            static (person, members) => person.Set(members.Get<string>("name"), members.Get<Person?>("spouse"), members.Get<object?>("other")),
            static (person, members) => person.AddTo(members.Add));
        var formatter = new LegacyBinaryFormatter<Person>(options);
        var chain = new Person { Name = "0" };
        for (int i = 1; i < 50_000; i++)
            chain = new Person { Name = "n", Spouse = chain };

        Person? read = formatter.Read(formatter.Write(chain));

        int count = 0;
        for (; read is not null; read = read.Spouse)
            count++;
        Assert.Equal(50_000, count);
    }

    [Fact]
    public void ACycleThroughAnObjectWithFields_IsNone()
    {
        var pair = new Pair();
        pair.First = new Money(1, "EUR") { Tag = pair };

        var read = (Pair)Formatter.Read(Peer.Write(pair));

        Assert.Same(read, ((Money)read.First!).Tag);
    }

    [Fact]
    public void AChainDeeperThanAllowed_IsRefused()
    {
        var money = new Money(0, null);
        for (int i = 0; i < 10_000; i++)
            money = new Money(i, null) { Tag = money };

        var error = Assert.Throws<MessageFormatException>(() => Formatter.Read(Formatter.Write(money)));

        Assert.Equal(MessageFormatErrorCode.DepthExceeded, error.Code);
    }

    [Theory]
    [InlineData("missing", MessageFormatErrorCode.MissingMember)]
    [InlineData("text", MessageFormatErrorCode.BadValue)]
    [InlineData("null", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData("undeclared", MessageFormatErrorCode.TypeNotAllowed)]
    public void Get_OfAValueThatIsNotThere_NamesIt(string name, MessageFormatErrorCode code)
    {
        LegacyBinaryOptions writing = LegacyBinaryOptions.Default.WithType(typeof(Point)).WithSerializable<Rate>(static _ => throw new NotSupportedException(), static (_, members) =>
        {
            members.Add("text", "x");
            members.Add("null", null);
            members.Add("undeclared", default(Point));
        });
        byte[] body = new LegacyBinaryFormatter<Rate>(writing).Write(new Rate(1));
        LegacyBinaryOptions reading = LegacyBinaryOptions.Default.WithSerializable<Rate>(members => new Rate(members.Get<int>(name)), static (_, _) => { });

        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<Rate>(reading).Read(body));

        Assert.Equal((code, "Rate." + name), (error.Code, error.MemberPath));
    }

    [Fact]
    public void Values_HaveTheOrderAndTypesOfTheBody()
    {
        string[] names = [];
        long wide = 0;
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithSerializable<Money>(
            members =>
            {
                names = [.. members];
                wide = members.Get<long>("number");
                Assert.Equal(7, members.Get<int?>("number"));
                Assert.Null(members.Get<int?>("empty"));
                Assert.Equal(names.Length, members.Count);
                return new Money(0, null);
            },
            static (_, members) =>
            {
                members.Add("number", 7);
                members.Add("empty", null, typeof(string));
                Assert.Throws<ArgumentException>(() => members.Add("number", 8));
                Assert.Throws<ArgumentException>(() => members.Add("other", 8, typeof(string)));
                Assert.Throws<ArgumentException>(() => members.Add("other", null, typeof(int)));
                Assert.Throws<ArgumentNullException>(() => members.Add(null!, 8));
            });
        var formatter = new LegacyBinaryFormatter<Money>(options);

        formatter.Read(formatter.Write(new Money(0, null)));

        Assert.Equal(["number", "empty"], names);
        Assert.Equal(7, wide);
    }

    [Fact]
    public void WhatADelegateThrows_IsMalformed()
    {
        LegacyBinaryOptions options = Options.WithSerializable<Rate>(static _ => throw new FormatException("no"), static (rate, members) => members.Add("percent", rate.Percent));
        var formatter = new LegacyBinaryFormatter<Rate>(options);

        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(formatter.Write(new Rate(1))));

        Assert.IsType<FormatException>(error.InnerException);
    }

    [Fact]
    public void Exceptions_AreReadIntoADeclaredType()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default
            .WithType(typeof(Fault), "System.ArgumentException", Core).WithType(typeof(Fault), "System.InvalidOperationException", Core);
        var formatter = new LegacyBinaryFormatter<Fault>(options);

        Fault fault = formatter.Read(Formatters.Tests.Support.Golden.Read("legacy-collections", "exception.bin"));

        Assert.Equal(("System.InvalidOperationException", "outer"), (fault.ClassName, fault.Message));
        Assert.Equal(("System.ArgumentException", "inner"), (fault.InnerException!.ClassName, fault.InnerException.Message));
        Assert.Contains("Samples", fault.StackTraceString, StringComparison.Ordinal);
    }

    [Fact]
    public void Exceptions_AreReadAndWrittenByDelegates()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(ArgumentException)).WithSerializable<InvalidOperationException>(
            static members => new InvalidOperationException(members.Get<string>("Message"), members.Get<Exception?>("InnerException")),
            static (error, members) =>
            {
                members.Add("ClassName", error.GetType().FullName);
                members.Add("Message", error.Message);
                members.Add("Data", null, typeof(IDictionary));
                members.Add("InnerException", error.InnerException, typeof(Exception));
                foreach (string name in new[] { "HelpURL", "StackTraceString", "RemoteStackTraceString" })
                    members.Add(name, null, typeof(string));
                members.Add("RemoteStackIndex", 0);
                members.Add("ExceptionMethod", null, typeof(string));
                members.Add("HResult", error.HResult);
                members.Add("Source", null, typeof(string));
                members.Add("WatsonBuckets", null, typeof(byte[]));
            }).WithSerializable<ArgumentException>(static members => new ArgumentException(members.Get<string>("Message"), members.Get<string?>("ParamName")), static (_, _) => { })
            .WithType(typeof(IDictionary)).WithType(typeof(Exception));
        var formatter = new LegacyBinaryFormatter<InvalidOperationException>(options);
        var plain = new InvalidOperationException("outer");

        // Mono's exceptions lack the last of .NET Framework's members.
        if (Type.GetType("Mono.Runtime") is null)
            Bodies.AssertEqual(Peer.Write(plain), formatter.Write(plain), "an exception");
        InvalidOperationException read = formatter.Read(Formatters.Tests.Support.Golden.Read("legacy-collections", "exception.bin"));
        Assert.Equal("outer", read.Message);
        Assert.Equal("p", Assert.IsType<ArgumentException>(read.InnerException).ParamName);
        Assert.Equal("outer", ((Exception)Peer.Read(formatter.Write(plain))).Message);
    }

    [Fact]
    public void CallbacksOfTheType_DoNotRun()
    {
        var formatter = new LegacyBinaryFormatter<WithCallbacks>();

        WithCallbacks read = formatter.Read(Peer.Write(new WithCallbacks { Number = 7 }));

        Assert.Equal((7, 0), (read.Number, read.CallCount));
    }

    private static Dictionary<string, object> MakeValues()
    {
        var shared = new Money(1.50m, "EUR");
        return new()
        {
            ["money"] = shared,
            ["money without currency"] = new Money(-1, null),
            ["money with money"] = new Money(1, "EUR") { Tag = new Money(2, "USD") { Tag = "x" } },
            ["money with a struct"] = new Money(1, "EUR") { Tag = new Rate(3) },
            ["money with an array"] = new Money(1, "EUR") { Tag = new int[] { 1, 2 } },
            ["money with an enum"] = new Money(1, "EUR") { Tag = Level.High },
            ["different members"] = new object[] { new Money(1, "a"), new Money(2, "b") { Tag = 1 }, new Money(3, "c"), new Money(4, "d") { Tag = "x" }, new Money(5, "e") { Tag = 2 } },
            ["shared"] = new object[] { shared, shared, new Pair { First = shared, Second = "EUR" } },
            ["rate"] = new Rate(7),
            ["holder"] = new Holder { Rate = new Rate(8), MaybeRate = new Rate(9), Money = shared },
            ["empty holder"] = new Holder(),
            ["array"] = new Money?[] { shared, null, new Money(2, null) },
            ["dictionary"] = new Dictionary<string, Money> { ["a"] = shared, ["b"] = new Money(3, "b") },
        };
    }

    [Serializable]
    public sealed class Money : ISerializable
    {
        private readonly decimal _amount;
        private readonly string? _currency;

        public Money(decimal amount, string? currency)
        {
            _amount = amount;
            _currency = currency;
        }

        private Money(SerializationInfo info, StreamingContext context)
            : this(info.GetDecimal("amount"), info.GetString("currency"))
        {
            foreach (SerializationEntry entry in info)
                Tag = entry.Name == "tag" ? entry.Value : Tag;
        }

        public object? Tag { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => AddTo(info.AddValue, info.AddValue);

        internal void AddTo(Action<string, object?> add, Action<string, object?, Type> addDeclared)
        {
            add("amount", _amount);
            addDeclared("currency", _currency, typeof(string));
            if (Tag is not null)
                add("tag", Tag);
        }
    }

    /// <summary>Objects of it refer to each other.</summary>
    [Serializable]
    public sealed class Person : ISerializable
    {
        public Person()
        {
        }

        private Person(SerializationInfo info, StreamingContext context) =>
            Set(info.GetString("name"), (Person?)info.GetValue("spouse", typeof(Person)), info.GetValue("other", typeof(object)));

        public string? Name { get; set; }

        public Person? Spouse { get; set; }

        public object? Other { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => AddTo(info.AddValue);

        internal void Set(string? name, Person? spouse, object? other)
        {
            Name = name;
            Spouse = spouse;
            Other = other;
        }

        internal void AddTo(Action<string, object?, Type> add)
        {
            add("name", Name, typeof(string));
            add("spouse", Spouse, typeof(Person));
            add("other", Other, typeof(object));
        }
    }

    [Serializable]
    public readonly struct Rate(int percent) : ISerializable
    {
        private Rate(SerializationInfo info, StreamingContext context)
            : this(info.GetInt32("percent"))
        {
        }

        public int Percent { get; } = percent;

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("percent", Percent);
    }

    /// <summary>One object for each code, which a body only names: .NET Framework has an <c>IObjectReference</c> for that.</summary>
    public sealed class Country
    {
        private static readonly Dictionary<string, Country> All = new() { ["DE"] = new Country("DE"), ["FR"] = new Country("FR") };

        private Country(string code) => Code = code;

        public string Code { get; }

        public static Country Get(string code) => All[code];
    }

    [Serializable]
    public sealed class Pair
    {
        public object? First;
        public object? Second;
    }

    [Serializable]
    public sealed class Holder
    {
        public Rate Rate;
        public Rate? MaybeRate;
        public Money? Money;
    }

    /// <summary>The members of an exception, of whatever class.</summary>
    public sealed class Fault
    {
        public string? ClassName;
        public string? Message;
        public Fault? InnerException;
        public string? StackTraceString;
        public int HResult;
    }

    [Serializable]
    public sealed class WithCallbacks : IDeserializationCallback
    {
        public int Number;
        [NonSerialized]
        public int CallCount;

        void IDeserializationCallback.OnDeserialization(object? sender) => CallCount++;

        [OnDeserializing]
        private void OnDeserializing(StreamingContext context) => CallCount++;

        [OnDeserialized]
        private void OnDeserialized(StreamingContext context) => CallCount++;
    }
}

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Drawing;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Reflection;
using System.Text;
using System.Text.Json;
using System.Xml.Serialization;
using Formatters.Xml;
using Xunit;

namespace Formatters.Tests.Xml;

/// <summary>What XmlSerializer takes and does not keep is refused, unless it is allowed by name.</summary>
public class XmlLossTests
{
    /// <summary>Found by trying every public type of the base library that XmlSerializer maps.</summary>
    private static readonly object[] Lost =
    [
        new Version(1, 2, 3, 4), new BigInteger(5), (Half)1.5f, (Int128)5, (UInt128)5, new Memory<byte>([1]), new ReadOnlyMemory<byte>([1]), new KeyValuePair<int, string>(1, "x"), new Complex(1, 2),
        JsonDocument.Parse("{\"a\":1}").RootElement, new Index(5), new Range(1, 2), new Rune('x'), new Vector<int>(5), Color.Red, new BitVector32(5), new StringBuilder("text"), new Lazy<int>(5),
        new ImmutableArray<int>[1], new TimeSpanLike(5), new GetOnly(5), new Sealed(5), new GetOnlyClass { Text = "x" }.Init(5),
    ];

    private static readonly object[] NotReadBack = [ImmutableArray.Create(1, 2), new ArraySegment<int>([1, 2]), ImmutableList.Create(1, 2), ImmutableSortedSet.Create(1, 2)];

    private static readonly object[] Kept =
    [
        5, "x", 5m, 'x', 1.5, new DateTime(2004, 11, 20), TimeSpan.FromHours(1), new DateTimeOffset(2004, 11, 20, 1, 2, 3, TimeSpan.FromHours(1)), Guid.NewGuid(), new byte[] { 1 }, DayOfWeek.Friday, (1, "x"),
        new DateOnly(2004, 11, 20), new TimeOnly(1, 2), new Point(1, 2), new System.Numerics.Vector3(1, 2, 3), new List<int> { 1 }, new HashSet<int> { 1 }, new Collection<int> { 1 }, new int?[] { 1, null },
        new StringCollection { "a" }, new Settable { Number = 5 }, new Ignored { Text = "x" }, new Empty(), new Derived { Number = 5, Text = "x" }, new OwnXml(), new Bag { 1, 2 }, new List<List<Settable>> { new() { new() { Number = 1 } } },
    ];

    public static TheoryData<string> LostNames => new(Lost.Select(NameOf));

    public static TheoryData<string> NotReadBackNames => new(NotReadBack.Select(NameOf));

    public static TheoryData<string> KeptNames => new(Kept.Select(NameOf));

    [Theory]
    [MemberData(nameof(LostNames))]
    [MemberData(nameof(NotReadBackNames))]
    public void WhatIsLost_IsRefused_AndIsReallyLost(string name)
    {
        object value = Lost.Concat(NotReadBack).Single(v => NameOf(v) == name);
        typeof(XmlLossTests).GetMethod(nameof(CheckLost), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(value.GetType()).Invoke(null, [value]);
    }

    [Theory]
    [MemberData(nameof(KeptNames))]
    public void WhatIsKept_IsNotRefused(string name)
    {
        object value = Kept.Single(v => NameOf(v) == name);
        typeof(XmlLossTests).GetMethod(nameof(CheckKept), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(value.GetType()).Invoke(null, [value]);
    }

    [Fact]
    public void TheError_SaysWhatIsLostWhereAndWhatToDo()
    {
        NotSupportedException e = Assert.Throws<NotSupportedException>(() => new XmlFormatter<Outer>());
        Assert.Equal(
            "XmlSerializer does not keep Inner.Version, a Version: it has state, but nothing that XmlSerializer writes: it becomes an empty element, and is read as its default. Leave it out ([XmlIgnore]), "
                + "give its value in another member, or allow the loss: [AllowXmlLoss], XmlOptions.AllowedLosses.",
            e.Message.Split(" (Parameter")[0]);
        Assert.Throws<ArgumentException>(() => new XmlFormatter(typeof(Outer)));
        var body = new MessageBody();
        Assert.Throws<ArgumentException>(() => new XmlFormatter().Write(body, new Outer()));
    }

    [Fact]
    public void ALoss_IsAllowedByName()
    {
        var value = new Outer { Inners = [new Inner { Number = 5, Version = new Version(1, 2), Pair = new(1, 2) }] };
        Type[] allowed = [typeof(Version), typeof(KeyValuePair<,>)];
        Assert.Throws<NotSupportedException>(() => new XmlFormatter<Outer>(new XmlOptions { AllowedLosses = [typeof(Version)] }));
        Outer read = new XmlFormatter<Outer>(new XmlOptions { AllowedLosses = allowed }).Read(new XmlFormatter<Outer>(new XmlOptions { AllowedLosses = allowed }).Write(value));
        Assert.Equal((5, new Version()), (read.Inners![0].Number, read.Inners[0].Version));

        var untyped = new XmlFormatter([typeof(Outer)], XmlBodyStyle.Net, null, allowed);
        var body = new MessageBody();
        untyped.Write(body, value);
        Assert.Equal(5, Assert.IsType<Outer>(untyped.Read(body)).Inners![0].Number);
        Assert.NotNull(new XmlFormatter<Marked>());
        Assert.Throws<ArgumentNullException>(() => new XmlOptions { AllowedLosses = null! });
        Assert.Throws<ArgumentNullException>(() => new XmlFormatter([], XmlBodyStyle.Net, null, null!));
        Assert.Throws<ArgumentNullException>(() => new AllowXmlLossAttribute(null!));
    }

    private static string NameOf(object value) => value.GetType().ToString();

    private static void CheckLost<T>(T value)
    {
        foreach (Type root in new[] { typeof(T), typeof(Box<T>), typeof(List<Box<T[]>>) })
        {
            var e = Assert.Throws<TargetInvocationException>(() => Activator.CreateInstance(typeof(XmlFormatter<>).MakeGenericType(root), XmlOptions.Default));
            // Of a few collections XmlSerializer itself cannot make arrays.
            string message = Assert.IsType<NotSupportedException>(e.InnerException).Message;
            if (!message.Contains("There was an error reflecting type", StringComparison.Ordinal))
                Assert.Contains("XmlSerializer does not keep", message, StringComparison.Ordinal);
        }

        Type lost = value is ImmutableArray<int>[] ? typeof(ImmutableArray<int>) : typeof(T);
        try
        {
            var formatter = new XmlFormatter<Box<T>>(new XmlOptions { AllowedLosses = [lost] });
            byte[] body = formatter.Write(new Box<T> { Value = value });
            Assert.NotEqual(Describe(value), Describe(formatter.Read(body).Value));
        }
        catch (Exception e) when (e is MessageFormatException or NotSupportedException)
        {
            // It cannot even be written, or not be read.
        }
    }

    private static void CheckKept<T>(T value)
    {
        var formatter = new XmlFormatter<Box<T>>();
        byte[] body = formatter.Write(new Box<T> { Value = value });
        Assert.Equal(body, formatter.Write(formatter.Read(body)));
        Assert.Equal(Describe(value), Describe(formatter.Read(body).Value));
    }

    private static string Describe(object? value) => value switch
    {
        null => "null",
        string text => text,
        GetOnly own => own.Number.ToString(CultureInfo.InvariantCulture),
        TimeSpanLike own => own.Ticks.ToString(CultureInfo.InvariantCulture),
        Sealed own => own.Get().ToString(CultureInfo.InvariantCulture),
        GetOnlyClass own => own.Number.ToString(CultureInfo.InvariantCulture),
        ReadOnlyMemory<byte> memory => memory.Length.ToString(CultureInfo.InvariantCulture),
        Memory<byte> memory => memory.Length.ToString(CultureInfo.InvariantCulture),
        Lazy<int> lazy => lazy.Value.ToString(CultureInfo.InvariantCulture),
        JsonElement json => json.ValueKind.ToString(),
        ImmutableArray<int> { IsDefault: true } or ArraySegment<int> { Array: null } => "default",
        Array array => string.Join(",", array.Cast<object?>().Select(Describe)),
        System.Collections.IEnumerable items => string.Join(",", items.Cast<object?>().Select(Describe)),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    public class Box<T>
    {
        public T? Value { get; set; }
    }

    public class Outer
    {
        public List<Inner>? Inners { get; set; }
    }

    public class Inner
    {
        public int Number;

        public Version? Version { get; set; }

        public KeyValuePair<int, int> Pair { get; set; }
    }

    [AllowXmlLoss(typeof(Version)), AllowXmlLoss(typeof(KeyValuePair<,>))]
    public class Marked
    {
        public Inner? Inner;
    }

    /// <summary>A structure of which nothing is written, as many that were made to be immutable.</summary>
    public readonly struct GetOnly(int number)
    {
        public int Number { get; } = number;
    }

    public readonly struct TimeSpanLike(long ticks)
    {
        public readonly long Ticks = ticks;
    }

    /// <summary>State that is all private.</summary>
    public class Sealed
    {
        private readonly int _number;

        public Sealed()
        {
        }

        public Sealed(int number) => _number = number;

        public int Get() => _number;
    }

    public class GetOnlyClass
    {
        private int _number;

        public int Number => _number;

        internal string? Text { get; set; }

        public GetOnlyClass Init(int number)
        {
            _number = number;
            return this;
        }
    }

    public class Settable
    {
        public int Number { get; set; }

        public int Twice => 2 * Number;

        public override string ToString() => Number.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Left out by name: nothing is lost that was not said to be.</summary>
    public class Ignored
    {
        [XmlIgnore]
        public string? Text { get; set; }

        public override string ToString() => "";
    }

    public class Empty
    {
        public override string ToString() => "";
    }

    [XmlInclude(typeof(Derived))]
    public abstract class Base
    {
        public int Number { get; set; }
    }

    public class Derived : Base
    {
        public string? Text { get; set; }

        public override string ToString() => Number + Text;
    }

    public class OwnXml : IXmlSerializable
    {
        public System.Xml.Schema.XmlSchema? GetSchema() => null;

        public void ReadXml(System.Xml.XmlReader reader) => reader.Skip();

        public void WriteXml(System.Xml.XmlWriter writer)
        {
        }

        public override string ToString() => "";
    }

    /// <summary>A collection that is a structure, to which XmlSerializer adds in its place.</summary>
    public struct Bag : IEnumerable<int>
    {
        private int _count;

        public void Add(int item) => _count += item;

        public readonly IEnumerator<int> GetEnumerator() => Enumerable.Repeat(1, _count).GetEnumerator();

        readonly System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}

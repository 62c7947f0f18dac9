using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.Serialization;
using System.Threading;
using System.Xml.Serialization;
using Xunit;

namespace Formatters.Tests.Reflection;

public partial class ReflectionFormatterTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_Inheritance_BaseFirstFieldsBeforeProperties(bool compiled)
    {
        var value = new Derived { BaseField = 1, BaseProperty = 2, Field = 3, Property = 4, Virtual = 5, Ignored = 6, XmlIgnored = 7, NotSerialized = 8 };
        Derived read = Engines.AssertBytes(compiled, value, w =>
        {
            w.Write(1);
            w.Write(2);
            w.Write(5);
            w.Write(3);
            w.Write(4);
        });
        Assert.Equal(0, read.Ignored);
        Assert.Equal(5, read.Virtual);
        Engines.AssertBytes(compiled, new Hiding { Value = "new", Other = 2 }, w =>
        {
            w.Write("new");
            w.Write(2);
        });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_ConstructorsAndInit_MakeTheObject(bool compiled)
    {
        var record = new Positional(1, "two", [3]) { Extra = 4, Optional = null };
        Positional read = Engines.AssertBytes(compiled, record, w =>
        {
            w.Write(1);
            w.Write("two");
            w.Write(1);
            w.Write(3);
            w.Write(4);
            w.Write(false);
        });
        Assert.Equal((1, "two", 4), (read.Id, read.Name, read.Extra));
        Engines.AssertBytes(compiled, new ReadOnlyFields(5, "six"), w =>
        {
            w.Write(5);
            w.Write("six");
        });
        Assert.Equal(new ReadOnlyPoint(8, 9), Engines.AssertBytes(compiled, new ReadOnlyPoint(8, 9), w =>
        {
            w.Write(8);
            w.Write(9);
        }));
        Assert.Equal(new RecordStruct(8, "x"), Engines.AssertBytes(compiled, new RecordStruct(8, "x"), w =>
        {
            w.Write(8);
            w.Write("x");
        }));
        Assert.Equal("r", Engines.AssertBytes(compiled, new Required { Name = "r" }, w => w.Write("r")).Name);
        Engines.AssertBytes(compiled, new Empty(), _ => { });
        Engines.AssertBytes(compiled, new LeavesAllOut(), _ => { });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_Generics_FollowTheAnnotationOfTheArgument(bool compiled)
    {
        var value = new HasBoxes { Text = new Box<string> { Value = "a" }, Maybe = new Box<string?> { Value = "b" }, Always = new MaybeBox<string> { Value = null } };
        Engines.AssertBytes(compiled, value, w =>
        {
            w.Write("a");
            w.Write(true);
            w.Write("b");
            w.Write(false);
        });
        Engines.AssertBytes(compiled, new StringBox { Value = null }, w => w.Write(false));
    }

    [Fact]
    public void Annotations_AreThoseOfTheNullabilityInfoContext()
    {
        // Every member alone, through the bytes of its default or null.
        var context = new NullabilityInfoContext();
        var value = new Annotated();
        byte[] body = new BinaryBodyFormatter<Annotated>().Write(value);
        int offset = 0;
        foreach (PropertyInfo property in typeof(Annotated).GetProperties())
        {
            NullabilityInfo info = context.Create(property);
            if (info.ReadState == NullabilityState.Nullable)
                Assert.Equal(1, body[offset++]);
            int count = BitConverter.ToInt32(body, offset);
            offset += 4;
            Assert.Equal(1, count);
            NullabilityInfo? element = info.ElementType ?? info.GenericTypeArguments[^1];
            if (property.PropertyType.Name.StartsWith("Dictionary", StringComparison.Ordinal))
                offset += 2;
            if (element.ReadState == NullabilityState.Nullable)
                Assert.Equal(1, body[offset++]);
            Assert.Equal(1, body[offset++]);
            Assert.Equal((byte)'v', body[offset++]);
        }

        Assert.Equal(body.Length, offset);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_CodeWithoutAnnotations_HasNoPresenceBytes(bool compiled)
    {
        Engines.AssertBytes(compiled, new Oblivious { Text = "t", List = ["u"] }, w =>
        {
            w.Write("t");
            w.Write(1);
            w.Write("u");
        });
        BinaryBodyFormatter<Oblivious> formatter = Engines.Make<Oblivious>(compiled);
        AssertNull("Oblivious.Text", () => formatter.Write(new Oblivious { List = [] }));
        AssertNull("Oblivious.List", () => formatter.Write(new Oblivious { Text = "" }));
        AssertNull("Oblivious.List[1]", () => formatter.Write(new Oblivious { Text = "", List = ["a", null] }));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_NullOrWrongElement_NamesTheMember(bool compiled)
    {
        BinaryBodyFormatter<Collections> formatter = Engines.Make<Collections>(compiled);
        AssertNull("Collections.List[1]", () => formatter.Write(new Collections { List = ["", null!], Tuple = (1, "", null) }));
        AssertNull("Collections.Objects[0]", () => formatter.Write(new Collections { Objects = [null!], Tuple = (1, "", null) }));
        AssertNull("Collections.Objects[1].Name", () => formatter.Write(new Collections { Objects = [new(), new() { Name = null! }], Tuple = (1, "", null) }));
        AssertNull("Collections.Tuple.Item2", () => formatter.Write(new Collections()));
        AssertNull("Collections.Places[0]", () => formatter.Write(new Collections { Places = new ArrayList { null } }));
        AssertNull("Collections.Interface", () => formatter.Write(new Collections { Interface = null! }));
        AssertNull("Collections.MapInterface", () => formatter.Write(new Collections { MapInterface = null! }));
        AssertNull("Collections.Pairs[0].Value", () => formatter.Write(new Collections { Pairs = [new(1, null!)] }));
        foreach (ArrayList wrong in new ArrayList[] { new() { "text" }, new() { 1, 2L } })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Write(new Collections { Numbers = wrong }));
            Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, e.Code);
            Assert.Equal($"Collections.Numbers[{wrong.Count - 1}]", e.MemberPath);
        }

        MessageFormatException surrogate = Assert.Throws<MessageFormatException>(() => Engines.Make<Scalars>(compiled).Write(new Scalars { Char = '\uD800' }));
        Assert.Equal((MessageFormatErrorCode.BadText, "Scalars.Char"), (surrogate.Code, surrogate.MemberPath));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_Recursion_WorksUpToTheDepthAndCyclesFail(bool compiled)
    {
        BinaryBodyFormatter<Node> formatter = Engines.Make<Node>(compiled);
        Node chain = new();
        for (int i = 1; i < 64; i++)
            chain = new Node { Value = i, Next = chain };
        byte[] body = formatter.Write(chain);
        Assert.Equal(64 * 9, body.Length);
        Assert.Equal(body, formatter.Write(formatter.Read(body)));

        MessageFormatException deep = Assert.Throws<MessageFormatException>(() => formatter.Write(new Node { Next = chain }));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, deep.Code);
        Assert.StartsWith("Node.Next.Next.", deep.MemberPath, StringComparison.Ordinal);
        var cycle = new Node();
        cycle.Children.Add(cycle);
        deep = Assert.Throws<MessageFormatException>(() => formatter.Write(cycle));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, deep.Code);

        byte[] tower = new byte[5 * 1_000_000];
        for (int i = 0; i < tower.Length; i += 5)
            tower[i + 4] = 1;
        foreach (int maxDepth in new[] { 64, int.MaxValue })
        {
            FormatterLimits limits = FormatterLimits.Default with { MaxDepth = maxDepth };
            // A small stack, as threads of a server may have: the deepest levels give the typed error too, and no overflow.
            Exception? error = null;
            var thread = new Thread(() => error = Record.Exception(() => Engines.Make<Flat>(compiled, limits).Read(tower)), 256 * 1024);
            thread.Start();
            thread.Join();
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.IsType<MessageFormatException>(error).Code);
        }
    }

    [Fact]
    public void Make_TypeWithoutContract_NamesTheMember()
    {
        Refuses<Holds<object>>("Holds<object>.Value");
        Refuses<Holds<List<object>>>("Holds<List<object>>.Value[]");
        Refuses<Holds<Action>>("Holds<Action>.Value");
        Refuses<Holds<IComparable>>("Holds<IComparable>.Value");
        Refuses<Holds<IntPtr>>("Holds<IntPtr>.Value");
        Refuses<Holds<ArrayList>>("Holds<ArrayList>.Value");
        Refuses<Holds<Hashtable>>("Holds<Hashtable>.Value");
        Refuses<Holds<IList>>("Holds<IList>.Value");
        Refuses<Holds<SortedList>>("Holds<SortedList>.Value");
        Refuses<Holds<HashSet<Place>>>("Holds<HashSet<Place>>.Value");
        Refuses<Holds<object[,]>>("Holds<object[,]>.Value[]");
        Refuses<Holds<Dictionary<Place, int>>>("Holds<Dictionary<Place, int>>.Value");
        Refuses<Holds<NoCommonType>>("Holds<NoCommonType>.Value");
        Refuses<Holds<ITakenTag>>("Holds<ITakenTag>.Value");
        Refuses<Holds<ILostTags>>("Holds<ILostTags>.Value");
        Refuses<Holds<NoConstructor>>("Holds<NoConstructor>.Value");
        Refuses<Holds<Hidden>>("Holds<Hidden>.Value");
        Refuses<Holds<Pointers>>("Holds<Pointers>.Value.Pointer");
        Refuses<Holds<AbstractBase>>("Holds<AbstractBase>.Value");
        Refuses<Endless<int>>("Endless<int>.Next");
        Refuses<InItself>("InItself.Next");
        Refuses<TwoConstructors>("TwoConstructors");
        Refuses<WrongElementType>("WrongElementType.List");
        Refuses<FailedException>("FailedException: FailedException is not supported: keep its text");

        static void Refuses<T>(string path)
        {
            ArgumentException e = Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<T>());
            Assert.StartsWith(path, e.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Options_ElementType_ServesTypesThatCannotBeAnnotated(bool compiled)
    {
        BinaryBodyOptions options = BinaryBodyOptions.Default.WithElementType(typeof(Holds<ArrayList>), "Value", typeof(Point));
        BinaryBodyFormatter<Holds<ArrayList>> formatter = Engines.Make<Holds<ArrayList>>(compiled, options: options);
        byte[] body = formatter.Write(new Holds<ArrayList> { Value = new ArrayList { new Point { X = 1, Y = 2 } } });
        Assert.Equal("01000000" + "01000000" + "02000000", Convert.ToHexString(body));
        Holds<ArrayList> read = formatter.Read(body);
        Assert.Equal(2, Assert.IsType<Point>(read.Value[0]).Y);
        formatter.Read(body, ref read);
        Assert.Equal(body, formatter.Write(read));
        Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<Holds<ArrayList>>());
        Assert.Throws<ArgumentNullException>(() => BinaryBodyOptions.Default.WithElementType(typeof(Node), null!, typeof(int)));
        Assert.Throws<ArgumentException>(() => BinaryBodyOptions.Default.WithElementType(typeof(Holds<ArrayList>), "Valuez", typeof(Point)));
        Assert.Throws<ArgumentException>(() => BinaryBodyOptions.Default.WithElementType(typeof(Holds<int>), "Value", typeof(Point)));
    }

    [Fact]
    public void Options_ElementType_GoesBeforeTheAttributesAndHoldsForDerivedClasses()
    {
        BinaryBodyFormatter<DerivedLists> formatter = new(options: BinaryBodyOptions.Default.WithElementType(typeof(DerivedLists), "Values", typeof(byte)));
        Assert.Equal("0200000001020100000003", Convert.ToHexString(formatter.Write(new DerivedLists { Values = [(byte)1, (byte)2], Others = [(byte)3] })));
    }

    private class BaseLists
    {
        [ElementType(typeof(int))]
        public ArrayList Values = [];
    }

    private sealed class DerivedLists : BaseLists
    {
        [ElementType(typeof(byte))]
        [System.Xml.Serialization.XmlArrayItem(typeof(int))]
        public ArrayList Others = [];
    }

    private static void AssertNull(string path, Action write)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(write);
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, e.Code);
        Assert.Equal(path, e.MemberPath);
        Assert.False(e.IsPoison);
    }

    private class Base
    {
        public static int Static = 1;
        public const int Constant = 2;
        public int BaseField;
        public int BaseProperty { get; set; }
        public virtual int Virtual { get; set; }
        public int this[int index] => index;
        public int GetOnly => BaseField;
        public int PrivateSet { get; private set; }
    }

    private sealed class Derived : Base
    {
        public int Property { get; set; }
        public int Field;
        public override int Virtual { get; set; }
        [IgnoreDataMember]
        public int Ignored { get; set; }
        [XmlIgnore]
        public int XmlIgnored;
        [NonSerialized]
        public int NotSerialized;
        internal int Internal { get; set; }
    }

    private class Hidden1
    {
        [System.Runtime.Serialization.IgnoreDataMember]
        public int Value { get; set; }
    }

    private sealed class Hiding : Hidden1
    {
        public new string Value { get; set; } = "";
        public int Other { get; set; }
    }

    private sealed record Positional(int Id, string Name, int[] Numbers)
    {
        public int Extra { get; init; }
        public string? Optional { get; set; }
        public int Computed => Id * 2;
    }

    private sealed class ReadOnlyFields(int number, string text)
    {
        public readonly int Number = number;
        public readonly string Text = text;
    }

    private readonly struct ReadOnlyPoint
    {
        public ReadOnlyPoint(int x, int y) => (X, Y) = (x, y);

        public int X { get; }
        public int Y { get; }
    }

    private record struct RecordStruct(int Number, string Text);

    private sealed class Required
    {
        public required string Name { get; init; }
    }

    private sealed class Empty;

    private sealed class LeavesAllOut
    {
        public event EventHandler? Changed;

        [IgnoreDataMember]
        public int Ignored { get; set; }

        [XmlIgnore]
        public string? XmlIgnored { get; set; }

        public void Change() => Changed?.Invoke(this, EventArgs.Empty);
    }

    private sealed class Box<T>
    {
        public T Value { get; set; } = default!;
    }

    private sealed class MaybeBox<T>
    {
        public T? Value { get; set; }
    }

    private class ValueBox<T>
    {
        public T Value { get; set; } = default!;
    }

    private sealed class StringBox : ValueBox<string?>;

    private sealed class HasBoxes
    {
        public Box<string> Text { get; set; } = new();
        public Box<string?> Maybe { get; set; } = new();
        public MaybeBox<string> Always { get; set; } = new();
    }

    private sealed class Annotated
    {
        public List<string> A { get; set; } = ["v"];
        public List<string?> B { get; set; } = ["v"];
        public List<string>? C { get; set; } = ["v"];
        public string?[] D { get; set; } = ["v"];
        public string[]? E { get; set; } = ["v"];
        public Dictionary<string, string?> F { get; set; } = new() { ["k"] = "v" };
        public Dictionary<string, string>? G { get; set; } = new() { ["k"] = "v" };
        public string?[]? H { get; set; } = ["v"];
    }

#nullable disable
    private sealed class Oblivious
    {
        public string Text;
        public List<string> List;
    }
#nullable restore

    private sealed class Node
    {
        public int Value { get; set; }
        public Node? Next { get; set; }
        public List<Node> Children { get; set; } = [];
    }

    private sealed class Flat
    {
        public int Value { get; set; }
        public Flat? Next { get; set; }
        public int After { get; set; }
    }

    private sealed class Holds<T>
    {
        public T Value = default!;
    }

    private sealed class NoConstructor
    {
        private NoConstructor(int value) => Value = value;

        public int Value { get; set; }

        public static NoConstructor Make() => new(1);
    }

    private struct Hidden
    {
        private int _value;

        public int Value => _value++;
    }

    private unsafe struct Pointers
    {
        public int* Pointer { get; set; }
    }

    private abstract class AbstractBase;

    [MessageUnion(1, typeof(Place))]
    private abstract class NoCommonType;

    [MessageUnion(1, typeof(One)), MessageUnion(1, typeof(Two))]
    private interface ITakenTag;

    private sealed class One : ITakenTag, ILostTags;

    private sealed class Two : ITakenTag;

    [MessageUnion(typeof(One))]
    private interface ILostTags;

    private sealed class Endless<T>
    {
        public Endless<List<T>>? Next { get; set; }
    }

    private sealed class InItself
    {
        public InItself Next { get; set; } = null!;
    }

    private sealed class TwoConstructors
    {
        public TwoConstructors(int a) => A = a;

        public TwoConstructors(string b) => B = b;

        public TwoConstructors(int a, int unknown) => A = a + unknown;

        public int A { get; }
        public string B { get; } = "";
    }

    private sealed class FailedException : Exception
    {
        public int Id { get; set; }
    }

    private sealed class WrongElementType
    {
        [ElementType(typeof(int))]
        public List<int> List { get; set; } = [];
    }
}

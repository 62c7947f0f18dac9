using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>Declarations that are awkward to generate for: the output compiles without a warning, and works.</summary>
public class GeneratedCodeTests
{
    public static TheoryData<string> AwkwardDeclarations => new(
        // No namespace; keywords; members named after their types; a type named as generated code names things.
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class @event { public int @class; public string? @int { get; set; } }",
        "public enum Colour { Red } [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Colour Colour { get; set; } public Line Line = new(); } public class Line { public int position, value, writer, reader, level, i; }",
        "namespace Formatters.Generated { [MessageContract(Formats = ContractFormats.Binary)] public partial class Code { public int ContractCode; } }",
        "namespace N.System { [MessageContract(Formats = ContractFormats.Binary)] public partial class Formatters { public Guid Id; public List<int> List = new(); } }",
        // Nesting and accessibility.
        "public static partial class Outer { private protected class X { } internal partial struct Middle { [MessageContract(Formats = ContractFormats.Binary)] private sealed partial record Inner(int Id, Inner? Next); } }",
        "public partial interface IOuter { [MessageContract(Formats = ContractFormats.Binary)] public partial class Inner { public int Id; } }",
        "public partial class Outer<T> { } public partial class Plain { private class Hidden { } [MessageContract(Formats = ContractFormats.Binary)] internal partial class Shown { public int Id; } }",
        "[MessageContractFor(typeof(Hidden), Formats = ContractFormats.Binary), MessageContractFor(typeof(List<Hidden?>), Formats = ContractFormats.Binary)] public static partial class Contracts { } internal class Hidden { public int Id; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public List<Line> Lines = new(); } public unsafe class Line { public int Id; private int* _p; private delegate*<void> _f; public nint P() => (nint)_p + (nint)_f; public void Set(int* p) => _p = p; public void Set(delegate*<void> f) => _f = f; }",
        "namespace MessagePack { public class UnionAttribute : Attribute { public UnionAttribute(int key, Type type) { } } } [MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack | ContractFormats.Cbor), MessagePack.Union(1, typeof(Circle))] public abstract partial class Shape { [MessageMember] private int _id = 1; public int Id() => _id; } [MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class Circle : Shape { public int Radius; } [MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class Square { public Shape? Shape; public static object Contract => Shape.MessageContract; }",
        "[MessageContract(Formats = (ContractFormats)15)] public partial struct Trail { private Trail[]? _last; [MessageMember(1)] public int Id; [MessageMember(2)] public Trail? Last { readonly get => _last?[0]; set => _last = value is Trail last ? new[] { last } : null; } [MessageMember(3)] public (int, Trail?) Other { readonly get => (1, null); set => Id = value.Item1; } }",
        // Inheritance, hiding, overriding, static contract of a base class.
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public virtual int Id { get; set; } [System.Runtime.Serialization.IgnoreDataMember] public string Name = \"\"; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Derived : Base { public override int Id { get; set; } public new int Name; }",
        "public abstract class Shape { public abstract int Area { get; set; } } [MessageContract(Formats = ContractFormats.Binary)] public sealed partial class Square : Shape { public override int Area { get; set; } }",
        // Constructors, init, required, records, structs.
        "[MessageContract(Formats = ContractFormats.Binary)] public partial record Person(string Name) { public required int Age { get; init; } public int Extra; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public readonly partial record struct P(int X, string? Y);",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial struct S { public S() { A = 1; } public int A; public int B { get; init; } }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C(int id) { public int Id => id; public int Other { get; } = 2; public int ID2; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public C(in DateTime when) { When = when; } public DateTime When { get; } }",
        // An open generic type has no file of its own: it is part of what holds its closed forms.
        "[MessageContract(Formats = ContractFormats.Binary)] public class Box<T> { public T Value = default!; public Box<T>? Next; } [MessageContract(Formats = ContractFormats.Binary)] public partial class C { public Box<int> A = new(); public List<Box<string?>> B = new(); }",
        "public partial class Outer<T> { [MessageContract(Formats = ContractFormats.Binary)] public partial class Inner { public T Value = default!; } } [MessageContractFor(typeof(Outer<int>.Inner), Formats = ContractFormats.Binary)] public static partial class Context { }",
        // Kinds.
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public (int A, (string? B, List<(int, int)?> C) D)? T; public Tuple<int, string?>? U; public KeyValuePair<string, int?> P; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public (int, int, int, int, int, int, int, int, string) Nine; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public int[][,][] A = null!; public List<string?[]?>? B; public Dictionary<string, Dictionary<int, byte[]?>>[] D = null!; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public Half A; public Int128? B; public DateOnly? D; public TimeOnly E; public nint F() => 0; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { [ElementType(typeof(string))] public ArrayList A = new(); [ElementType(typeof(DateTime))] public ArrayList? B; [ElementType(typeof(List<int>))] public ArrayList D = new(); }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public Own A = new(); public Own? B; public OwnStruct D; public OwnStruct? E; public List<OwnStruct> F = new(); } public class Own : IBinaryBody { public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } } public struct OwnStruct : IBinaryBody { public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C : IBinaryBody { public int A; public void Save(ref BinaryBodyWriter w) => w.Write(A); public void Load(ref BinaryBodyReader r) => A = r.ReadInt32(); }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class Empty { } [MessageContract(Formats = ContractFormats.Binary)] public partial class C { public Empty A = new(); public Empty? B; public List<Empty> D = new(); public Empty[,] E = new Empty[0, 0]; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { [Obsolete] public int Old; [Obsolete(\"x\", false)] public string? Older { get; set; } public const int K = 1; public static int S; public event Action? E { add { } remove { } } public int this[int i] => i; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { [System.Runtime.Serialization.IgnoreDataMember] public int A { get; set; } [System.Xml.Serialization.XmlIgnore] public string? B; public event Action? E; public void Done() => E?.Invoke(); }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { [Some(1, 2), Some(Types = new[] { typeof(int) })] public int A; [Some] public List<int> B { get; set; } = new(); } [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class SomeAttribute : Attribute { public SomeAttribute(params object[] values) { } public Type[]? Types { get; set; } }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial record R(int X) { public int x; } [MessageContract(Formats = ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Protobuf)] public partial record Pair([MessageMember(1)] int X, [MessageMember(2)] int x);",
        "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class C { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public C() { } public int Id; [System.Runtime.Serialization.IgnoreDataMember] public required string Name { get; init; } = \"\"; }",
        "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Protobuf)] public partial class C { [Obsolete(\"no\", true)] public C() { } [MessageMember(1), Obsolete(\"no\", true)] public int Old { get; set; } [MessageMember(2), Obsolete(\"no\", true)] protected string Older = \"\"; [System.Runtime.Serialization.OnDeserialized, Obsolete(\"no\", true)] private void Done() { } } [MessageContract(Formats = ContractFormats.Binary)] public partial class D : C { [Obsolete] public D() { } }",
        "[MessageContractFor(typeof(int), Name = \"class\", Formats = ContractFormats.Binary), MessageContractFor(typeof(long), Name = \"await\", Formats = ContractFormats.Binary | ContractFormats.MessagePack | ContractFormats.Cbor), MessageContractFor(typeof(@event), Formats = ContractFormats.Binary)] public static partial class Context { } public class @event { public int Id; }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class @scoped { public @file? File; public (int, @required)? Pair; } [MessageContract(Formats = ContractFormats.Binary)] public partial struct @file { public int field; } [MessageContract(Formats = ContractFormats.Binary)] public partial record @required(int Id, int record); [MessageContract(Formats = ContractFormats.Binary)] public partial class @extension { public @partial P = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class @partial { public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public partial class @record { public int Id; } [MessageContractFor(typeof(@partial), Formats = ContractFormats.Binary), MessageContractFor(typeof(@scoped[]), Formats = ContractFormats.Binary)] public static partial class @await { }",
        // Names that mean something else in a derived class, and types that nothing outside can name.
        "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Protobuf)] public partial class C : B { private new int A { get; set; } public static new int D; public new void E() { } public new const int F = 1; public new class G { } [System.Runtime.Serialization.OnSerialized] public new void Done() { } } "
            + "public class B { [MessageMember(1)] public int A { get; set; } [MessageMember(2)] public int D { get; set; } [MessageMember(3)] public int E; [MessageMember(4)] public string F = \"\"; [MessageMember(5)] public List<int> G = new(); [System.Runtime.Serialization.OnSerialized] public void Done() { } }",
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public Self? A; [MemberCodec(typeof(F))] public (int X, int Y) B; } public class Self { public int X; } public sealed class F : BinaryCodec<(int, int)> { public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, (int, int) v) => w.Write(v.Item1); public override (int, int) Read(ref BinaryBodyReader r, (int, int) e) => (r.ReadInt32(), 0); }",
        // What is made without anything set: only where the constructor says that it sets what is required.
        "[MessageContract(Formats = ContractFormats.Binary)] public partial class C { public Own A = new(); [MemberCodec(typeof(F))] public int B; [System.Runtime.Serialization.OnSerialized] public void Done(System.Runtime.Serialization.StreamingContext context) { } } "
            + "public class Own : IBinaryBody { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public Own() { } public required int A; public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } } "
            + "public sealed class F : BinaryCodec<int> { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public F() { } public required int A; public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, int v) => w.Write(v); public override int Read(ref BinaryBodyReader r, int e) => r.ReadInt32(); } "
            + "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle)), MessageUnion(typeof(Other))] public abstract partial class Shape { } public class Circle : Shape { } "
            + "public class Other : Shape, IUnknownCase { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public Other() { } public required int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } }",
        "[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class C { public C([System.Runtime.InteropServices.Optional, System.Runtime.CompilerServices.DateTimeConstant(100)] DateTime z, int a) { Z = z; A = a; } [MessageMember(1)] public DateTime Z { get; } [MessageMember(2)] public int A { get; } }",
        // The versioned format: constructors, init, required, structs, all kinds of members that may be missing.
        "[MessageContract(Formats = ContractFormats.Versioned)] public partial record Person([MessageMember(2)] string Name, [MessageMember(9)] DayOfWeek? Day = DayOfWeek.Friday, [MessageMember(10)] string S = \"a\\\"b\\n\", [MessageMember(11)] double D = double.NaN, [MessageMember(12)] ulong U = ulong.MaxValue, [MessageMember(13)] DateTime T = default, [MessageMember(14)] bool B = true, [MessageMember(15)] sbyte I = -1, [MessageMember(16)] float F = 1e-3f) { [MessageMember(1)] public required int Age { get; init; } [MessageMember(4)] public List<int> Extra { get; init; } = new(); [MessageMember(5)] public Uri Uri { get; set; } = null!; public UnknownMembers? @else { get; init; } }",
        "[MessageContract(Formats = ContractFormats.Versioned)] public partial struct S { public S() { A = 1; } [MessageMember(1)] public int A; [MessageMember(2)] public int B { get; init; } [MessageMember(3)] public string C = \"\"; public UnknownMembers? U { get; set; } }",
        "[MessageContract(Formats = ContractFormats.Versioned)] public readonly partial record struct P([MessageMember(1)] int X, [MessageMember(2)] string? Y);",
        "[MessageContract(Formats = ContractFormats.Versioned)] public partial class C { [MessageMember(1)] public (int, string)? T; [MessageMember(2)] public System.Collections.Immutable.ImmutableArray<int> A; [MessageMember(3)] public HashSet<string> H = new(); [MessageMember(4)] public int[,] G = new int[0, 0]; [MessageMember(5)] public Stack<int>? K; [MessageMember(6)] public SortedDictionary<int, string> M = new(); [MessageMember(7)] public Version V = new(); [MessageMember(8)] public System.Numerics.BigInteger N; [MessageMember(9)] public ReadOnlyMemory<byte> R; [MessageMember(10)] public Own O = new(); [MessageMember(11)] public DateTimeOffset? W; [MessageMember(12)] public int Z_ { get; private set; } [MessageMember(13)] public System.Collections.Frozen.FrozenSet<int>? FS; } public class Own : IBinaryBody { public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }",
        "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)] [AllowDerived] public partial class Base { [MessageMember(1)] public int A; } [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)] public partial class D : Base { [MessageMember(2)] public Base? B; [MessageMember(3)] public List<D> C = new(); }",
        "public readonly struct V { public V(int a) { A = a; } [MessageMember(1)] public int A { get; } [MessageMember(2)] public int B { get; init; } } [MessageContract(Formats = ContractFormats.Versioned)] public partial class C { [MessageMember(1)] public V? Maybe; [MessageMember(2)] public V[] All = new V[0]; [MessageMember(3)] public C? Next; }",
        // MessagePack: the array form with gaps, the map form with names of every length, what is made at once, what is kept, what is only written.
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class C { [MessageMember(2)] public int A; [MessageMember(40)] public string? B { get; set; } [MessageMember(4)] public List<C>? Next; [MessageMember(5)] public int Computed => A; public UnknownMembers? @else { get; set; } }",
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class @event { public int @class; public string left = \"\", count = \"\", level = \"\", value = \"\", reader = \"\", position = \"\"; public double? byteOffset { get; set; } [MessageMember(Name = \"a name that is quite a bit longer than thirty-one bytes \u00e9\")] public Half H; public UnknownMembers? unknown { get; init; } }",
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial record Person(string Name, int Count = 3, DayOfWeek? Day = DayOfWeek.Friday) { public required int Age { get; init; } public List<int> Extra { get; init; } = new(); public Uri? Uri { get; set; } }",
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial struct S { public S() { A = 1; } public int A; public int B { get; init; } public string C = \"\"; public UnknownMembers? U { get; set; } }",
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public readonly partial record struct P([MessageMember(1)] int X, [MessageMember(2)] string? Y); [MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class Empty { }",
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class C { public (int, string)? T; public (int, int, int, int, int, int, int, int, string) Nine; public Tuple<int, string?>? U; public System.Collections.Immutable.ImmutableArray<int> A; public HashSet<string> H = new(); public int[,] G = new int[0, 0]; public int[][,][] J = null!; public Stack<int>? K; public SortedDictionary<int, string> M = new(); public Version V = new(); public System.Numerics.BigInteger N; public ReadOnlyMemory<byte> R; public ArraySegment<byte> Segment; public DateTimeOffset? W; [ElementType(typeof(List<int>))] public ArrayList Lists = new(); [ElementType(typeof(int), KeyType = typeof(string))] public Hashtable Table = new(); public System.Collections.Frozen.FrozenSet<int>? FS; }",
        "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor)] public partial class C : IBinaryBody { public int A; public Own O = new(); public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } } public class Own : IBinaryBody { public string? B; public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }",
        "[MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Square))] public interface IShape { } public class Circle : IShape { public double R; } public struct Square : IShape { public int Side; } [MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Binary)] public partial class C { public IShape Shape = new Circle(); public List<IShape?> Shapes = new(); }",
        "public class Codec : MessagePackCodec<decimal> { public override void Write(ref MessagePackBodyWriter w, decimal v) => w.Write(v); public override decimal Read(ref MessagePackBodyReader r, decimal e = 0) => r.ReadDecimal(); } [MessageContract(Formats = ContractFormats.MessagePack)] public partial class C { [MemberCodec(typeof(Codec))] public decimal A; [MemberCodec(typeof(Codec))] public decimal? B { get; set; } }",
        "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Empty { public UnknownMembers? U; } [MessageContract(Formats = ContractFormats.Versioned)] public partial class C { [MessageMember(255)] public Empty A = new(); [MessageMember(17)] public Empty? B; [MessageMember(3)] public List<Empty> D = new(); public UnknownMembers? U; }");

    [Theory]
    [MemberData(nameof(AwkwardDeclarations))]
    public void AwkwardDeclaration_Compiles(string source)
    {
        GeneratorDriverRunResult result = Compilations.Run(source);
        Assert.Empty(result.Diagnostics);
        Assert.NotEmpty(result.GeneratedTrees);
    }

    [Theory]
    [InlineData("Vec", "public partial struct Vec { [MessageMember(1)] public float X; [MessageMember(2)] public float Y; }", true)]
    [InlineData("Named", "public partial struct Named { [MessageMember(1)] public float X; [MessageMember(2)] public string Y; }", false)]
    [InlineData("Maybe", "public partial struct Maybe { [MessageMember(1)] public float X; [MessageMember(2)] public float? Y; }", false)]
    [InlineData("Fixed", "public readonly partial record struct Fixed([property: MessageMember(1)] float X, [property: MessageMember(2)] float Y);", false)]
    [InlineData("Short", "public partial struct Short { [MessageMember(1)] public byte X; }", true, false)]
    [InlineData("Far", "public partial struct Far { [MessageMember(15)] public long X; }", true, false)]
    public void AListOfStructsWithAContract_IsOneBlockWhereItCanBe(string type, string declaration, bool isBlock, bool? isVersionedBlock = null)
    {
        GeneratorDriverRunResult result = Compilations.Run(
            "#nullable enable\n[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)] " + declaration
            + $" [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)] public partial class Path {{ [MessageMember(1)] public List<{type}> Points = new(); }}");

        Assert.Empty(result.Diagnostics);
        string text = Assert.Single(result.GeneratedTrees, tree => tree.FilePath.Contains("Path", StringComparison.Ordinal)).ToString();
        Assert.Equal(isBlock, text.Contains($"WriteRecordBlock<global::{type}>", StringComparison.Ordinal));
        Assert.Equal(isBlock, text.Contains($"ReadRecordBlockList<M, global::{type}>", StringComparison.Ordinal));
        Assert.Equal(isVersionedBlock ?? isBlock, text.Contains("is __G::List<global::" + type + "> block", StringComparison.Ordinal));
    }

    [Fact]
    public void AnErrorOfAStructInAList_IsReportedOnce() => Assert.Equal("FMT110", Assert.Single(Compilations.Run(
        "[MessageContract] public partial struct Vec { public float X; } [MessageContract] public partial class Path { [MessageMember(1)] public Vec[] Points; }")
        .Diagnostics, diagnostic => diagnostic.Severity == DiagnosticSeverity.Error).Id);

    [Fact]
    public void Names_AreShortened_ExceptInStrings()
    {
        string text = Assert.Single(Compilations.Run(
            "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class C { public C? Next; public D? Other; public List<Guid> B = new(); [MessageMember(Name = \"'\\\"global::System.A\")] public int A; } public class D { public int A; }").GeneratedTrees).ToString();
        Assert.Contains("using __T = global::C;", text, StringComparison.Ordinal);
        Assert.Contains("__T value", text, StringComparison.Ordinal);
        Assert.Contains("global::D value", text, StringComparison.Ordinal);
        Assert.Contains("__G::List<__S::Guid>", text, StringComparison.Ordinal);
        Assert.Contains("\"'\\\"global::System.A\"", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[Obsolete(\"x\", true), MessageContract(Formats = ContractFormats.Binary)] public partial class C { public int A; }")]
    [InlineData("public partial class Outer { [MessageContract(Formats = ContractFormats.Binary)] private partial class C { public int A; } }")]
    [InlineData("public partial class Outer { [MessageContract(Formats = ContractFormats.Binary)] protected partial class C { public int A; } }")]
    public void TypeThatNoDirectiveCanName_HasNoAlias(string source) =>
        Assert.DoesNotContain("using __T", Assert.Single(Compilations.Run(source).GeneratedTrees).ToString(), StringComparison.Ordinal);

    [Theory]
    [InlineData("List<string>", "TextList", true)]
    [InlineData("string[]", "TextArray", true)]
    [InlineData("List<string?>", "TextList", false)]
    [InlineData("IList<string>", "TextList", false)]
    public void ListOfStrings_IsWrittenAndReadByTheLibrary(string type, string name, bool isByLibrary)
    {
        string text = Assert.Single(Compilations.Run(
            $"[MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack)] public partial class C {{ public {type} A = null!; }}").GeneratedTrees).ToString();
        foreach (string verb in new[] { "Write", "Read" })
        {
            foreach (string arguments in new[] { "<__F::Binary, M>(", "<F, M>(" })
                Assert.Equal(isByLibrary, text.Contains("__C." + verb + name + arguments, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void RectangularArray_IsMadeByTheLibrary()
    {
        string text = Assert.Single(Compilations.Run(
            "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Protobuf)] public partial class C { [MessageMember(1)] public int[,] A = null!; }").GeneratedTrees).ToString();
        Assert.Contains("NewGrid<int[,]>(lengths)", text, StringComparison.Ordinal);
        // Array.CreateInstance of an element type asks for code at run time: IL3050, ahead of time.
        Assert.DoesNotContain("CreateInstance", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[MessageMember(1)] public int A; [MessageMember(4)] public List<string> B = new();", false)]
    [InlineData("[MessageMember(2)] public int A; [MessageMember(1)] public string B = \"\";", true)]
    [InlineData("[MessageMember(1)] public int A; public UnknownMembers? Rest { get; set; }", true)]
    public void BinaryAndVersioned_ShareAClass_WhereTheyHoldTheSame(string members, bool areTwo)
    {
        string source = $"[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)] public partial class C {{ {members} }}";
        string text = Assert.Single(Compilations.Run(source).GeneratedTrees).ToString();
        Assert.Equal(areTwo, text.Contains("class GeneratedVersionedContract", StringComparison.Ordinal));
        // A contract that holds this one calls the first class, whichever the format is.
        Assert.Equal(areTwo, text.Contains("return ref GeneratedVersionedContract.WriteSelf<F, M>(ref w, ref p, value);", StringComparison.Ordinal));
        Assert.Equal(areTwo, text.Contains("return GeneratedVersionedContract.ReadSelf<F, M>(ref r, existing);", StringComparison.Ordinal));
    }

    [Fact]
    public void Code_OfEveryFormat_IsCSharp7_3()
    {
        // The default of netstandard2.0 and of .NET Framework. On .NET the contracts are static members of interfaces besides, which it lacks.
        const string Source = """
            using System; using System.Collections.Generic; using Formatters; using Formatters.LegacyBinary;
            [MessageContract(Formats = ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Protobuf)] public partial class Order
            {
                [MessageMember(1)] public int Id { get; set; } [MessageMember(2)] public string Name { get; set; } [MessageMember(3)] public int? Discount; [MessageMember(4)] public List<Line> Lines = new List<Line>();
                [MessageMember(5)] public Line Line = new Line(); [MessageMember(6)] public HashSet<int> Set = new HashSet<int>(); [MessageMember(7)] public SortedDictionary<string, int> Map = new SortedDictionary<string, int>();
                [MessageMember(8)] public Shape Shape; [MessageMember(9)] public double[,] Grid; [MessageMember(10)] public Queue<Line> Queue; [MessageMember(11)] public Tuple<int, string> Pair; [MessageMember(12)] public DateTime When; [MessageMember(13)] public Uri Uri;
                public UnknownMembers Unknown { get; set; }
            }
            [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Xml)] public partial class Old { public int Id; public string Name { get; set; } public List<Line> Lines; public Line[] More; public double? Price; }
            [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)] public partial class Both
            {
                [MessageMember(1)] public int Id; [MessageMember(2)] public List<Line> Lines; [MessageMember(3)] public char? Grade; [MessageMember(4)] public DateTimeOffset At;
                [MessageMember(5)] public List<Both> More;
            }
            public sealed class Line { [MessageMember(1)] public decimal Price { get; set; } [MessageMember(2)] public string Text { get; set; } }
            [MessageUnion(1, typeof(Circle)), MessageUnion(typeof(OtherShape))] public abstract class Shape { }
            public sealed class Circle : Shape { [MessageMember(1)] public double Radius; }
            public sealed class OtherShape : Shape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } }
            [MessageContract(Formats = ContractFormats.Binary)] public partial class Box<T> { public T Value; [MessageMember] private int _id = 1; public int Id() { return _id; } }
            [LegacyBinaryContract] public partial class Legacy { private int _id; public int Id { get { return _id; } } public Pair Pair; }
            [Serializable] public struct Pair { public int First; public string Second; }
            """;
        var options = new CSharpParseOptions(LanguageVersion.CSharp7_3);
        CSharpCompilation compilation = Compilations.Create().AddSyntaxTrees(CSharpSyntaxTree.ParseText(Source, options, path: "Source.cs"));
        compilation = compilation.WithOptions(compilation.Options.WithNullableContextOptions(NullableContextOptions.Disable));
        CSharpGeneratorDriver.Create([new ContractGenerator().AsSourceGenerator(), new LegacyContractGenerator().AsSourceGenerator()], parseOptions: options)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics);
        Assert.Empty(diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error));
        Assert.Equal(6, output.SyntaxTrees.Count());
        Assert.Empty(output.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    /// <summary>Whatever the source declares, the generator does not stop.</summary>
    [Theory]
    [InlineData("[A] partial record F(int X); [A] partial class F { }", 2)]
    [InlineData("[A] partial struct F { } [A] partial class F { } [A] partial record struct F(int X); [A] partial record F(int X);", 4)]
    [InlineData("namespace N { [A] partial class F { } } [A] partial class N { [A] partial class F { } }", 3)]
    [InlineData("[A] partial class \u01C5 { } [A] partial class \u01C6 { } [A] partial class \u01C4 { }", 3)]
    [InlineData("[A] partial class F { } [A] partial class f { } [A] partial record F(int X); [A] partial record f(int X);", 4)]
    [InlineData("[A, A] partial class F { } [A] partial class F { }", 1)]
    [InlineData("[A] class F { } [A] class F { }", null)]
    [InlineData("partial class O<T> { [A] partial class F { private int _x; } } partial class O<U> { [A] partial class F { } } class O<T> { [A] partial class F { } }", null)]
    [InlineData("[A] partial class \u0939\u093F\u0928\u094D\u0926\u0940 { } [A] partial class \u2167\u203F { }", 2)]
    [InlineData("[A] partial class F { [A] partial class F { } }", 2)]
    [InlineData("[A] partial class { } [A] partial class", null)]
    public void TypesOfOneName_HaveFilesOfTheirOwn(string source, int? contractCount)
    {
        foreach ((string attribute, bool isContract) in new[] { ("MessageContract", true), ("MessageContractFor(typeof(int), Formats = ContractFormats.Binary)", false), ("LegacyBinaryContract(typeof(int[]))", false) })
        {
            CSharpCompilation compilation = Compilations.Create(source.Replace("A] ", attribute + "] ", StringComparison.Ordinal).Replace("[A,", $"[{attribute},", StringComparison.Ordinal));
            GeneratorDriver driver = CSharpGeneratorDriver.Create(new ContractGenerator(), new LegacyContractGenerator()).RunGenerators(compilation);
            Assert.All(driver.GetRunResult().Results, static r => Assert.Null(r.Exception));
            if (isContract && contractCount is not null)
                Assert.Equal(contractCount, driver.GetRunResult().GeneratedTrees.Length);
        }
    }

    [Fact]
    public void Types_ThatDifferInCaseOnly_HaveFilesOfTheirOwn()
    {
        GeneratorDriverRunResult result = Compilations.Run(
            "namespace N { [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public partial class ORDER { public long Id; } } "
            + "namespace n { [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public string Id = \"\"; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Other { public int Id; } }");
        string[] names = [.. result.Results[0].GeneratedSources.Select(s => s.HintName)];
        Assert.Equal(["n.Order.20.Contract.g.cs", "N.Order.a0.Contract.g.cs", "N.ORDER.be.Contract.g.cs", "n.Other.20.Contract.g.cs"], names.Order(StringComparer.OrdinalIgnoreCase));
        Assert.Equal("N.Order.Contract.g.cs", Assert.Single(Compilations.Run("namespace N; [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; }").Results[0].GeneratedSources).HintName);
    }

    [Fact]
    public void Context_InTwoParts_IsOneFile()
    {
        GeneratorDriverRunResult result = Compilations.Run(
            "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] static partial class Context { } [MessageContractFor(typeof(long), Formats = ContractFormats.Binary)] static partial class Context { }");
        string text = Assert.Single(result.GeneratedTrees).ToString();
        Assert.Contains("> Int32 => ", text, StringComparison.Ordinal);
        Assert.Contains("> Int64 => ", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Contract_OfAnotherAssembly_IsCalled()
    {
        CSharpCompilation library = Compilations.Create("namespace Lib; [MessageContract(Formats = ContractFormats.Binary)] public partial class Address { public string City = \"\"; private int _hidden; public void Hide() => _hidden++; }");
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(library, out Compilation libraryOutput, out _);
        byte[] libraryImage = Emit(libraryOutput.WithAssemblyName("Lib"));
        CSharpCompilation application = Compilations.Create(
            """
            namespace App;
            [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public Lib.Address Address = new(); public List<Lib.Address?> Others = new(); }
            public static class Test
            {
                public static string Run()
                {
                    var formatter = new BinaryBodyFormatter<Order>(Order.MessageContract);
                    byte[] body = formatter.Write(new Order { Id = 1, Address = new() { City = "x" }, Others = { null, new() } });
                    Order order = formatter.Read(body);
                    Lib.Address address = order.Address;
                    formatter.Read(body, ref order);
                    string error = "";
                    try
                    {
                        formatter.Read(new byte[] { 1, 0, 0, 0, 1, 0xFF });
                    }
                    catch (MessageFormatException e)
                    {
                        error = e.MemberPath + " " + e.ByteOffset;
                    }

                    return Convert.ToHexString(body) + " " + ReferenceEquals(address, order.Address) + " " + error + " " + Order.MessageContract.Binary.MinByteCount;
                }
            }
            """).AddReferences(MetadataReference.CreateFromImage(libraryImage));
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(application, out Compilation output, out _);
        var context = new AssemblyLoadContext("Test", isCollectible: true);
        context.LoadFromStream(new MemoryStream(libraryImage));
        Assembly assembly = context.LoadFromStream(new MemoryStream(Emit(output)));
        Assert.Equal("0100000001780200000000" + "0100 True Order.Address.City 5 9", assembly.GetType("App.Test")!.GetMethod("Run")!.Invoke(null, null));
        context.Unload();
    }

    /// <summary>A contract of another assembly, in every format at once and in some: generated code asks for that of the format that it is run for.</summary>
    [Theory]
    [InlineData("Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact | ContractFormats.Protobuf")]
    [InlineData("Cbor | ContractFormats.Compact")]
    [InlineData("MessagePack | ContractFormats.Compact")]
    [InlineData("MessagePack")]
    public void ForeignContract_IsThatOfTheFormat(string formats)
    {
        CSharpCompilation library = Compilations.Create(
            """
            namespace Lib;
            [MessageContract(Formats = (ContractFormats)127)]
            public partial class Address
            {
                [MessageMember(1)] public string City = "";
                private int _hidden;
                public void Hide() => _hidden++;
            }
            """);
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(library, out Compilation libraryOutput, out _);
        byte[] libraryImage = Emit(libraryOutput.WithAssemblyName("Lib"));
        CSharpCompilation application = Compilations.Create(
            $$"""
            namespace App;
            [MessageContract(Formats = ContractFormats.{{formats}})]
            public partial class Order
            {
                [MessageMember(1)] public int Id;
                [MessageMember(2)] public Lib.Address Address = new();
            }

            public static class Test
            {
                public static string Run()
                {
                    string text = "";
                    foreach (string name in new[] { "Binary:BinaryBody", "Versioned:Versioned", "MessagePack:MessagePack", "Cbor:Cbor", "Compact:Compact", "Protobuf:Protobuf" })
                    {
                        string[] parts = name.Split(':');
                        MessageContract<Order> contract = Order.MessageContract;
                        if (!contract.Formats.HasFlag((ContractFormats)Enum.Parse(typeof(ContractFormats), parts[0])))
                            continue;
                        Type type = typeof(BinaryBodyFormatter<>).Assembly.GetType("Formatters." + parts[1] + "Formatter`1")!.MakeGenericType(typeof(Order));
                        var constructor = System.Linq.Enumerable.First(type.GetConstructors(), c => c.GetParameters()[0].ParameterType.IsInstanceOfType(contract));
                        object?[] arguments = new object?[constructor.GetParameters().Length];
                        for (int i = 0; i < arguments.Length; i++)
                            arguments[i] = i == 0 ? contract : constructor.GetParameters()[i].DefaultValue;
                        var formatter = (MessageFormatter<Order>)constructor.Invoke(arguments);
                        byte[] body = formatter.Write(new Order { Id = 1, Address = new() { City = "x" } });
                        Order order = formatter.Read(body);
                        Lib.Address address = order.Address;
                        formatter.Read(body, ref order);
                        text += order.Address.City + ReferenceEquals(address, order.Address);
                        try
                        {
                            formatter.Read(body.AsSpan(0, body.Length - 1));
                        }
                        catch (MessageFormatException e)
                        {
                            // Two of the formats see by a byte count before it that the end is missing.
                            string path = parts[0] == "Versioned" ? "Order" : parts[0] == "Protobuf" ? "Order.Address" : "Order.Address.City";
                            text += e.MemberPath == path ? " " : e.MemberPath;
                        }
                    }

                    return text;
                }
            }
            """).AddReferences(MetadataReference.CreateFromImage(libraryImage));
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(application, out Compilation output, out _);
        var context = new AssemblyLoadContext("Test", isCollectible: true);
        context.LoadFromStream(new MemoryStream(libraryImage));
        Assembly assembly = context.LoadFromStream(new MemoryStream(Emit(output)));
        string expected = string.Concat(Enumerable.Repeat("xTrue ", formats.Split('|').Length));
        Assert.Equal(expected, assembly.GetType("App.Test")!.GetMethod("Run")!.Invoke(null, null));
        context.Unload();
    }

    private static byte[] Emit(Compilation compilation)
    {
        using var stream = new MemoryStream();
        Microsoft.CodeAnalysis.Emit.EmitResult result = compilation.Emit(stream);
        Assert.True(result.Success, string.Join(Environment.NewLine, result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error)));
        return stream.ToArray();
    }
}

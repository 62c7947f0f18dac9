using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Generator.Tests;

using ContractFormats = global::Formatters.ContractFormats;

/// <summary>Every diagnostic: its id, its severity and the source text that it marks (between two dollar signs).</summary>
public class DiagnosticTests
{
    /// <summary>The attributes of other serializers, which are found by their names.</summary>
    private const string Foreign = " namespace MessagePack { public class MessagePackObjectAttribute : Attribute { } public class KeyAttribute : Attribute { public KeyAttribute(int x) { } public KeyAttribute(string x) { } } }"
        + " namespace ProtoBuf { public enum DataFormat { Default, ZigZag, TwosComplement, FixedSize, Group } public class ProtoContractAttribute : Attribute { }"
        + " public class ProtoMemberAttribute(int n) : Attribute { public int N => n; public DataFormat DataFormat { get; set; } public bool IsPacked { get; set; } } }";

    public static TheoryData<string, string> Mistakes => new()
    {
        { "FMT001", "[MessageContract(Formats = ContractFormats.Binary)] public class $Order$ { public int Id; }" },
        { "FMT001", "public class Outer { [MessageContract(Formats = ContractFormats.Binary)] public partial record $Order$(int Id); }" },
        { "FMT001", "[MessageContract(Formats = ContractFormats.Binary)] public class $Box$<T> { public T Value = default!; [MessageMember] private int _id = 1; public int Id() => _id; }" },
        { "FMT001", "public class Outer<T> { [MessageContract(Formats = ContractFormats.Binary)] public partial class $Base$ { public int Id; [System.Runtime.Serialization.OnSerializing] internal void Start() { } } }" },
        { "FMT001", "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Other\")] [MessageContract(Formats = ContractFormats.Binary)] internal class $Box$<T> { [MessageMember] private int _id = 1; public int Id() => _id; }" },
        { "FMT003", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public static class $Context$ { }" },
        { "FMT003", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public partial class $Context$<T> { }" },
        { "FMT003", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public static partial class $GeneratedContract$ { }" },
        { "FMT004", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary), $MessageContractFor(typeof(List<int>), Name = \"Int32\", Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT004", "[$MessageContractFor(typeof(int), Name = \"a b\", Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT004", "[$MessageContractFor(typeof(int), Formats = ContractFormats.Binary)$] public static partial class Context { public static int Int32; }" },
        { "FMT004", "[$MessageContractFor(typeof(int), Name = \"Context\", Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT003", "[MessageContract(Formats = ContractFormats.Binary), MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public partial class $Context$ { public int Id; }" },
        { "FMT003", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] file static partial class $Context$ { }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int $MessageContract$; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public class $GeneratedContract$ { } }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $MessageContract$ { public int Id; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $GeneratedContract$ { public int Id; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class $GeneratedParts$ { [MessageMember(1)] public int Id; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Xml)] public partial struct $MessageContract$ { public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public object $Id$ = 1; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public List<Action> $Id$ { get; set; } = new(); }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IComparable $Id$ = 1; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Base $Id$ = null!; } public abstract class Base { public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IntPtr $Id$; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public SortedList $Id$ = new(); }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public unsafe int* $Id$; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Inner $Id$ = new(); } public class Inner : List<int> { }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Id$ = null!; } [MessageContract(Formats = ContractFormats.Binary)] public abstract partial class Line { public int No; }" },
        { "FMT101", "[$MessageContractFor(typeof(Line), Formats = ContractFormats.Binary)$] public static partial class Context { } public abstract class Line { public int No; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public System.Collections.Concurrent.BlockingCollection<int> $Id$ = new(); }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public System.Globalization.CultureInfo? $Id$; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Failure$ : Exception { public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary), System.Runtime.Serialization.DataContract] public partial class $Failure$ : ArgumentException { [System.Runtime.Serialization.DataMember] public int Id; }" },
        { "FMT101", "[$MessageContractFor(typeof(int?), Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT101", "[$MessageContractFor(typeof(List<>), Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT101", "[$MessageContractFor(typeof(Gen<>), Formats = ContractFormats.Binary)$] public static partial class Context { } public class Gen<T> { public T Value = default!; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public dynamic $Id$ = 1; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public E<int> E = new(); } public class E<T> { public E<List<T>>? $Next$; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public E<int>.In E = new(); } public class E<T> { public class In { public E<In>.In? $Next$; } }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Four $Id$; } [System.Runtime.CompilerServices.InlineArray(4)] public struct Four { public int First; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public List<Four?> $Id$ = new(); } [System.Runtime.CompilerServices.InlineArray(4)] public struct Four { public int First; }" },
        { "FMT141", "[MessageContract(Formats = ContractFormats.Xml)] public partial class Order { public Four $Id$; } [System.Runtime.CompilerServices.InlineArray(4)] public struct Four { public int First; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public unsafe partial struct Order { public fixed int $Id$[4]; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ : System.IO.MemoryStream { public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = new(); } public class Line : Base { } public class Base : System.Net.Http.HttpContent { protected override System.Threading.Tasks.Task SerializeToStreamAsync(System.IO.Stream s, System.Net.TransportContext? c) => null!; protected override bool TryComputeLength(out long n) { n = 0; return true; } }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ { public Order(string other) { } public int Id; }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ { private Order() { } public int Id; }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ { public Order(int id, int ID) => Id = id + ID; public int Id { get; } }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ { public Order(int a) { } public Order(long b) { } public int A; public long B; }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Own $Own$ = null!; } public class Own : IBinaryBody { public Own(int a) { } public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.IgnoreDataMember] public required string $Name$ { get; init; } }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.MessagePack)] partial class Order { public int Id; internal required string $Name$; }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public required UnknownMembers? $Unknown$; }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Own? $Own$; } public class Own : IBinaryBody { public required int Id { get; set; } public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Own $Own$; } public struct Own : IBinaryBody { public required int Id; public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }" },
        { "FMT103", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order $Next$ = null!; }" },
        { "FMT103", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = null!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int? Id; public Order? No; public (int, Order) Order; }" },
        { "FMT103", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = null!; } public class Line { public Line $Next$ = null!; }" },
        { "FMT103", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Shape Shape = null!; } [MessageUnion(1, typeof(Circle))] public abstract class Shape { } public class Circle : Shape { public Shape $Next$ = null!; }" },
        { "FMT103", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Square))] public abstract partial class Shape { } public class Circle : Shape { public Shape $Next$ = null!; } public class Square : Shape { public Circle Circle = null!; }" },
        { "FMT104", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ { private int _id; public int Id() => _id++; }" },
        { "FMT104", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = new(); } public class Line { public int Id { get; private set; } }" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public ArrayList $Lines$ = new(); }" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IList $Lines$ = new ArrayList(); }" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int))] public Hashtable $Lines$ = new(); }" },
        { "FMT106", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int), KeyType = typeof(object))] public Hashtable $Lines$ = new(); }" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int))] public List<int> $Lines$ = new(); }" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int?))] public ArrayList $Lines$ = new(); }" },
        { "FMT106", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Dictionary<object, int> $Lines$ = new(); }" },
        { "FMT106", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public HashSet<(int, int)> $Lines$ = new(); }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public List<int> $Lines$ { get; } = new(); public string Kind { get; } = \"order\"; public int Count => Lines.Count; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public readonly IDictionary<string, int> $Prices$ = new Dictionary<string, int>(); public readonly string Kind = \"order\"; public const int Version = 1; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public int $Number$ { get; private set; } = 7; public void Renumber() => Number++; [NonSerialized] public readonly int[] Cache = new int[1]; [System.Runtime.Serialization.IgnoreDataMember] public int[] Other { get; } = new int[1]; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = new(); } public class Line { public int Id; public int $Number$ { get; } public Line() { } public Line(int number, int digits) => Number = number * 10 + digits; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public Queue<int> $Queue$ { get; } = new(); public System.Collections.Immutable.ImmutableArray<int> A { get; } = System.Collections.Immutable.ImmutableArray.Create(1); public System.Collections.ObjectModel.ReadOnlyCollection<int> R { get; } = new(new int[1]); }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public IList $List$ { get; } = new ArrayList(); public IReadOnlyList<int> Numbers { get; } = new int[1]; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public Line $Line$ { get; } = new(); public Fixed Fixed { get; } = new(); public System.Text.StringBuilder Text { get; } = new(); } public class Line { public int Id; } public class Fixed { public int Id => 1; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order(int number) { public Order() : this(0) { } public int Id; public int $Number$ { get; } = number; public int Other { get; } = 7; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order() { } public Order(int number, int other) => Number = number + other; public int Id; public int $Number$ { get; } = 1; public int Other { get; } = 7; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public int Id; [System.Runtime.Serialization.IgnoreDataMember] public new List<int> Lines { get; } = new(); } public class Base { public List<int> Lines { get; } = new(); public List<int> $More$ { get; } = new(); }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { private int _number; private int _other; public int Id; public ref int $Number$ => ref _number; public ref readonly int Other => ref _other; public void Set() => _other = 1; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public new string $Name$ { get; set; } = \"\"; } public class Base { public int Name { get; set; } public int Id; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public new string $Name$ = \"\"; } public class Base { public int Name; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary), System.Runtime.Serialization.DataContract] public partial class Order : Base { [System.Runtime.Serialization.DataMember] public new string $Name$ { get; set; } = \"\"; } [System.Runtime.Serialization.DataContract] public class Base { [System.Runtime.Serialization.DataMember] public int Name { get; set; } }" },
        { "FMT132", "[MessagePack.MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessagePack.Key(1), MessageMember(1)] public int $Id$; [MessagePack.Key(1), MessageMember(2)] public int No; }" + Foreign },
        { "FMT132", "[MessagePack.MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessagePack.Key(\"id\"), MessageMember(1)] public int $Id$; }" + Foreign },
        { "FMT132", "[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [ProtoBuf.ProtoMember(1), MessageMember(2)] public int $Id$; }" + Foreign },
        { "FMT132", "[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [ProtoBuf.ProtoMember(1, DataFormat = ProtoBuf.DataFormat.ZigZag), MessageMember(1)] public int $Id$; }" + Foreign },
        { "FMT132", "[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [ProtoBuf.ProtoMember(1, IsPacked = false), MessageMember(1)] public int[] $Id$ = new int[0]; }" + Foreign },
        { "FMT134", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(string code, int id) { this.Code = code.Trim(); Id = id; } public string $Code$ { get; set; } public int Id { get; set; } }" },
        { "FMT134", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order(string code, string? name) { public string $Code$ { get; set; } = code + \"!\"; public string Name { get; set; } = (name ?? \"\")!; }" },
        { "FMT133", "[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [ProtoBuf.ProtoMember(1), MessageMember(1)] public int Id; [$ProtoBuf.ProtoMember(2)$] private int _no; public int No() => _no; }" + Foreign },
        { "FMT133", "[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [$ProtoBuf.ProtoMember(1)$] public System.DateTime At; }" + Foreign },
        { "FMT133", "[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [ProtoBuf.ProtoMember(1), MessageMember(1)] public int Id; public bool $IdSpecified$; }" + Foreign },
        { "FMT133", "[MessagePack.MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order : Base { [MessagePack.Key(0)] public int Id; [MessagePack.Key(1)] public new int $No$; } [MessagePack.MessagePackObject] public class Base { [MessagePack.Key(2)] public int No; }" + Foreign },
        { "FMT133", "[$System.Runtime.Serialization.DataContract(IsReference = true)$, MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [System.Runtime.Serialization.DataMember] public int Id; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public int Id; } public class Base { public int[] $Numbers$ { get; internal set; } = new int[1]; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a, int b) { A = a; B = b; Sum = a + b; } public Order(int a, int b, object other) : this(a, b) => Number = other.GetHashCode(); public int A { get; } public int B { get; } public int Sum { get; } public int $Number$ { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order(int a) { public int A { get; set; } = a; public int $First$ { get; } = a; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a) { A = a; First = a; } [MessageMember] public int A { get; private set; } public int $First$ { get; } public void Add() => A++; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial record Order(int A, int B) { public int Sum { get; } = A + B; public List<int> $List$ { get; } = new() { A }; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial record Order(int A) : Base(A) { public readonly int Twice = 2 * A; } public record Base { public Base(int a) => Sum = a; public int $Sum$ { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a) { A = a; Twice = 2 * A; Kind = DayOfWeek.Friday; Id = Guid.NewGuid(); } public int A { get; } public int Twice { get; } public DayOfWeek Kind { get; } public Guid $Id$ { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { private static int _next; public Order(int a) { A = a; Number = 1; Number += _next++; } public int A { get; } public int $Number$ { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a) { A = a; Number = a; } public Order(int a, string text) : this(a) => int.TryParse(text, out Number); public int A { get; } public readonly int $Number$; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a) { A = a; Number = a; } public Order(int a, object other) : this(a) => (Number, Other) = (other.GetHashCode(), 1); public int A { get; } public int $Number$ { get; } [System.Runtime.Serialization.IgnoreDataMember] public int Other { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a) { A = a; Number = a; } public Order(int a, object other) : this(a) => this.Number++; public int A { get; } public int $Number$ { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order(int a) { public int A => a; public int $Twice$ { get; } = 2 * a; public void Add() => a++; }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public Guid $Key$ { get; } = Guid.NewGuid(); public Guid None { get; } = Guid.Empty; public string NewGuid { get; } = nameof(Guid.NewGuid); public TimeSpan Time { get; } = TimeSpan.FromSeconds(5); }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public readonly string $Created$ = \"at \" + System.DateTimeOffset.UtcNow; public readonly int Now = Clock.Now; public readonly string Text = string.Empty; private static class Clock { public const int Now = 1; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int a) { A = a; Key = a + \":\" + System.Environment.MachineName; Text = string.Empty; } public int A { get; } public string $Key$ { get; } public string Text { get; } }" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)] public partial record Order(int A) { public DateTime $At$ { get; } = DateTime.Now.AddDays(A); public DateTime Day { get; } = DateTime.UnixEpoch.AddDays(A); }" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { public int $Id$; [MessageMember(2)] public int Other; }" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember] public int $Id$; }" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public Line Line = new(); } public class Line { public int $Id$; }" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Versioned)] public partial record Order([MessageMember(1)] int Id, string $Name$);" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public Shape? Shape; } [MessageUnion(1, typeof(Circle))] public abstract class Shape { } public class Circle : Shape { public int $Id$; }" },
        { "FMT110", "[System.Runtime.Serialization.DataContract, MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [System.Runtime.Serialization.DataMember] private int $_id$; }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(1)] public int $Other$ { get; set; } }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order : Base { [MessageMember(1)] public int $Id$; } public class Base { [MessageMember(1)] public int Base1; }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [System.Runtime.Serialization.DataMember(Order = 3)] public int Id; [MessageMember(3)] public int $Other$; }" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int Id; public int $Other$; }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(1)] public int $Other$; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(0)] public int $Id$; [MessageMember(1)] public int Number; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)] public partial class Order { [MessageMember(0)] public int $Id$; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(10001)] public int $Id$; }" },
        { "FMT113", "[RetiredMembers(3), MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(3)] public int $Id$; }" },
        { "FMT114", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { public Line $Line$ = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int Id; }" },
        { "FMT118", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { public int Id; [MessageMember(Name = \"Id\")] public int $Other$; }" },
        { "FMT126", "public class Codec : MessagePackCodec<int> { public override void Write(ref MessagePackBodyWriter w, int v) { } public override int Read(ref MessagePackBodyReader r, int e = 0) => 0; } [MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MemberCodec(typeof(Codec))] public long $Id$; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(0)] public int $Id$; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(256)] public int $Id$; }" },
        { "FMT113", "[RetiredMembers(1, 3)] [MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(3)] public int $Id$; }" },
        { "FMT113", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order : Base { [MessageMember(3)] public int $Id$; } [RetiredMembers(3)] public class Base { }" },
        { "FMT114", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public Line $Line$ = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int Id; }" },
        { "FMT114", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = new(); } [MessageContract(Formats = ContractFormats.Versioned)] public partial class Line { [MessageMember(1)] public int Id; }" },
        { "FMT114", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public Shape? Shape; } [MessageUnion(1, typeof(Line))] public abstract class Shape { } [MessageContract(Formats = ContractFormats.Binary)] public partial class $Line$ : Shape { [MessageMember(1)] public int Id; }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; public UnknownMembers $Unknown$ { get; set; } = new(); }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; public UnknownMembers? $Unknown$ { get; } }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; public UnknownMembers? A; public UnknownMembers? $B$; }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; public required UnknownMembers? $Unknown$; }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; internal UnknownMembers? $Unknown$ { get; set; } }" },
        { "FMT115", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int Id; private UnknownMembers? $_unknown$ = null; public bool Has() => _unknown is not null; }" },
        { "FMT116", "[MessageContract(Formats = ContractFormats.None)] public partial class $Order$ { public int Id; }" },
        { "FMT116", "[MessageContract(Formats = (ContractFormats)1024)] public partial class $Order$ { public int Id; }" },
        { "FMT116", "[$MessageContractFor(typeof(int), Formats = ContractFormats.None)$] public static partial class Context { }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; public class $GeneratedVersionedContract$ { } }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } public class Base { public int $MessageContract$; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int $__C$; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int $__P$; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int $__T$; }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } public class Base { protected class $GeneratedContract$ { } public int Id; }" },
        { "FMT004", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary), $MessageContractFor(typeof(long), Name = \"Int32\", Formats = ContractFormats.Versioned | ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT107", "\n#nullable disable\n[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public string $Name$; public string Other; }" },
        { "FMT118", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { public int Id; [MessageMember(Name = \"Id\")] public int $CustomerId$; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1), ElementType(typeof(int))] public System.Collections.ArrayList $Items$ = []; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1), MemberCodec(typeof(string))] public int $Id$; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ : List<int> { }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class $Order$ : Dictionary<string, int> { public int Extra { get; set; } }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Items Lines = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class $Items$ : List<int> { }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Protobuf)] public partial class $Order$ : IEnumerable { [MessageMember(1)] public int Id; public IEnumerator GetEnumerator() => null!; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] file partial class $Order$ { public int Id; }" },
        { "FMT101", "file partial class Outer { [MessageContract(Formats = ContractFormats.Xml)] public partial class $Order$ { public int Id; } }" },
        { "FMT101", "[$MessageContractFor(typeof(List<Line>), Formats = ContractFormats.Binary)$] public static partial class Context { } file class Line { public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Xml)] public partial class Order { public IDisposable $Id$ = null!; }" },
        { "FMT006", "[MessageContractMap] public static class $Contracts$ { }" },
        { "FMT006", "public static class Outer { [MessageContractMap] public static partial class $Contracts$ { } }" },
        { "FMT006", "[MessageContractMap] public partial class $Contracts$<T> { }" },
        { "FMT006", "[MessageContractMap] file static partial class $Contracts$ { }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Xml)] public partial class $Order$ { public Order(int id) => Id = id; public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Xml)] public abstract partial class Order { public int $Id$ { get; protected set; } }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public ref partial struct $Order$ { public int Id; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Xml)] public ref partial struct $Order$ { public int Id; }" },
        { "FMT101", "[$MessageContractFor(typeof(S), Formats = ContractFormats.Binary)$] public static partial class Context { } [MessageContract(Formats = ContractFormats.Binary)] public static partial class S { }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Xml)] public static partial class $Order$ { }" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { public int $Id$; }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(1)] public int $Other$; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(19500)] public int $Id$; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Protobuf), $MessageUnion(0, typeof(Circle))$] public abstract partial class Shape { } public class Circle : Shape { }" },
        { "FMT113", "[RetiredMembers(3)] [MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(3)] public int $Id$; }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, Encoding = MemberEncoding.ZigZag)] public System.Collections.Generic.List<uint> $Ids$ = []; }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, Encoding = (MemberEncoding)9)] public int $Id$; }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int Id; [MessageOneof(2, typeof(Card)), $MessageOneof(1, typeof(Cash))$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(2, typeof(Card)), MessageOneof(3, typeof(Cash))] public IPay? Pay; [MessageOneof(4, typeof(Card)), $MessageOneof(3, typeof(Cash))$] public IPay? Other; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(2, typeof(Card)), $MessageOneof(0, typeof(Cash))$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(2, typeof(Card)), $MessageOneof(19000, typeof(Cash))$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT113", "[RetiredMembers(7)] [MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(2, typeof(Card)), $MessageOneof(7, typeof(Cash))$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, IsPacked = false)] public System.Collections.Generic.List<string> $Names$ = []; }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, IsPacked = false)] public int $Id$; }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, IsPacked = false)] public System.Collections.Generic.List<int?> $Ids$ = []; }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(9, Encoding = MemberEncoding.Fixed), MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash))] public IPay? $Pay$; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Card))] public IPay? $Pay$; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash)), $MessageOneof(3, typeof(Card))$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Card)), $MessageOneof(2, typeof(int))$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Card)), $MessageOneof(2, null!)$] public IPay? Pay; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, Oneof = \"value\")] public int $Number$ { get; set; } }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1, Oneof = \"value\")] public System.Collections.Generic.List<int>? $Numbers$ { get; set; } }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(3, Oneof = \"value\"), MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash))] public IPay? $Pay$; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Order))] public string $Pay$ = \"\"; }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash))] public System.Collections.Generic.List<IPay> $Pay$ = []; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { }" },
        { "FMT129", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash)), MemberCodec(typeof(Codec))] public IPay? $Pay$; } [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay; public class Card : IPay { } public class Cash : IPay { } public class Codec : ProtobufCodec<IPay> { public override void Write(ref ProtobufBodyWriter w, IPay v) { } public override IPay Read(ref ProtobufBodyReader r, IPay? e = null, bool m = false) => null!; }" },
        { "FMT120", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Animal Animal = new(); } [MessageUnion(1, typeof(Dog))] public class $Animal$ { } public class Dog : Animal { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(1, typeof(string))$] public abstract partial class Shape { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(1, typeof(Round))$] public abstract partial class Shape { } public abstract class Round : Shape { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(1, typeof(Round<>))$] public abstract partial class Shape { } public class Round<T> : Shape { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IShape Shape = null!; } [$MessageUnion(1, typeof(Circle))$] public interface IShape { } public class Circle { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IShape Shape = null!; } [$MessageUnion(1, typeof(S?))$] public interface IShape { } public struct S : IShape { public int Id; }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(1, null!)$] public abstract partial class Shape { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(null!)$] public abstract partial class Shape { }" },
        { "FMT121", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(1, typeof(int[]))$] public abstract partial class Shape { }" },
        { "FMT101", "[$MessageContractFor(null!, Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT101", "[$MessageContractFor(typeof(void), Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT101", "[$MessageContractFor(typeof(int*), Formats = ContractFormats.Binary)$] public static unsafe partial class Context { }" },
        { "FMT101", "[$MessageContractFor(typeof(Span<int>), Formats = ContractFormats.Binary)$] public static partial class Context { }" },
        { "FMT122", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle)), $MessageUnion(1, typeof(Square))$] public abstract partial class Shape { } public class Circle : Shape { } public class Square : Shape { }" },
        { "FMT122", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle)), $MessageUnion(2, typeof(Circle))$] public abstract partial class Shape { } public class Circle : Shape { }" },
        { "FMT122", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(-2, typeof(Circle))$] public abstract partial class Shape { } public class Circle : Shape { }" },
        { "FMT123", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(typeof(Circle))$] public abstract partial class Shape { } public class Circle : Shape { }" },
        { "FMT123", "[MessageContract(Formats = ContractFormats.Binary), $MessageUnion(typeof(Other))$, MessageUnion(1, typeof(Circle))] public abstract partial class Shape { } public class Circle : Shape { } public class Other : Shape, IUnknownCase { public required int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } }" },
        { "FMT124", "[MessageContractFor(typeof(Plain), Formats = ContractFormats.Binary)] public static partial class Context { } public class Plain { [MessageMember] private int $_id$ = 1; public int Id() => _id; }" },
        { "FMT124", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } public class Base { [MessageMember] private int $_id$ = 1; public int Id() => _id; }" },
        { "FMT124", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order : Base { } public class Base { [MessageMember(1)] private int $_id$ = 1; public int Id() => _id; }" },
        { "FMT124", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public Base Base = new(); } public class Base { [MessageMember(1)] private int $Id$ { get; set; } }" },
        { "FMT124", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : IId { [MessageMember] int IId.$Id$ { get; set; } } public interface IId { int Id { get; set; } }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Binary), System.Runtime.Serialization.DataContract] public partial class Order { [System.Runtime.Serialization.DataMember] public int $Id$ => 1; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MessageMember] internal int $Id$ { set { } } }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] public List<int> $Lines$ { get; } = new(); }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [MessageMember(2)] public readonly int $Other$; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; [System.Runtime.Serialization.DataMember(Order = 2)] public int $Other$ => Id; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [MessageMember] public static int $Count$; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] public const int $Count$ = 1; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] private static string? $Name$ { get; set; } }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] public int $this$[int index] { get => index; set { } } }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(F))] public int $Id$; } public sealed class F : BinaryCodec<decimal> { public override int MinByteCount => 8; public override void Write(ref BinaryBodyWriter w, decimal v) { } public decimal Read(ref BinaryBodyReader r, decimal e) => 0; }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(string))] public int? $Id$; }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(F))] public int $Id$; } public sealed class F : BinaryCodec<int> { public required int Scale; public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, int v) { } public int Read(ref BinaryBodyReader r, int e) => 0; }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Binary), MemberCodec(typeof(string))] public partial class $Order$ { public int Id; }" },
        { "FMT124", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } public class Base { public int Id; [System.Runtime.Serialization.OnDeserialized] private void $Done$() { } }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.OnDeserialized] public int $Done$() => 1; }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.OnSerializing] public virtual void $Begin$() { } }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.OnSerialized] public void $End$(object context) { } }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.OnSerialized] public void $End$(in System.Runtime.Serialization.StreamingContext context) { } }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.OnSerialized] public void $End$(ref System.Runtime.Serialization.StreamingContext context) { } }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [System.Runtime.Serialization.OnSerialized] private void $End$(out System.Runtime.Serialization.StreamingContext context) => context = default; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Versioned), $RetiredMembers(3, 300)$] public partial class Order { [MessageMember(1)] public int Id; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.MessagePack), $RetiredMembers(0)$] public partial class Order { [MessageMember(1)] public int Id; }" },
        { "FMT112", "[MessageContract(Formats = ContractFormats.Protobuf), $RetiredMembers(19500)$] public partial class Order { [MessageMember(1)] public int Id; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] public List<int> $Lines$ { get; } = new(); [MessageMember(3)] public int Twice => 2 * Id; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] public List<int> $Lines$ { get; } = new(); [MessageMember(3)] public int Twice => 2 * Id; }" },
        { "FMT125", "[MessageContract(Formats = ContractFormats.Protobuf | ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int Id; [MessageMember(2)] public readonly int $Other$ = 1; }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(null!)] public int $Id$; }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1), MemberCodec(null!)] public int $Id$; }" },
        { "FMT126", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = new(); } [MemberCodec(null!)] public class Line { public int Id; }" },
        { "FMT128", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = new(); } public class Line { public int Id; } public sealed class Special : Line { public int Extra; }" },
        { "FMT128", "[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public Dictionary<string, List<Line?>> $Lines$ = new(); } public class Line { [MessageMember(1)] public int Id; } public abstract class Middle : Line { } public class Special : Middle { }" },
        { "FMT128", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line $Line$ = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int Id; private sealed class Special : Line { } }" },
        { "FMT128", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Own $Own$ = new(); } public class Own : IBinaryBody { public virtual void Save(ref BinaryBodyWriter w) { } public virtual void Load(ref BinaryBodyReader r) { } } public class Special : Own { }" },
        { "FMT128", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Box<int> $Box$ = new(); public Box<string> Other = new(); } public class Box<T> { public T Value = default!; } public class Special : Box<int> { }" },
        { "FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : IEnd { public int Id; [System.Runtime.Serialization.OnSerialized] void IEnd.$End$() { } } public interface IEnd { void End(); }" },
    };

    [Theory]
    [InlineData("public class Line { public int Id; }")]
    [InlineData("public sealed class Line { public int Id; }")]
    [InlineData("[AllowDerived] public class Line { public int Id; } public class Special : Line { }")]
    [InlineData("public class Line { public int Id; } public abstract class Special : Line { }")]
    [InlineData("[MessageUnion(1, typeof(Special))] public abstract class Line { public int Id; } public class Special : Line { }")]
    public void DerivedClasses_AreNotReported_WhereNoObjectIsAnError(string line)
    {
        GeneratorDriverRunResult result = Compilations.Run("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line? Line; public List<Line> Lines = new(); } " + line);
        Assert.Empty(result.Diagnostics);
        result = Compilations.Run("[assembly: AllowDerived(typeof(Line))] [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line? Line; } public class Line { public int Id; } public class Special : Line { }");
        Assert.Empty(result.Diagnostics);
    }

    /// <summary>A mistake is reported at its place, once, and gives no other, whatever holds the contract, derives from it, names it in a context or uses it.</summary>
    [Theory]
    [MemberData(nameof(Mistakes))]
    public void Mistake_IsReportedAtItsPlace_AndOnce(string id, string marked)
    {
        string[] parts = marked.Split('$');
        CSharpCompilation compilation = Compilations.Create(string.Concat(parts));
        GeneratorDriverRunResult alone = Compilations.Run(compilation);
        Diagnostic diagnostic = Assert.Single(alone.Diagnostics, d => d.Id == id && Text(d) == parts[1]);
        Assert.DoesNotContain(alone.Diagnostics, d => d.Id != id);
        Assert.Equal(id is "FMT107" or "FMT108" or "FMT128" or "FMT134" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error, diagnostic.Severity);
        Assert.Equal($"{Compilations.HelpPages}{id}.md", diagnostic.Descriptor.HelpLinkUri);
        string source = diagnostic.Location.SourceTree!.ToString();
        Assert.Equal(source.IndexOf(string.Concat(parts), StringComparison.Ordinal) + parts[0].Length, diagnostic.Location.SourceSpan.Start);
        Assert.DoesNotContain("{", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
        // Of FMT114 the nested contract is right by itself, of FMT004 the other one of the context.
        if (diagnostic.Severity == DiagnosticSeverity.Error && id is not ("FMT004" or "FMT114") && !marked.Contains("Line {", StringComparison.Ordinal) && !marked.StartsWith("[MessageContract(Formats = ContractFormats.Binary), ", StringComparison.Ordinal))
            Assert.All(alone.Contracts(), c => Assert.True(c.IsPlaceholder));
        string[] reported = [.. Places(alone)];
        Assert.Distinct(alone.Diagnostics.Select(d => (d.Id, d.Location, d.GetMessage(System.Globalization.CultureInfo.InvariantCulture))));
        INamedTypeSymbol[] contracts = [.. compilation.GetSymbolsWithName(_ => true, SymbolFilter.Type).OfType<INamedTypeSymbol>()
            .Where(t => t is { IsGenericType: false, IsFileLocal: false, IsRefLikeType: false, IsStatic: false, DeclaredAccessibility: Accessibility.Public, ContainingType: null } && t.GetAttributes().Any(a => a.AttributeClass?.Name == "MessageContractAttribute"))];
        for (int i = 0; i < contracts.Length; i++)
        {
            string type = contracts[i].ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
            int value = contracts[i].GetAttributes().SelectMany(a => a.NamedArguments).FirstOrDefault(a => a.Key == "Formats").Value.Value as int? ?? 1;
            // What is in no known format is held in any. An abstract class cannot be held.
            value = value is 0 or > 31 ? 1 : value;
            if (contracts[i].IsAbstract && !contracts[i].GetAttributes().Any(a => a.AttributeClass?.Name == "MessageUnionAttribute"))
                continue;
            string formats = $"Formats = (ContractFormats){value}";
            // MessagePack goes by numbers or by names.
            string number = value != 4 || System.Text.RegularExpressions.Regex.IsMatch(marked, @"MessageMember\(\d") ? "[MessageMember(200)] " : "";
            foreach (string holder in new[] { $"Holder{i}", $"Another{i}" })
                compilation = compilation.AddSource($"[MessageContract({formats})] public partial class {holder} {{ [MessageMember(1)] public int Id; [MessageMember(2)] public {type}? Held; [MessageMember(3)] public List<{type}> Further = new(); }}");
            compilation = compilation.AddSource($"[MessageContractFor(typeof({type}), Name = \"One\", {formats}), MessageContractFor(typeof(List<{type}>), Name = \"Several\", {formats})] public static partial class Contracts{i};");
            foreach (string derived in new[] { $"Derived{i}", $"Further{i}" })
            {
                CSharpCompilation more = compilation.AddSource($"[MessageContract({formats})] public partial class {derived} : {type} {{ {number}public int Another; }}");
                // Of the class alone: the whole is compiled below.
                if (!more.GetSemanticModel(more.SyntaxTrees[^1]).GetDiagnostics().Any(d => d.Severity == DiagnosticSeverity.Error))
                    compilation = more;
            }
        }

        Assert.Equal(reported, Places(Compilations.Run(compilation)));
        Assert.Contains(reported, r => r.StartsWith(id, StringComparison.Ordinal));

        // The classes that are added here derive from what is held, of which FMT128 warns rightly: of other mistakes it is no part, and of its own the names are more.
        IEnumerable<string> Places(GeneratorDriverRunResult result) => result.Diagnostics.Where(d => d.Id != "FMT128" || id == "FMT128" && d.Location.SourceTree!.FilePath != "Added.cs")
            .Select(d => $"{d.Id} {d.Location.SourceTree!.FilePath} {d.Location.SourceSpan.Start:0000}: {(d.Id == "FMT128" ? "" : d.GetMessage(System.Globalization.CultureInfo.InvariantCulture))}").Order(StringComparer.Ordinal);
    }

    /// <summary>A constructor that stores its parameter, whatever is around it, changes nothing.</summary>
    [Theory]
    [InlineData("name")]
    [InlineData("(name)")]
    [InlineData("(string)name")]
    [InlineData("name!")]
    [InlineData("(string)(name ?? \"\")")]
    public void Assignment_OfTheParameter_IsNotReported(string value) => Assert.Empty(Compilations.Run(
        $"[MessageContract(Formats = ContractFormats.Binary)] public partial class Order {{ public Order(string name) {{ Name = {value}; }} public string Name {{ get; set; }} }}").Diagnostics);

    /// <summary>A public property of an internal type does not compile, which Run looks at.</summary>
    [Theory]
    [InlineData("Line")]
    [InlineData("Line[]")]
    [InlineData("List<Line>")]
    [InlineData("List<Line[]>")]
    [InlineData("Dictionary<string, Line>")]
    public void Contract_OfAnInternalType_IsInternal(string type) => Assert.Empty(Compilations.Run(
        $"internal class Line {{ public int Id; }} [MessageContractFor(typeof({type}), Name = \"One\", Formats = ContractFormats.Binary)] public static partial class Contracts;").Diagnostics);

    /// <summary>One part of a collection that has the encoding is enough.</summary>
    [Theory]
    [InlineData("List<int>")]
    [InlineData("Dictionary<int, string>")]
    [InlineData("Dictionary<string, int>")]
    [InlineData("Dictionary<string, List<int>>")]
    public void Encoding_ThatAPartHas_IsNotReported(string type) => Assert.Empty(Compilations.Run(
        $"[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order {{ [MessageMember(1, Encoding = MemberEncoding.ZigZag)] public {type} Value = new(); }}").Diagnostics);

    /// <summary>Mistakes of one place are one only if they are the same.</summary>
    [Fact]
    public void Mistakes_OfOnePlace_AreAllReported()
    {
        GeneratorDriverRunResult result = Compilations.Run("public class Box<T> { public T Value = default!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Box<object> Box = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Other { public Box<IDisposable> Box = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Further { public Box<object> Box = new(); }");
        Assert.Equal(
            ["Order.Box.Value: 'object'", "Other.Box.Value: 'IDisposable'"],
            result.Diagnostics.Select(d => d.GetMessage(System.Globalization.CultureInfo.InvariantCulture).Split(" has no contract", StringSplitOptions.None)[0]).Order(StringComparer.Ordinal));
    }

    /// <summary>What is wrong with a type that has no contract of its own in this assembly and format is wrong where it is held.</summary>
    [Theory]
    [InlineData("public class Line : Exception { public int Id; }", "FMT101")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public abstract partial class Line { public int Id; }", "FMT101")]
    [InlineData("[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Line : Exception { public int Id; }", "FMT101", "Line")]
    [InlineData("[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Line { public int Id; }", "FMT114")]
    [InlineData("[MemberCodec(typeof(string))] public class Line { public int Id; }", "FMT126")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary), MemberCodec(typeof(F))] public partial class Line { public int Id; private sealed class F : BinaryCodec<Line> { public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, Line v) { } public Line Read(ref BinaryBodyReader r, Line e) => e; } }", "FMT126")]
    [InlineData("public class Line : IBinaryBody { public Line(int a) { } public void Save(ref BinaryBodyWriter w) { } public void Load(ref BinaryBodyReader r) { } }", "FMT102")]
    [InlineData("public class Line { public Line(int other) { } public int Id; }", "FMT102")]
    public void Mistake_OfATypeWithoutAContract_IsReportedWhereItIsHeld(string type, string id, params string[] further)
    {
        GeneratorDriverRunResult result = Compilations.Run(type + " [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line First = null!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Other { public Line Second = null!; }");
        Assert.All(result.Diagnostics, d => Assert.Equal(id, d.Id));
        Assert.Equal(further.Concat(["First", "Second"]), result.Diagnostics.Select(Text));
    }

    [Theory]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = null!; public static object Contract => Line.MessageContract; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public object Id = 1; }", "FMT101")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = null!; public Side Side = null!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Side { public Line Line = null!; } [MessageContract(Formats = ContractFormats.Binary)] public class Line { public int Id; }", "FMT001")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public object Other = 1; } [MessageContract(Formats = ContractFormats.Binary)] public abstract partial class Base { [MessageMember] private int _id = 1; public int Id() => _id; public object Wrong = 1; }", "FMT101 FMT101")]
    [InlineData("[MessageContractFor(typeof(List<Line>), Formats = ContractFormats.Binary), MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public static partial class Context { public static object Contract => Int32; } [MessageContract(Formats = ContractFormats.Binary)] public class Line { public int Id; }", "FMT001")]
    [InlineData("public static class Program { public static BinaryBodyFormatter<Line> Formatter => BinaryBodyFormatter.Create<Line>(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public object Id = 1; }", "FMT101")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public class Base { [MessageMember] private int _id = 1; public int Id() => _id; [System.Runtime.Serialization.OnSerializing] private void Start() { } }", "FMT001")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public int No; } [MessageContract(Formats = ContractFormats.Binary)] public abstract class Base { [System.Runtime.Serialization.OnSerializing] private void Start() { } }", "FMT001")]
    [InlineData("public static class Program { public static BinaryBodyFormatter<Failure> Formatter => BinaryBodyFormatter.Create<Failure>(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Failure : Exception { public int Id; }", "FMT101")]
    [InlineData("public static class Program { public static object Formatter => MessagePackFormatter.Create<Lines>(); } [MessageContract(Formats = ContractFormats.MessagePack)] public partial class Lines : List<int> { }", "FMT101")]
    [InlineData("public static class Program { public static object Formatter => XmlFormatter.Create<Line>(); } [MessageContract(Formats = ContractFormats.Xml)] public partial class Line { public IDisposable Id = null!; }", "FMT101")]
    [InlineData("public static class Program { public static object Contract => Line.MessageContract; } [MessageContract(Formats = ContractFormats.Xml)] public abstract partial class Line { public IDisposable Id = null!; }", "FMT101")]
    public void Mistake_InAContractThatIsHeld_IsReportedThereOnly(string source, string ids)
    {
        CSharpCompilation compilation = Compilations.Create(source);
        Assert.Equal(ids, string.Join(" ", Compilations.Run(compilation).Diagnostics.Select(d => d.Id)));
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out _);
        Assert.Empty(output.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    /// <summary>What stands for a contract with errors writes and reads nothing: it must never run.</summary>
    [Fact]
    public void ErrorsOfContracts_CannotBeSwitchedOff()
    {
        const string Source = "#pragma warning disable FMT101\n[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public object Id = 1; }";
        CSharpCompilation compilation = Compilations.Create(Source);
        compilation = compilation.WithOptions(compilation.Options.WithSpecificDiagnosticOptions([new("FMT101", ReportDiagnostic.Suppress)]));
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(compilation, out _, out ImmutableArray<Diagnostic> diagnostics);
        Diagnostic diagnostic = Assert.Single(diagnostics);
        Assert.Equal(("FMT101", DiagnosticSeverity.Error, false), (diagnostic.Id, diagnostic.Severity, diagnostic.IsSuppressed));
    }

    [Theory]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IShape? Shape; } [MessageUnion(1, typeof(Circle))] public interface IShape { } public class Circle { }",
        "the union 'IShape' lists 'Circle', which is not derived from 'IShape', or cannot be created")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Shape? Shape; } [MessageUnion(1, typeof(Circle)), MessageUnion(1, typeof(Square)), MessageUnion(2, typeof(string))] public abstract class Shape { } public class Circle : Shape { } public class Square : Shape { }",
        "the union 'Shape' lists 'Square' with the tag 1, which another type has|the union 'Shape' lists 'string', which is not derived from 'Shape', or cannot be created")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary), MessageUnion(-1, typeof(Circle)), MessageUnion(1, typeof(Square)), MessageUnion(2, typeof(Square)), MessageUnion(typeof(Other)), MessageUnion(typeof(Another))] public abstract partial class Shape { } public class Circle : Shape { } public class Square : Shape { } public class Other : Shape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } } public class Another : Other { }",
        "the union 'Shape' lists 'Circle' with the tag -1; tags are 0 or greater|the union 'Shape' lists 'Square' for the second time|the union 'Shape' lists 'Another' for unknown tags, as it does another type")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(string))] public int Id; }",
        "Order.Id: 'string' is not a codec for 'int': it is not a BinaryCodec<int>")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(F))] public int Id; } public abstract class F : BinaryCodec<int> { public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, int v) { } public int Read(ref BinaryBodyReader r, int e) => 0; }",
        "Order.Id: 'F' is not a codec for 'int': it is abstract, or an open generic type")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(F))] public int Id; } public class F(int no) : BinaryCodec<int> { public int No => no; public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, int v) { } public int Read(ref BinaryBodyReader r, int e) => 0; }",
        "Order.Id: 'F' is not a codec for 'int': it has no public constructor without parameters")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(F))] public int Id; } public class F : BinaryCodec<int> { public required int No; public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, int v) { } public int Read(ref BinaryBodyReader r, int e) => 0; }",
        "Order.Id: 'F' is not a codec for 'int': it has required members, which nothing sets")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = null!; } public class Line { [MemberCodec(typeof(F))] public int Id; private class F : BinaryCodec<int> { public override int MinByteCount => 4; public override void Write(ref BinaryBodyWriter w, int v) { } public int Read(ref BinaryBodyReader r, int e) => 0; } }",
        "Order.Line.Id: 'F' is not a codec for 'int': it is not accessible where code is generated")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } public class Base { [MessageMember] private int _id = 1; public int Id() => _id; }",
        "Base._id is not accessible: it is not public, and the contract is not generated into the type that declares it")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line? Line; } public class Line { [MessageMember] private int _id = 1; public int Id() => _id; }",
        "Order.Line._id is not accessible: it is not public, and the contract is not generated into the type that declares it")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial record Base(int A) { public string? B { get; init; } } [MessageContract(Formats = ContractFormats.Binary)] public partial record Order(int A) : Base(A) { private new void B() { } }",
        "Base.B is not accessible: it is set only while the object is made, and a derived class gives its name to something else")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Base { [MessageMember] private int B { get; init; } } [MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { }",
        "Base.B is not accessible: it is not public, and is set only while the object is made")]
    [InlineData("public class Base { [MessageMember] public int B { get; private set; } } [MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { }",
        "Base.B is not accessible: it has an accessor that is not public, and the contract is not generated into the type that declares it")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : IId { [MessageMember] int IId.Id { get; set; } } public interface IId { int Id { get; set; } }",
        "Order.IId.Id is not accessible: it implements an interface explicitly")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } public class Base { public int Id; [System.Runtime.Serialization.OnDeserialized] private void Done() { } }",
        "Base.Done is not accessible: it is not public, and the contract is not generated into the type that declares it")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : IEnd { public int Id; [System.Runtime.Serialization.OnSerialized] void IEnd.End() { } } public interface IEnd { void End(); }",
        "Order.IEnd.End is a callback, but it is static, virtual, generic or async, implements an interface explicitly, returns something, or takes something other than a StreamingContext by value")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Other : Base { } public class Base { public int MessageContract; }", "'Order' inherits from 'Base' a member named 'MessageContract', which is the name of a generated member; give it another name")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public object Id = 1; }", "Base.Id: 'object' has no contract: the body carries no type names, so a member has to be of a declared type")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Other : Base { } public class Base { public object Id = 1; [System.Runtime.Serialization.OnSerializing] public virtual void Start() { } [MessageMember] public static int Count; }",
        "Base.Count has an attribute that makes it a member, but belongs to the type, not to its objects|Base.Id: 'object' has no contract: the body carries no type names, so a member has to be of a declared type")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = null!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line : Exception { public int Id; }", "Line: 'Line' has no contract: keep its text, and what its receiver needs to know")]
    [InlineData("[MessageContractFor(typeof(int), Name = \"1x\", Formats = ContractFormats.Binary)] public static partial class Context { }", "'Context' cannot have a contract named '1x': it is not an identifier; set Name")]
    [InlineData("[MessageContractFor(typeof(int), Name = \"\", Formats = ContractFormats.Binary)] public static partial class Context { }", "'Context' cannot have a contract named '': it is not an identifier; set Name")]
    [InlineData("[MessageContractFor(typeof(int), Name = \"Context\", Formats = ContractFormats.Binary)] public static partial class Context { }", "'Context' cannot have a contract named 'Context': the context itself is named 'Context'; set Name")]
    [InlineData("[MessageContractFor(typeof(int), Name = \"Number\", Formats = ContractFormats.Versioned)] public static partial class Number { }", "'Number' cannot have a contract named 'Number': the context itself is named 'Number'; set Name")]
    [InlineData("[MessageContractFor(typeof(int), Name = \"GeneratedXmlContract\", Formats = ContractFormats.Binary)] public static partial class Context { }", "'Context' cannot have a contract named 'GeneratedXmlContract': generated code has that name; set Name")]
    [InlineData("[MessageContractFor(typeof(int), Formats = ContractFormats.Binary), MessageContractFor(typeof(long), Name = \"Int32\", Formats = ContractFormats.Binary)] public static partial class Context { }", "'Context' cannot have a contract named 'Int32': it has another one of that name; set Name")]
    [InlineData("[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public static partial class Context { public static int Int32; }", "'Context' cannot have a contract named 'Int32': it has a member named 'Int32'; set Name")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Paper? Paper; } public abstract class Paper { }", "Order.Paper: 'Paper' has no contract: no object can be made of an interface or an abstract class without [MessageUnion]")]
    [InlineData("[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public Line? Line; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [MessageMember(1)] public int Id; }",
        "Order.Line: the contract of 'Line' is not generated for Versioned, MessagePack and Protobuf: add ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf to its Formats")]
    [InlineData("[MessageContractFor(typeof(Order), Formats = ContractFormats.Versioned | ContractFormats.Binary | ContractFormats.Xml | ContractFormats.Protobuf)] public static partial class Context { } public class Order { [MessageMember(1)] public Line? Line; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [MessageMember(1)] public int Id; }",
        "Order.Line: the contract of 'Line' is not generated for Versioned and Protobuf: add ContractFormats.Versioned | ContractFormats.Protobuf to its Formats")]
    [InlineData("[MessageContractFor(typeof(Line), Formats = ContractFormats.Versioned | ContractFormats.MessagePack)] public static partial class Context { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [MessageMember(1)] public int Id; }",
        "Line: the contract of 'Line' is not generated for Versioned and MessagePack: add ContractFormats.Versioned | ContractFormats.MessagePack to its Formats")]
    [InlineData("[MessageContractFor(typeof(Order), Formats = ContractFormats.Versioned), MessageContractFor(typeof(List<Order>), Formats = ContractFormats.MessagePack), MessageContractFor(typeof(Other), Formats = ContractFormats.Protobuf)] public static partial class Context { } "
        + "public class Order { [MessageMember(1)] public Line? Line; } public class Other { [MessageMember(1)] public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [MessageMember(1)] public int Id; }",
        "Order.Line: the contract of 'Line' is not generated for Versioned and MessagePack: add ContractFormats.Versioned | ContractFormats.MessagePack to its Formats")]
    [InlineData("[MessageContractFor(typeof(Box<Line>), Formats = ContractFormats.Versioned), MessageContractFor(typeof(Box<Side>), Formats = ContractFormats.MessagePack)] public static partial class Context { } "
        + "public class Box<T> { [MessageMember(1)] public T Value = default!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [MessageMember(1)] public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Side { [MessageMember(1)] public int Id; }",
        "Box<Line>.Value: the contract of 'Line' is not generated for Versioned: add ContractFormats.Versioned to its Formats|Box<Side>.Value: the contract of 'Side' is not generated for MessagePack: add ContractFormats.MessagePack to its Formats")]
    [InlineData("namespace MessagePack { public class IgnoreMemberAttribute : Attribute { } } namespace Shop { [MessageContract(Formats = ContractFormats.Versioned | ContractFormats.MessagePack)] public partial class Order : Base { [MessageMember(1)] public int Id; } "
        + "public class Base { [MessagePack.IgnoreMember, MessageMember(2)] public Line? Line; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [MessageMember(1)] public int Id; } }",
        "Base.Line: the contract of 'Line' is not generated for Versioned: add ContractFormats.Versioned to its Formats")]
    [InlineData("[MessageContractFor(typeof(Shape), Formats = ContractFormats.Versioned | ContractFormats.MessagePack)] public static partial class Context { } [MessageUnion(1, typeof(Line))] public abstract class Shape { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line : Shape { [MessageMember(1)] public int Id; }",
        "Line: the contract of 'Line' is not generated for Versioned and MessagePack: add ContractFormats.Versioned | ContractFormats.MessagePack to its Formats")]
    public void Message_NamesWhatIsDeclared(string source, string messages) =>
        Assert.Equal(System.Text.RegularExpressions.Regex.Split(messages, @"(?<! )\|(?! )"), Compilations.Run(source).Diagnostics.Select(d => d.GetMessage(System.Globalization.CultureInfo.InvariantCulture)));

    /// <summary>In an IDE a project refers to the source of another, where this one can report nothing.</summary>
    [Theory]
    [InlineData("public class Line { public int Id; public List<int> Lines { get; } = new(); }", "")]
    [InlineData("public class Line { public object Value = 1; }", "FMT101")]
    [InlineData("#nullable disable\npublic class Line { public string Text; }", "")]
    [InlineData("public class Line { [MessageMember] private int _id = 1; public int Id() => _id; }", "FMT124")]
    [InlineData("public class Line { public Line(int other) { } public int Id; }", "FMT102")]
    [InlineData("public class Line { public Shape Shape = null!; } [MessageUnion(1, typeof(string)), MessageUnion(-2, typeof(Round))] public abstract class Shape { } public class Round : Shape { }", "FMT121 FMT122")]
    [InlineData("public class Line { public Line Next = null!; }", "FMT103")]
    public void Mistake_InTheSourceOfAnotherProject_IsReportedInThisOne(string library, string ids)
    {
        CSharpCompilation referenced = Compilations.Create(library).WithAssemblyName("Library");
        Compilation compilation = Compilations.Create("[MessageContractFor(typeof(Line), Formats = ContractFormats.Binary)] public static partial class Contracts { }").AddReferences(referenced.ToMetadataReference());
        GeneratorDriverRunResult result = Compilations.Driver().RunGenerators(compilation).GetRunResult();
        Assert.Null(result.Results[0].Exception);
        Assert.Equal(ids, string.Join(" ", result.Diagnostics.Select(d => d.Id)));
        Assert.All(result.Diagnostics, d => Assert.Equal("MessageContractFor(typeof(Line), Formats = ContractFormats.Binary)", Text(d)));
    }

    /// <summary>Of a compiled assembly the compiler shows what is public: what else is in the contract by reflection is found in the assembly itself, and not lost without a word.</summary>
    [Theory]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Line { [System.Runtime.Serialization.DataMember] private int _id = 1; public int Id() => _id; }", "FMT124", "FMT109")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Line { [System.Runtime.Serialization.DataMember] public int Id { get; set; } [System.Runtime.Serialization.DataMember] internal int Number { get; set; } }", "FMT124", "FMT109")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Line { [System.Runtime.Serialization.DataMember] public int Id { get; set; } [System.Runtime.Serialization.OnDeserialized] private void Done(System.Runtime.Serialization.StreamingContext c) { } }", "FMT124", "FMT109")]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Line { [System.Runtime.Serialization.DataMember] public int Id { get; set; } private int _cache = 1; public int Cache() => _cache; }", "", "FMT109")]
    [InlineData("public class Line { [MessageMember] public int Id { get; set; } [MessageMember] private int _number = 1; public int Number() => _number; }", "FMT124", "")]
    [InlineData("public class Line { public int Id { get; set; } private int _cache = 1; public int Cache() => _cache; }", "", "")]
    [InlineData("public class Line { public int Id { get; set; } [MessageMember] private protected int Number { get; set; } }", "FMT124", "")]
    [InlineData("public class Line { public int Id { get; set; } [System.Runtime.Serialization.OnDeserialized] private void Done() { } }", "FMT124", "")]
    [InlineData("public struct Line { public int Id { get; set; } [MessageMember] private int _number; public int Number() => _number++; }", "FMT124", "FMT124")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Other\")] public class Line { public int Id { get; set; } [MessageMember] internal int Number { get; set; } }", "FMT124", "FMT124")]
    [InlineData("public class Line { private int _id = 1; public int Id() => _id; }", "FMT104", "")]
    [InlineData("public class Line { public int Id { get; private set; } = 1; public void Next() => Id++; }", "FMT104", "")]
    [InlineData("public class Line : Base<int> { } public class Base<T> { private T _id = default!; public T Id() => _id; }", "FMT104", "")]
    [InlineData("public class Line { [NonSerialized] private int _id = 1; public int Id() => _id; private static int s_count; public static int Next() => s_count++; }", "", "")]
    [InlineData("public class Line { [System.Runtime.Serialization.IgnoreDataMember] public int Id { get; private set; } = 1; public event EventHandler? Done; public void Next() => Done?.Invoke(this, new EventArgs()); }", "", "")]
    [InlineData("public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [MessageMember] private int _number = 1; public int Number() => _number; }", "FMT124", "FMT124")]
    [InlineData("public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [System.Runtime.Serialization.OnSerializing] internal void Start() { } }", "FMT124", "FMT124")]
    [InlineData("public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; private int _cache = 1; public int Cache() => _cache; }", "", "")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int Id; [MessageMember] private int _number = 1; public int Number() => _number; }", "", "")]
    [InlineData("public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public abstract partial class Base { public int Id; [MessageMember] internal int Number; }", "FMT124", "FMT124")]
    [InlineData("public class Line : Base<int> { } [System.Runtime.Serialization.DataContract, MessageContract(Formats = ContractFormats.Binary)] public partial class Base<T> { [System.Runtime.Serialization.DataMember] public T Id = default!; }", "", "")]
    [InlineData("public class Line : Base<int> { } [System.Runtime.Serialization.DataContract, MessageContract(Formats = ContractFormats.Binary)] public partial class Base<T> { [System.Runtime.Serialization.DataMember] private T _id = default!; public T Id() => _id; }", "FMT124", "FMT124")]
    [InlineData("public class Line : Base<int> { } [System.Runtime.Serialization.DataContract] public class Base<T> { [System.Runtime.Serialization.DataMember] public T Id = default!; }", "", "FMT109")]
    [InlineData("public class Line : Base<int> { } public partial class Base<T> { [MessageMember] private int _id = 1; public int Id() => _id; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base<T> { public T Value = default!; }", "FMT124", "FMT124")]
    [InlineData("public class Line : Base<int> { } [MessageContract(Formats = ContractFormats.Binary)] public abstract partial class Base<@class> { public @class Value = default!; [System.Runtime.Serialization.OnSerializing] private void Start() { } }", "FMT124", "FMT124")]
    [InlineData("public class Line : Base<int> { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base<T> { public T Value = default!; private int _cache = 1; public int Cache() => _cache; }", "", "")]
    [InlineData("public class Line : Outer<int>.Base { } public partial class Outer<T> { [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { [MessageMember] private int _id = 1; public int Id() => _id; } }", "FMT124", "FMT124")]
    [InlineData("public class Line { public Box<int> Box = new(); } [MessageContract(Formats = ContractFormats.Binary)] public partial class Box<T> { public T Value = default!; [MessageMember] private int _id = 1; public int Id() => _id; }", "FMT124", "FMT124")]
    [InlineData("public class Line { public Box<int> Box = new(1); } [MessageContract(Formats = ContractFormats.Binary)] public sealed partial record Box<T>(T Value) { [MessageMember] internal int Id { get; set; } }", "FMT124", "FMT124")]
    [InlineData("public class Line { public Box<int> Box; } [MessageContract(Formats = ContractFormats.Binary)] public readonly partial struct Box<T> { [System.Runtime.Serialization.OnDeserialized] private void Done() { } }", "FMT124", "FMT124")]
    [InlineData("public class Line { public Box<int> Box; } [MessageContract(Formats = ContractFormats.Binary)] public partial struct Box<T> { public T Value; [MessageMember] private int _id; public int Id() => _id; public void Set(int id) => _id = id; }", "FMT124", "FMT124")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base<int> { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base<T> { public T Value = default!; [MessageMember] internal int Id; }", "", "")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base<int> { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base<T> { public T Value = default!; [MessageMember] private int _id = 1; public int Id() => _id; }", "FMT124", "FMT124")]
    [InlineData("[System.Runtime.Serialization.DataContract, MessageContract(Formats = ContractFormats.Binary)] public partial class Line { [System.Runtime.Serialization.DataMember] public int Id; [System.Runtime.Serialization.DataMember] private static int _count; public static int Next() => _count++; }", "", "")]
    [InlineData("public class Line { public int Id; public void Done() { } [System.Runtime.Serialization.OnDeserialized] private void Done(System.Runtime.Serialization.StreamingContext c) { } }", "FMT124", "")]
    [InlineData("public class Line { public int Id; [MessageMember] private static int _count; public static int Next() => _count++; }", "", "")]
    [InlineData("public class Line { public int Id; [NonSerialized] public object? Cache; public Box<int> Box = new(); } public class Box<T> { public T Value = default!; [NonSerialized] public object? Cache; }", "", "")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [MessageMember] internal int Number; }", "", "")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [MessageMember] private int _number = 1; public int Number() => _number; }", "FMT124", "FMT124")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [MessageMember] internal int Number; [MessageMember] private int Other { get; set; } }", "FMT124", "FMT124")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [System.Runtime.Serialization.OnSerializing] private void Start() { } }", "FMT124", "FMT124")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [System.Runtime.Serialization.OnSerializing] internal void Start() { } }", "", "")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Other\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; [MessageMember] internal int Number; }", "FMT124", "FMT124")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Test\")] public class Line : Base { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Base { public int Id; private int _cache = 1; public int Cache() => _cache; }", "", "")]
    public void Member_OutOfSightInACompiledAssembly_IsReported(string library, string ids, string idsWhereCutOut)
    {
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(Compilations.Create(library).WithAssemblyName("Library"), out Compilation referenced, out _);
        foreach (bool isCutOut in new[] { false, true })
        {
            using var image = new MemoryStream();
            Assert.True(referenced.Emit(image, options: new Microsoft.CodeAnalysis.Emit.EmitOptions(metadataOnly: isCutOut, includePrivateMembers: !isCutOut)).Success);
            Compilation compilation = Compilations.Create("[MessageContractFor(typeof(Line), Formats = ContractFormats.Binary)] public static partial class Contracts { }").AddReferences(MetadataReference.CreateFromImage(image.ToArray()));
            GeneratorDriverRunResult result = Compilations.Driver().RunGenerators(compilation).GetRunResult();
            Assert.Null(result.Results[0].Exception);
            Assert.Equal(isCutOut ? idsWhereCutOut : ids, string.Join(" ", result.Diagnostics.Select(d => d.Id)));
            Assert.All(result.Diagnostics, d => Assert.Equal("MessageContractFor(typeof(Line), Formats = ContractFormats.Binary)", Text(d)));
        }
    }

    /// <summary>As of a project in another language, or one that was built without the generator.</summary>
    [Theory]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Round))] public abstract partial class Line { } public class Round : Line { }")]
    public void Contract_ThatWasNotGeneratedInItsAssembly_IsReported(string library)
    {
        using var image = new MemoryStream();
        Assert.True(Compilations.Create(library).WithAssemblyName("Library").Emit(image).Success);
        CSharpCompilation compilation = Compilations.Create("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public List<Line?> Lines = new(); }").AddReferences(MetadataReference.CreateFromImage(image.ToArray()));
        Diagnostic diagnostic = Assert.Single(Compilations.Run(compilation).Diagnostics);
        Assert.Equal(("FMT101", "Lines"), (diagnostic.Id, Text(diagnostic)));
        Assert.Contains("but nothing was generated for it in 'Library'", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    /// <summary>Of a base class in another assembly what is generated may be hidden, nothing else.</summary>
    [Theory]
    [InlineData(true, "")]
    [InlineData(false, "FMT005")]
    public void Name_OfAMemberOfABaseClassElsewhere_IsTaken(bool isGenerated, string ids)
    {
        string attribute = isGenerated ? "[MessageContract(Formats = ContractFormats.Binary)] " : "";
        string member = isGenerated ? "" : "[System.Runtime.Serialization.IgnoreDataMember] public int MessageContract;";
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(
            Compilations.Create($"{attribute}public partial class Base {{ [MessageMember(1)] public int Id; {member} }}").WithAssemblyName("Library"), out Compilation library, out _);
        using var image = new MemoryStream();
        Assert.True(library.Emit(image).Success);
        CSharpCompilation compilation = Compilations.Create("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public int Number; }").AddReferences(MetadataReference.CreateFromImage(image.ToArray()));
        Assert.Equal(ids, string.Join(" ", Compilations.Run(compilation).Diagnostics.Select(d => d.Id)));
    }

    /// <summary>Of a generic type that no other assembly can name, none has to be told what it does not see, so that it need not be partial.</summary>
    [Theory]
    [InlineData("public class Outer { [MessageContract(Formats = ContractFormats.Binary)] private class Box<T> { [MessageMember] internal int Id; } }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] internal class Box<T> { [MessageMember] internal int Id; }")]
    [InlineData("internal class Outer<T> { [MessageContract(Formats = ContractFormats.Binary)] public class Box { [MessageMember] internal int Id; } }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] file class Box<T> { [MessageMember] internal int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public class Box<T> { [MessageMember] public int Id; private int _cache = 1; public int Cache() => _cache; }")]
    public void GenericType_ThatHidesNothingFromOthers_NeedNotBePartial(string source)
    {
        GeneratorDriverRunResult result = Compilations.Driver().RunGenerators(Compilations.Create(source)).GetRunResult();
        Assert.Empty(result.Diagnostics);
        Assert.Empty(result.GeneratedTrees);
    }

    /// <summary>What the compiler reports already is no reason for the generator to fail, and to leave all other contracts out.</summary>
    [Theory]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : System.Missing { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Missing { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : global::Shop.Base<int> { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Xml)] public partial class Order : System.Missing { public System.Missing Id; public Missing Other; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial struct Order { public Order? Inner; public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial struct Order { public (int, Line?) Inner; } public struct Line { public Order? Order; }")]
    public void Type_ThatTheCompilerRefuses_LetsTheGeneratorGoOn(string source) =>
        Assert.Null(Compilations.Driver().RunGenerators(Compilations.Create(source)).GetRunResult().Results[0].Exception);

    /// <summary>What the compiler reports already is not said again by errors in generated code.</summary>
    [Theory]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public int Id; public Line Line = new(); } public class Line { public int Number { get; set; } public string Number = null!; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public List<int> { get; set; } public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Holder { public Order Order = new(); }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial struct Order { public int Id; } [MessageContract(Formats = ContractFormats.Binary)] public partial struct Order { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle))] public interface IShape { } public class Circle : IShape { } [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IShape? Shape; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle))] public partial interface IShape { } public class Circle : IShape { } [MessageContractFor(typeof(IShape), Formats = ContractFormats.Binary)] public static partial class Contracts { }")]
    [InlineData("[MessageContractFor(typeof(dynamic), Name = \"Any\", Formats = ContractFormats.Binary), MessageContractFor(typeof(Order), Formats = ContractFormats.Binary)] public static partial class Contracts { } public class Order { public int Id; }")]
    public void Declaration_ThatTheCompilerRefuses_GivesNoFurtherErrors(string source)
    {
        CSharpCompilation compilation = Compilations.Create(source);
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.Empty(diagnostics);
        Assert.Equal(Errors(compilation), Errors(output));

        static IEnumerable<string> Errors(Compilation compilation) => compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).Select(d => d.ToString()).Order(StringComparer.Ordinal);
    }

    /// <summary>What is wrong in a context is reported where it is; users of the contracts that are right, and of those that are not, get no errors of their own.</summary>
    [Theory]
    [InlineData("MessageContractFor(typeof(Bad), Formats = ContractFormats.Binary)", "FMT101", "Bad")]
    [InlineData("MessageContractFor(typeof(Both), Formats = ContractFormats.Binary)", "FMT101", "Both")]
    [InlineData("MessageContractFor(typeof(List<Bad>), Name = \"Bads\", Formats = ContractFormats.Binary), MessageContractFor(typeof(List<Both>), Name = \"Boths\", Formats = ContractFormats.Binary)", "FMT101", "Bads", "Boths")]
    [InlineData("MessageContractFor(typeof(Bad), Name = \"One\", Formats = ContractFormats.Binary), MessageContractFor(typeof(Bad), Name = \"Another\", Formats = ContractFormats.Binary)", "FMT101", "One", "Another")]
    [InlineData("MessageContractFor(typeof(int), Name = \"Good\", Formats = ContractFormats.Binary)", "FMT004")]
    [InlineData("MessageContractFor(typeof(int?), Name = \"Number\", Formats = ContractFormats.Binary)", "FMT101", "Number")]
    [InlineData("MessageContractFor(typeof(Good), Name = \"None\", Formats = 0)", "FMT116")]
    [InlineData("MessageContractFor(typeof(Unnumbered), Formats = ContractFormats.Versioned | ContractFormats.Binary)", "FMT110", "Unnumbered")]
    [InlineData("MessageContractFor(typeof(NotPartial), Formats = ContractFormats.Binary)", "FMT001", "NotPartial")]
    [InlineData("MessageContractFor(typeof(Dictionary<int, NotPartial[]>), Name = \"Arrays\", Formats = ContractFormats.Binary)", "FMT001", "Arrays")]
    [InlineData("MessageContractFor(typeof(Wrong), Formats = ContractFormats.Binary), MessageContractFor(typeof(List<Wrong>), Name = \"Wrongs\", Formats = ContractFormats.Binary)", "FMT102", "Wrong", "Wrongs")]
    [InlineData("MessageContractFor(typeof(Wrong), Name = \"Wrong\", Formats = ContractFormats.MessagePack)", "FMT114", "Wrong")]
    [InlineData("MessageContractFor(typeof(Bad), Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)", "FMT101 FMT110", "Bad")]
    [InlineData("MessageContractFor(typeof(IDisposable), Name = \"Interface\", Formats = ContractFormats.Binary | ContractFormats.Xml)", "FMT101", "Interface")]
    [InlineData("MessageContractFor(typeof(Number), Formats = ContractFormats.Binary), MessageContractFor(typeof(IDictionary), Name = \"Map\", Formats = ContractFormats.Xml), MessageContractFor(typeof(Delegate), Name = \"Call\", Formats = ContractFormats.Binary)", "FMT101", "Number", "Map", "Call")]
    [InlineData("MessageContractFor(typeof(Shape), Formats = ContractFormats.Binary | ContractFormats.MessagePack)", "FMT121", "Shape")]
    [InlineData("MessageContractFor(typeof(Circle), Formats = ContractFormats.Binary), MessageContractFor(typeof(Failure), Formats = ContractFormats.Binary), MessageContractFor(typeof(DayOfWeek?), Name = \"Day\", Formats = ContractFormats.Binary)", "FMT101", "Circle", "Failure", "Day")]
    public void Mistake_InAContext_LeavesTheOtherContracts(string wrong, string ids, params string[] properties)
    {
        string source = $$"""
            [MessageContractFor(typeof(Good), Formats = ContractFormats.Binary), {{wrong}}, MessageContractFor(typeof(Also), Formats = ContractFormats.Binary | ContractFormats.Versioned)] public static partial class Contracts { }
            public class Good { public int Id; public Shared Shared = new(); }
            public class Also { [MessageMember(1)] public int Id; [MessageMember(2)] public Shared Shared = new(); }
            public class Shared { [MessageMember(1)] public int Id; }
            public class Bad { public object Value = ""; }
            public class Both { public Good Good = new(); public Bad Bad = new(); }
            public class Unnumbered { public int Id; public Shared Shared = new(); }
            {{(ids == "FMT001" ? "[MessageContract(Formats = ContractFormats.Binary)] public class NotPartial { public int Id; }" : "")}}
            {{(ids is "FMT102" ? "[MessageContract(Formats = ContractFormats.Binary)] public partial class Wrong { private Wrong() { } public int Id; }" : ids is "FMT114" ? "[MessageContract(Formats = ContractFormats.Binary)] public partial class Wrong { public int Id; }" : "")}}
            public struct Number { public object Id; }
            [MessageUnion(1, typeof(string))] public abstract class Shape { }
            public abstract class Circle { }
            public sealed class Failure : Exception { }
            public static class Use { public static object[] All => new object[] { {{string.Join(", ", properties.Concat(["Good", "Also"]).Select(p => "Contracts." + p))}} }; }
            """;
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(Compilations.Create(source), out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
        Assert.Equal(ids, string.Join(" ", diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Select(d => d.Id).Distinct().Order(StringComparer.Ordinal)));
        Assert.Empty(output.GetDiagnostics().Where(d => d.Severity >= DiagnosticSeverity.Warning));
    }

    /// <summary>Of what the compiler refuses in a context nothing more is said, and there is nothing that it could refuse again.</summary>
    [Theory]
    [InlineData("[MessageContractFor(typeof(Missing), Formats = ContractFormats.Binary), MessageContractFor(typeof(List<Missing[]>), Name = \"Several\", Formats = ContractFormats.Binary), MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public static partial class Contracts { }")]
    [InlineData("[MessageContractFor(typeof(Outer.Inner), Formats = ContractFormats.Binary), MessageContractFor(typeof(List<Outer.Inner>), Name = \"Several\", Formats = ContractFormats.Binary), MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public static partial class Contracts { } public class Outer { private class Inner { public int Id; } }")]
    public void Mistake_OfTheCompilerInAContext_IsNotRepeated(string source)
    {
        GeneratorDriverRunResult result = Compilations.Driver().RunGeneratorsAndUpdateCompilation(Compilations.Create(source), out Compilation output, out ImmutableArray<Diagnostic> diagnostics).GetRunResult();
        Assert.Empty(diagnostics);
        Assert.Equal("Int32", Assert.Single(result.Contracts()).PropertyName);
        Assert.All(output.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error), d => Assert.Equal("File0.cs", d.Location.SourceTree!.FilePath));
    }

    /// <summary>What is a mistake in one format is reported in every other, or is none there and compiles; the generator never fails.</summary>
    [Theory]
    [InlineData(ContractFormats.Binary)]
    [InlineData(ContractFormats.Versioned)]
    [InlineData(ContractFormats.MessagePack)]
    [InlineData(ContractFormats.Protobuf)]
    [InlineData(ContractFormats.Xml)]
    [InlineData(ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf | ContractFormats.Xml)]
    public void Mistake_InAnyFormat_IsReportedOrCompiles(ContractFormats formats)
    {
        string named = "Formats = " + string.Join(" | ", formats.ToString().Split(", ").Select(f => "ContractFormats." + f));
        foreach (string marked in Mistakes.Select(m => (string)m[1]).Where(m => !m.Contains("Formats =", StringComparison.Ordinal)))
        {
            string source = marked.Replace("$", "", StringComparison.Ordinal).Replace("[MessageMember]", "[MessageMember(1)]", StringComparison.Ordinal);
            source = System.Text.RegularExpressions.Regex.Replace(source, @"\bMessageContract(?=[\],])", $"MessageContract({named})");
            source = System.Text.RegularExpressions.Regex.Replace(source, @"(MessageContractFor\(typeof\([^)]*\))", $"$1, {named}");
            Exception? failure = Record.Exception(() => Compilations.Run(source));
            Assert.True(failure is null, $"{source}\n{failure}");
        }
    }

    [Fact]
    public void Descriptors_HaveTestsPagesAndReleaseNotes()
    {
        string root = RepositoryFolder.Path;
        string releases = File.ReadAllText(Path.Combine(root, "src", "Formatters.Generator", "AnalyzerReleases.Unshipped.md"))
            + File.ReadAllText(Path.Combine(root, "src", "Formatters.Generator", "AnalyzerReleases.Shipped.md"));
        var tested = Mistakes.Select(m => (string)m[0]).Concat(AnalyzerTests.Uses.Select(u => (string)u[0])).Concat(SchemaTests.Changes.Select(c => (string)c[0])).Concat(LegacyContractTests.Mistakes.Select(m => (string)m[0])).Append("FMT109").Append("FMT140").Append("FMT141").Append("FMT142").Append("FMT203").ToHashSet();
        DiagnosticDescriptor[] descriptors = [.. typeof(Descriptors).GetFields(System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)
            .Select(f => f.GetValue(null)).OfType<DiagnosticDescriptor>()];
        Assert.NotEmpty(descriptors);
        foreach (DiagnosticDescriptor descriptor in descriptors)
        {
            Assert.Contains(descriptor.Id, tested);
            Assert.Contains(descriptor.Id + " | ", releases, StringComparison.Ordinal);
            string page = File.ReadAllText(Path.Combine(root, "docs", "diagnostics", descriptor.Id + ".md"));
            Assert.StartsWith($"# {descriptor.Id}: {descriptor.Title}", page, StringComparison.Ordinal);
        }
    }

    private static string Text(Diagnostic diagnostic) =>
        diagnostic.Location.SourceTree!.GetText().ToString(diagnostic.Location.SourceSpan);

    [Theory]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public new Line Item { get => (Line)base.Item; set => base.Item = value; } } public class Line : Any { } public class Any { public int Id; } public class Base { public Any Item { get; set; } = new(); }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { public new string Name { get; set; } = \"\"; } public class Base { [System.Runtime.Serialization.IgnoreDataMember] public int Name { get; set; } }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : System.EventArgs { public int Id; }")]
    [InlineData("[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public System.Orders.Line Line = new(); } namespace System.Orders { public class Line { public int Id; } }")]
    public void WhatLosesNothing_IsNotReported(string source) => Assert.Empty(Compilations.Run(source).Diagnostics);

    [Theory]
    [InlineData("[MessagePack.MessagePackObject, MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessagePack.Key(0), MessageMember(1)] public int Id; }")]
    [InlineData("[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [ProtoBuf.ProtoMember(1, DataFormat = ProtoBuf.DataFormat.ZigZag), MessageMember(1, Encoding = MemberEncoding.ZigZag)] public int Id; }")]
    [InlineData("[ProtoBuf.ProtoContract, MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [ProtoBuf.ProtoMember(1), MessageMember(2)] public int Id; }")]
    public void AttributesOfTwoSerializers_ThatAgree_AreNotReported(string source) => Assert.Empty(Compilations.Run(source + Foreign).Diagnostics);
}

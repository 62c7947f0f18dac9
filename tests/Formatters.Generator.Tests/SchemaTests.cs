using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;
using Xunit;

namespace Formatters.Generator.Tests;

using ContractFormats = global::Formatters.ContractFormats;

/// <summary>The schema snapshot: what it holds, what is reported where, and that it is current after an update.</summary>
public class SchemaTests
{
    private const string Shop = """
        namespace Shop;
        [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public string? Note; public List<Line> Lines = new(); public Colour Colour; }
        public class Line { public string Article = ""; public decimal Price; }
        public enum Colour : byte { Red }
        [MessageContractFor(typeof(Dictionary<string, Box<string?>>), Name = "Boxes", Formats = ContractFormats.Binary)] public static partial class Contracts { }
        public class Box<T> { public T Value = default!; }
        """;

    private const string Snapshot = """
        {
          "version": 1,
          "records": [
            {
              "name": "Shop.Box<string?>",
              "format": "binary",
              "members": [
                { "name": "Value", "type": "string?" }
              ]
            },
            {
              "name": "Shop.Contracts.Boxes",
              "format": "binary",
              "members": [
                { "name": "", "type": "map<string, Shop.Box<string?>>" }
              ]
            },
            {
              "name": "Shop.Line",
              "format": "binary",
              "members": [
                { "name": "Article", "type": "string" },
                { "name": "Price", "type": "decimal" }
              ]
            },
            {
              "name": "Shop.Order",
              "format": "binary",
              "members": [
                { "name": "Id", "type": "int32" },
                { "name": "Note", "type": "string?" },
                { "name": "Lines", "type": "list<Shop.Line>" },
                { "name": "Colour", "type": "byte" }
              ]
            }
          ]
        }

        """;

    [Fact]
    public void Update_WritesTheSchema()
    {
        Assert.Equal(Snapshot, Update(Shop, null));
        Assert.Equal(Snapshot, Update(Shop, Snapshot));
        Assert.Equal("{\n  \"version\": 1,\n  \"records\": []\n}\n", Update("class None { }", null));
        Assert.Empty(Run(Shop, Snapshot, "true").Diagnostics);
    }

    [Fact]
    public void Schema_ThatIsCurrent_IsSilent()
    {
        Assert.Empty(Run(Shop, Snapshot).Diagnostics);
        Assert.Empty(Run(Shop.Replace("class Line", "struct Line", StringComparison.Ordinal).Replace("List<Line> Lines = new()", "Line[] Lines = null!", StringComparison.Ordinal), Snapshot.ReplaceLineEndings("\r\n")).Diagnostics);
        Assert.Empty(Run(Shop, null).Diagnostics);
    }

    public static TheoryData<string, string, string, string, string> Changes => new()
    {
        { "FMT201", "public int Id;", "public long Id;", "Id", "Shop.Order.Id was int32 and is int64" },
        { "FMT201", "public string? Note;", "public string Note = \"\";", "Note", "Shop.Order.Note may no longer be null" },
        { "FMT201", "public decimal Price;", "public decimal? Price;", "Price", "Shop.Line.Price may be null now" },
        { "FMT201", "public decimal Price;", "public decimal Price; public int Count;", "Count", "Shop.Line.Count has been added" },
        { "FMT201", "public decimal Price;", "", "Line", "Shop.Line has lost 'Price' (decimal)" },
        { "FMT201", "public int Id; public string? Note;", "public string? Note; public int Id;", "Note", "Shop.Order.Note has moved: the order was Id, Note, Lines, Colour" },
        { "FMT201", "Colour : byte", "Colour : int", "Colour", "Shop.Order.Colour was byte and is int32" },
        { "FMT201", "public T Value", "public T[] Value", "Value", "Shop.Box<string?>.Value was string? and is list<string?>" },
        { "FMT201", "Dictionary<string, Box<string?>>", "Dictionary<int, Box<string?>>", "Contracts", "Shop.Contracts.Boxes was map<string, Shop.Box<string?>> and is map<int32, Shop.Box<string?>>" },
        { "FMT202", "public string? Note;", "public string? Remark;", "Remark", "Shop.Order.Remark was called 'Note'" },
        { "FMT202", "public class Line {", "[MessageContract(Formats = ContractFormats.Binary)] public partial class More { public int Id; } public class Line {", "More", "Shop.More is not in it" },
        { "FMT202", "[MessageContractFor(typeof(Dictionary<string, Box<string?>>), Name = \"Boxes\", Formats = ContractFormats.Binary)]", "[MessageContractFor(typeof(Box<string?>), Name = \"Boxes\", Formats = ContractFormats.Binary)]", "Contracts", "Shop.Contracts.Boxes is in it, but no longer has a contract" },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public void Change_IsReportedAtItsPlace(string id, string before, string after, string place, string message)
    {
        Assert.Contains(before, Shop, StringComparison.Ordinal);
        string source = Shop.Replace(before, after, StringComparison.Ordinal);
        Diagnostic diagnostic = Assert.Single(Run(source, Snapshot).Diagnostics);
        Assert.Equal((id, place), (diagnostic.Id, TextAt(diagnostic)));
        Assert.StartsWith($"formatters.schema.json: {message}; {(id == "FMT201" ? "existing bodies" : "build")}", TextOf(diagnostic), StringComparison.Ordinal);
        Assert.Empty(Run(source, Update(source, Snapshot)).Diagnostics);
    }

    [Fact]
    public void Type_ThatIsGone_IsReportedInTheFile()
    {
        Diagnostic diagnostic = Assert.Single(Run(Shop, Snapshot.Replace("\"records\": [", "\"records\": [ { \"name\": \"Shop.Gone\", \"format\": \"binary\", \"members\": [] },", StringComparison.Ordinal)).Diagnostics);
        Assert.Equal(("FMT202", "/src/formatters.schema.json"), (diagnostic.Id, diagnostic.Location.GetLineSpan().Path));
    }

    /// <summary>What a contract with a mistake would hold is not known: its records, and those of what holds it, stay as they are.</summary>
    [Theory]
    [InlineData("public int Id;", "public object Id = 1;", "FMT101")]
    [InlineData("public partial class Order", "public class Order", "FMT001")]
    [InlineData("Dictionary<string, Box<string?>>", "Dictionary<string, Box<object>>", "FMT101")]
    public void Mistake_LeavesTheFileAsItIs(string before, string after, string ids)
    {
        string source = Shop.Replace(before, after, StringComparison.Ordinal);
        Assert.Equal(ids, string.Join(" ", Run(source, Snapshot).Diagnostics.Select(d => d.Id)));
        Assert.Equal(Snapshot, Update(source, Snapshot));
    }

    [Theory]
    [InlineData("", 0, "a value is expected, but the end was found")]
    [InlineData("{\n<<<<<<< HEAD\n \"version\": 1", 1, "it has merge conflict markers")]
    [InlineData("{ \"version\": 1,\n \"records\": [\n>>>>>>> topic\n] }", 2, "it has merge conflict markers")]
    [InlineData("{ \"version\" 1 }", 0, "':' is expected, but '1' was found")]
    [InlineData("{\n \"version\": 2, \"records\": [] }", 1, "\"version\" is not 1")]
    [InlineData("{ \"version\": 1 }", 0, "\"records\" is missing, or is not an array")]
    [InlineData("{ \"version\": 1,\n \"records\": [ 1 ] }", 1, "an object is expected")]
    [InlineData("{ \"version\": 1, \"records\": [],\n\n \"records\": [] }", 2, "\"records\" appears twice")]
    [InlineData("{ \"version\": 1, \"records\": [] } x", 0, "there is content after the end")]
    [InlineData("{ \"version\": 1, \"records\": [ { \"name\": \"a\\n\"", 0, "only \\\", \\\\ and \\uXXXX are escapes")]
    [InlineData("[[[[[[[[[[", 0, "it is nested too deeply")]
    [InlineData("{ \"version\": 1, \"records\": [ { \"name\": \"A\", \"format\": \"binary\", \"members\": [ { \"name\": \"a\", \"type\": 1 } ] } ] }", 0, "\"type\" is missing, or is not a string")]
    [InlineData("{ \"version\": 1, \"records\": [ { \"name\": \"A\", \"format\": \"binary\", \"members\": [ { \"name\": \"a\", \"type\": \"\" }, { \"name\": \"a\", \"type\": \"\" } ] } ] }", 0, "two members have the same name")]
    public void File_ThatCannotBeRead_IsReportedAtItsLine(string text, int line, string why)
    {
        Diagnostic diagnostic = Assert.Single(Run(Shop, text).Diagnostics);
        Assert.Equal(("FMT203", "/src/formatters.schema.json", line), (diagnostic.Id, diagnostic.Location.GetLineSpan().Path, diagnostic.Location.GetLineSpan().StartLinePosition.Line));
        Assert.Contains(why, TextOf(diagnostic), StringComparison.Ordinal);
        Assert.Equal(Snapshot, Update(Shop, text));
    }

    [Fact]
    public void Oneof_ItsFieldsAreMembersOfTheRecord()
    {
        const string Source = "using Formatters; namespace N { [MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int Id; "
            + "[MessageOneof(2, typeof(Card)), MessageOneof(5, typeof(Cash))] public IPay? Pay; } "
            + "[MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))] public interface IPay { } public class Card : IPay { } public class Cash : IPay { } }";
        string snapshot = Update(Source, null);
        Assert.Contains("{ \"name\": \"Pay.Card\", \"number\": 2, \"type\": \"N.Card?\" }", snapshot, StringComparison.Ordinal);
        Assert.Contains("{ \"name\": \"Pay.Cash\", \"number\": 5, \"type\": \"N.Cash?\" }", snapshot, StringComparison.Ordinal);
        Assert.Empty(Run(Source, snapshot).Diagnostics);
        // Neither the tags of the union nor its name are in the body.
        Assert.Empty(Run(Source.Replace("MessageUnion(1, ", "MessageUnion(7, ", StringComparison.Ordinal).Replace("IPay", "IPayment", StringComparison.Ordinal), snapshot).Diagnostics);
        Diagnostic moved = Assert.Single(Run(Source.Replace("MessageOneof(5", "MessageOneof(6", StringComparison.Ordinal), snapshot).Diagnostics);
        Assert.Contains("had the number 5 and has 6", TextOf(moved), StringComparison.Ordinal);
        Assert.Equal("FMT201", Assert.Single(Run(Source.Replace("MessageOneof(2, typeof(Card)), MessageOneof(5, typeof(Cash))", "MessageMember(2)", StringComparison.Ordinal), snapshot).Diagnostics, d => d.Id == "FMT201").Id);
    }

    public static TheoryData<string, string, string> NumberedChanges => new()
    {
        { "1 A int32", "1 A int32", "" },
        { "1 A int32", "1 A int32|2 B string", "False B has been added, with the number 2" },
        { "1 A int32|2 B string", "1 A int32", "False  has lost 'B'; the number 2 is retired" },
        { "1 A int32|2 B string", "2 B string|1 A int32", "" },
        { "1 A int32", "1 A int32?", "False A may be null now" },
        { "1 A int32", "1 B int32", "False B was called 'A'" },
        { "1 A int32", "1 A int64", "True A was int32 and is int64" },
        { "1 A int32", "1 B string", "True B has the number 1, which 'A' (int32) had" },
        { "1 A int32|2 B int32", "2 A int32|1 B int32", "True A has the number 2, which 'B' (int32) had; True B has the number 1, which 'A' (int32) had" },
        { "1 A int32|2 B int32?", "1 B int32", "True B has the number 1, which 'A' (int32) had" },
        { "1 A int32|2 B int32", "1 A int32|9 B int32?", "True B had the number 2 and has 9" },
        { "1 A int32|2 B int32", "1 A int32|9 B string", "False B has been added, with the number 9; False  has lost 'B'; the number 2 is retired" },
        { "1 A (int32,string?)", "1 A (int32,string)", "True A was (int32,string?) and is (int32,string)" },
        { "1 A int32|-3", "1 A int32|3 B int32", "True B has the number 3, which a former member had" },
    };

    [Theory]
    [MemberData(nameof(NumberedChanges))]
    public void NumberedChange_GoesByNumbers(string before, string after, string expected)
    {
        EquatableArray<SchemaRecord> old = Records(before), now = Records(after);
        Assert.Equal(expected, string.Join("; ", SchemaComparison.Compare(now, old).Select(c => $"{c.IsBreaking} {c.Member} {c.What[..^" (versioned)".Length]}")));
    }

    [Fact]
    public void Numbers_OnceGiven_StayInTheFile()
    {
        EquatableArray<SchemaRecord> merged = SchemaBuilder.Merge([Records("1 A int32|4 D int32")], Records("1 A int32|2 B string|3 C string|-9"));
        Assert.Equal([2, 3, 9], merged[0].Retired);
        SchemaFile read = SchemaJson.Read("x", SchemaJson.Print(merged));
        Assert.Equal(merged, read.Records);
        Assert.Equal([2, 3, 9], SchemaBuilder.Merge([Records("1 A int32|4 D int32")], read.Records)[0].Retired);
    }

    [Fact]
    public void Tuple_GoesByItsPlaces()
    {
        const string Named = "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public (int P, string Q) T; public List<(int R, (string S, int[] U) V)?>? L; public Box<(E A, KeyValuePair<int, System.Numerics.Vector2> B)> X = null!; "
            + "[MemberCodec(typeof(F))] public (int, int) W; } public class Box<T> { public T Value = default!; } public enum E : short { } "
            + "public sealed class F : BinaryCodec<(int, int)> { public override int MinByteCount => 8; public override void Write(ref BinaryBodyWriter w, (int, int) v) { } public (int, int) Read(ref BinaryBodyReader r, (int, int) e) => e; }";
        string snapshot = Update(Named, null);
        Assert.Contains("{ \"name\": \"T\", \"type\": \"(int32, string)\" }", snapshot, StringComparison.Ordinal);
        Assert.Contains("{ \"name\": \"L\", \"type\": \"list<(int32, (string, list<int32>))?>?\" }", snapshot, StringComparison.Ordinal);
        Assert.Contains("{ \"name\": \"Value\", \"type\": \"(int16, (int32, (single, single)))\" }", snapshot, StringComparison.Ordinal);
        Assert.Equal(["\"Box<(E, System.Collections.Generic.KeyValuePair<int, System.Numerics.Vector2>)>\"", "\"Order\""], snapshot.Split('\n').Where(l => l.StartsWith("      \"name\": ", StringComparison.Ordinal)).Select(l => l[14..^1]));
        string renamed = Named.Replace("int P", "int P2", StringComparison.Ordinal).Replace("(string S,", "(string,", StringComparison.Ordinal).Replace("(E A,", "(E Z,", StringComparison.Ordinal);
        Assert.Equal(snapshot, Update(renamed, snapshot));
        Assert.Empty(Run(renamed, snapshot).Diagnostics);
        Diagnostic swapped = Assert.Single(Run(Named.Replace("int P, string Q", "string Q, int P", StringComparison.Ordinal), snapshot).Diagnostics);
        Assert.Equal(("FMT201", "T"), (swapped.Id, TextAt(swapped)));
        Diagnostic other = Assert.Single(Run(Named.Replace("E : short", "E : long", StringComparison.Ordinal), snapshot).Diagnostics);
        Assert.Equal(("FMT201", "Value"), (other.Id, TextAt(other)));
    }

    [Theory]
    [InlineData("(int, string?)", "(int, string)")]
    [InlineData("Box<string?>", "Box<string>")]
    [InlineData("Box<List<string?>>", "Box<List<string>>")]
    [InlineData("Box<(Box<string>, int)>", "Box<(Box<string?>, int)>")]
    [InlineData("KeyValuePair<int, string>", "KeyValuePair<int, string?>")]
    [InlineData("Tuple<int, string>", "Tuple<int, string?>")]
    [InlineData("Dictionary<int, string>", "Dictionary<int, string?>")]
    public void Null_InATypeArgument_IsPartOfTheType(string before, string after)
    {
        string source = $"[MessageContract(Formats = ContractFormats.Binary)] public partial class Order {{ public {before} C = default!; public {before} Was = default!; public {after} Is = default!; }} public class Box<T> {{ public T Value = default!; }}";
        string snapshot = Update(source, null);
        Assert.Empty(Run(source, snapshot).Diagnostics);
        Diagnostic change = Assert.Single(Run(source.Replace($"{before} C", $"{after} C", StringComparison.Ordinal), snapshot).Diagnostics);
        Assert.Equal(("FMT201", "C"), (change.Id, TextAt(change)));
    }

    [Fact]
    public void Union_GoesByItsTags()
    {
        const string Types = "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Shape Shape = null!; } public class Circle : Shape { public int Radius; } public class Square : Shape { public int Side; } "
            + "public class Other : Shape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } } ";
        const string Both = "[MessageUnion(0, typeof(Circle)), MessageUnion(2, typeof(Square))] public abstract class Shape { }";
        string first = Update(Types + Both, null);
        Assert.Contains("{ \"name\": \"Circle\", \"number\": 0, \"type\": \"Circle\" },\n        { \"name\": \"Square\", \"number\": 2,", first, StringComparison.Ordinal);
        Assert.Equal("FMT201", Run(Types + "[MessageUnion(2, typeof(Circle)), MessageUnion(0, typeof(Square))] public abstract class Shape { }", first).Diagnostics[0].Id);
        Diagnostic retagged = Assert.Single(Run(Types + Both.Replace("2, ", "3, ", StringComparison.Ordinal), first).Diagnostics);
        Assert.Equal(("FMT201", "Shape"), (retagged.Id, TextAt(retagged)));
        Assert.StartsWith("formatters.schema.json: Shape.Square had the number 2 and has 3;", TextOf(retagged), StringComparison.Ordinal);

        // Bodies with the tag of a former case can be read only where unknown tags are kept.
        const string WithoutCircle = Types + "[MessageUnion(2, typeof(Square))] public abstract class Shape { }";
        Assert.Equal(["FMT201", "FMT202"], Run(WithoutCircle, first).Diagnostics.Select(d => d.Id).Order(StringComparer.Ordinal));
        Assert.All(Run(WithoutCircle.Replace("[MessageUnion(2,", "[MessageUnion(typeof(Other)), MessageUnion(2,", StringComparison.Ordinal), first).Diagnostics, d => Assert.Equal("FMT202", d.Id));
        string second = Update(WithoutCircle, first);
        Assert.Contains("\"retired\": [0]", second, StringComparison.Ordinal);
        Assert.Empty(Run(WithoutCircle, second).Diagnostics);

        string open = Both.Replace("[MessageUnion(0,", "[MessageUnion(typeof(Other)), MessageUnion(0,", StringComparison.Ordinal);
        string third = Update(Types + open, first);
        Assert.Contains("\"form\": \"union\",\n      \"keepsUnknown\": true,\n", third, StringComparison.Ordinal);
        Assert.Empty(Run(Types + open, third).Diagnostics);
        foreach ((string source, string snapshot, string what) in new[] { (Both, third, "no longer has a case for unknown tags, so they are refused;"), (open, first, "has a case for unknown tags now;") })
        {
            Diagnostic change = Assert.Single(Run(Types + source, snapshot).Diagnostics);
            Assert.Equal(("FMT202", "Shape"), (change.Id, TextAt(change)));
            Assert.StartsWith($"formatters.schema.json: Shape {what}", TextOf(change), StringComparison.Ordinal);
        }
    }

    private const string Named = "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { public int B; public string? A; public (int, string?) C; }";
    private const string Renamed = "[MessageContract(Formats = ContractFormats.MessagePack), System.Runtime.Serialization.DataContract] public partial class Order { [System.Runtime.Serialization.DataMember(Name = \"d\")] public byte D; }";
    private const string Indexed = "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int A; [MessageMember(2)] public string? B; }";
    private const string Gaps = "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int A; [MessageMember(2)] public int B; [MessageMember(3)] public int? C; [MessageMember(4)] public required int D; }";
    private const string WrittenOnly = "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order : Base { [MessageMember(2)] public int B => A; [MessageMember(4)] public string D => \"\"; [MessageMember(5)] public R R = new(1); [MessageMember(6)] public Box<int> X = new(); [MessageMember(7)] public int E; [MessageMember(8)] public int F => A; } "
        + "public class Base { [MessageMember(1)] public int A; [MessageMember(3)] public long C => A; } public record R([property: MessageMember(2)] int Y) { [MessageMember(1)] public long Z => 1; } public class Box<T> { [MessageMember(1)] public int V => 1; [MessageMember(2)] public T? W; }";
    private const string Fields = "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int A; [MessageMember(2, Encoding = MemberEncoding.ZigZag)] public List<int> B = new(); [MessageMember(3)] public string? C; }";

    private const string Maps = "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public Dictionary<string, int?> M = new(); [MessageMember(2)] public (int, string?) T; [MessageMember(3, Encoding = MemberEncoding.Fixed)] public int F; }";
    private const string Values = "[MessageContractFor(typeof(List<int>), Name = \"Numbers\", Formats = ContractFormats.MessagePack)] public static partial class Contracts { }";
    private const string Empty = "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { }";

    private const string Required = "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int A; [MessageMember(2)] public required int B; [MessageMember(3)] public Rc R = null!; } "
        + "public record Rc([property: MessageMember(1)] int X, [property: MessageMember(2)] Ln L, [property: MessageMember(3)] string S, [property: MessageMember(4)] List<int> N, [property: MessageMember(5)] Ln? M); public class Ln { [MessageMember(1)] public int A; }";

    private const string RequiredFields = "[MessageContract(Formats = ContractFormats.Protobuf)] public partial record Order([property: MessageMember(1)] int X, [property: MessageMember(2)] Ln L, [property: MessageMember(3)] Uri U, [property: MessageMember(4)] string S, [property: MessageMember(5)] Ln? M); public class Ln { [MessageMember(1)] public int A; }";

    /// <summary>What a reader needs and bodies of the other version do not have: a required member, and nil in a gap.</summary>
    [Theory]
    [InlineData("FMT201", Required, " [MessageMember(2)] public required int B;", "Order.B has been added, with the number 2, and bodies without it are refused", "Order has lost 'B', without which existing readers refuse a body")]
    [InlineData("FMT201", Required, ", [property: MessageMember(2)] Ln L", "Rc.L has been added, with the number 2, and bodies without it are refused", "Rc has lost 'L', without which existing readers refuse a body")]
    [InlineData("FMT202", Required, ", [property: MessageMember(3)] string S", "Rc.S has been added, with the number 3", "Rc has lost 'S'")]
    [InlineData("FMT202", Required, ", [property: MessageMember(4)] List<int> N", "Rc.N has been added, with the number 4", "Rc has lost 'N'")]
    [InlineData("FMT202", Required, ", [property: MessageMember(5)] Ln? M", "Rc.M has been added, with the number 5", "Rc has lost 'M'")]
    [InlineData("FMT201", RequiredFields, ", [property: MessageMember(2)] Ln L", "Order.L has been added, with the number 2, and bodies without it are refused", "Order has lost 'L', without which existing readers refuse a body")]
    [InlineData("FMT201", RequiredFields, ", [property: MessageMember(3)] Uri U", "Order.U has been added, with the number 3, and bodies without it are refused", "Order has lost 'U', without which existing readers refuse a body")]
    [InlineData("FMT202", RequiredFields, ", [property: MessageMember(4)] string S", "Order.S has been added, with the number 4", "Order has lost 'S'")]
    [InlineData("FMT201", Gaps, " [MessageMember(2)] public int B;", "Order.B has been added, with the number 2, and bodies without it are refused", "Order has lost 'B', without which existing readers refuse a body")]
    [InlineData("FMT202", Gaps, " [MessageMember(3)] public int? C;", "Order.C has been added, with the number 3", "Order has lost 'C'")]
    [InlineData("FMT202", WrittenOnly, "[MessageMember(2)] public int B => A;", "Order.B has been added, with the number 2", "Order has lost 'B'")]
    [InlineData("FMT202", WrittenOnly, "[MessageMember(3)] public long C => A;", "Order.C has been added, with the number 3", "Order has lost 'C'")]
    [InlineData("FMT202", WrittenOnly, "[MessageMember(4)] public string D => \"\";", "Order.D has been added, with the number 4", "Order has lost 'D'")]
    [InlineData("FMT202", WrittenOnly, "[MessageMember(1)] public long Z => 1;", "R.Z has been added, with the number 1", "R has lost 'Z'")]
    [InlineData("FMT202", WrittenOnly, "[MessageMember(1)] public int V => 1;", "Box<int>.V has been added, with the number 1", "Box<int> has lost 'V'")]
    [InlineData("FMT201", WrittenOnly, "[MessageMember(7)] public int E;", "Order.E has been added, with the number 7, and bodies without it are refused", "Order has lost 'E', without which existing readers refuse a body")]
    [InlineData("FMT201", Gaps, " [MessageMember(4)] public required int D;", "Order.D has been added, with the number 4, and bodies without it are refused", "Order has lost 'D', without which existing readers refuse a body")]
    public void Member_ThatBodiesNeed_CannotComeOrGo(string id, string source, string member, string added, string lost)
    {
        Assert.Contains(member, source, StringComparison.Ordinal);
        string without = source.Replace(member, "", StringComparison.Ordinal);
        string before = Update(without, null), after = Update(source, null);
        Assert.Equal([$"{id} formatters.schema.json: {added}"], Run(source, before).Diagnostics.Select(d => $"{d.Id} {TextOf(d).Split(';')[0]}"));
        Assert.Equal([$"{id} formatters.schema.json: {lost}"], Run(without, after).Diagnostics.Select(d => $"{d.Id} {TextOf(d).Split(';')[0]}"));
        Assert.Empty(Run(source, after).Diagnostics);
    }

    [Theory]
    [InlineData("FMT202", ContractFormats.Binary, "byte[]", "List<byte>")]
    [InlineData("FMT202", ContractFormats.Binary, "Dictionary<int, byte[]?>", "Dictionary<int, List<byte>?>")]
    [InlineData("FMT201", ContractFormats.Binary, "byte[]", "List<byte?>")]
    [InlineData("FMT201", ContractFormats.Binary, "byte[]", "List<sbyte>")]
    [InlineData("FMT201", ContractFormats.Versioned, "byte[]", "List<byte>")]
    [InlineData("FMT201", ContractFormats.MessagePack, "byte[]", "List<byte>")]
    [InlineData("FMT201", ContractFormats.Protobuf, "byte[]", "List<byte>")]
    public void Bytes_AreAListOfThem_InTheBinaryFormat(string id, ContractFormats format, string before, string after)
    {
        string source = $"[MessageContract(Formats = ContractFormats.{format})] public partial class Order {{ [MessageMember(1)] public int A; [MessageMember(2)] public {before} B = new(); }}";
        foreach ((string was, string now) in new[] { (before, after), (after, before) })
        {
            string first = source.Replace(before, was, StringComparison.Ordinal), second = source.Replace(before, now, StringComparison.Ordinal);
            Diagnostic change = Assert.Single(Run(second, Update(first, null)).Diagnostics);
            Assert.Equal((id, "B"), (change.Id, TextAt(change)));
            Assert.Contains("Order.B was ", TextOf(change), StringComparison.Ordinal);
        }
    }

    /// <summary>What is only written may be nil for this contract, but there are readers elsewhere for whom its type counts.</summary>
    [Theory]
    [InlineData("FMT202", "int B => A;", "int B;", "Order.B is now read as well")]
    [InlineData("FMT202", "int B;", "int B => A;", "Order.B is only written now")]
    [InlineData("FMT202", "int? B;", "int B => A;", "Order.B may no longer be null")]
    [InlineData("FMT201", "int B => A;", "string B = null!;", "Order.B was int32 and is string")]
    [InlineData("FMT201", "string B = null!;", "int B => A;", "Order.B was string and is int32")]
    [InlineData("FMT201", "string B => null!;", "int B => A;", "Order.B was string and is int32")]
    [InlineData("FMT201", "int D => A;", "[MessageMember(2)] public int B;", "Order.B has been added, with the number 2, and bodies without it are refused|Order has lost 'D'")]
    public void Member_ThatIsOnlyWritten_KeepsItsType(string id, string before, string after, string messages)
    {
        string Source(string member) => "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int A; [MessageMember(3)] public int C; "
            + (member.StartsWith('[') ? member : (member.Contains(" D", StringComparison.Ordinal) ? "[MessageMember(4)] public " : "[MessageMember(2)] public ") + member) + " }";
        string snapshot = Update(Source(before), null);
        Assert.Equal(before.Contains("=>", StringComparison.Ordinal), snapshot.Contains(", \"writtenOnly\": true }", StringComparison.Ordinal));
        Diagnostic[] changes = [.. Run(Source(after), snapshot).Diagnostics];
        Assert.Equal(id, changes[0].Id);
        Assert.Equal(messages.Split('|').Select(m => "formatters.schema.json: " + m), changes.Select(d => TextOf(d).Split(';')[0]));
        Assert.Empty(Run(Source(after), Update(Source(after), snapshot)).Diagnostics);
    }

    [Fact]
    public void Required_IsInTheFile()
    {
        string snapshot = Update(Required, null);
        Assert.Contains("{ \"name\": \"B\", \"number\": 2, \"type\": \"int32\", \"required\": true }", snapshot, StringComparison.Ordinal);
        Diagnostic[] older = [.. Run(Required, snapshot.Replace(", \"required\": true", "", StringComparison.Ordinal)).Diagnostics.OrderBy(d => d.Location.SourceSpan.Start)];
        Assert.Equal([("FMT202", "B"), ("FMT202", "L")], older.Select(d => (d.Id, TextAt(d))));
        Assert.Contains("Order.B is required now;", TextOf(older[0]), StringComparison.Ordinal);
        Diagnostic wrong = Assert.Single(Run(Required, snapshot.Replace("\"required\": true", "\"required\": 1", StringComparison.Ordinal)).Diagnostics);
        Assert.Equal("FMT203", wrong.Id);
    }

    [Fact]
    public void Record_ThatBecomesAUnion_IsAnother()
    {
        const string Union = "[MessageContract(Formats = ContractFormats.Versioned), MessageUnion(5, typeof(Circle)), MessageUnion(typeof(Other))] public abstract partial class Shape { } public class Circle : Shape { [MessageMember(1)] public int Radius; } "
            + "public class Other : Shape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } } ";
        const string Record = "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Shape { [MessageMember(1)] public int Radius; } ";
        Diagnostic change = Run(Record, Update(Union, null)).Diagnostics[0];
        Assert.Equal(("FMT201", "Shape"), (change.Id, TextAt(change)));
        Assert.Contains("Shape was a union and is a record;", TextOf(change), StringComparison.Ordinal);
        Assert.Contains(Run(Union, Update(Record, null)).Diagnostics, d => d.Id == "FMT201" && TextOf(d).Contains("Shape was a record and is a union;", StringComparison.Ordinal));
    }

    [Fact]
    public void Numbers_OfARecordWithoutAny_AreKept()
    {
        const string One = "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { [MessageMember(1)] public int A; }";
        string emptied = Update(Empty, Update(One, null));
        Assert.Contains("\"retired\": [1]", emptied, StringComparison.Ordinal);
        Assert.Equal(emptied, Update(Empty, emptied));
        Assert.Contains(Run(One.Replace("int A", "string? B", StringComparison.Ordinal), emptied).Diagnostics, d => d.Id == "FMT201");
    }

    [Theory]
    [InlineData("a\\nb")]
    [InlineData("a*/b/*c")]
    [InlineData("a#b")]
    [InlineData("\\\\\\\"")]
    [InlineData("\\uD83D\\uDE00 \\uD83D")]
    public void Name_OfAnyCharacters_ComesBack(string name)
    {
        string source = $"[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order {{ [MessageMember(Name = \"{name}\")] public int Digits; }}";
        string snapshot = Update(source, null);
        Assert.DoesNotContain("*/", snapshot, StringComparison.Ordinal);
        Assert.DoesNotContain("/*", snapshot, StringComparison.Ordinal);
        Assert.Empty(Run(source, snapshot).Diagnostics);
        Diagnostic change = Assert.Single(Run(source.Replace("int Digits", "string? Digits", StringComparison.Ordinal), snapshot).Diagnostics);
        Assert.Equal(("FMT201", "Digits"), (change.Id, TextAt(change)));
    }

    [Fact]
    public void PrivateMembers_OfOneName_AreTwo()
    {
        const string Two = "[MessageContract(Formats = ContractFormats.Binary)] public partial class Base { [MessageMember] private int _id; public int Id() => _id++; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base { [MessageMember] private int _id; public int Id2() => _id++; }";
        string snapshot = Update(Two, null);
        Assert.Empty(Run(Two, snapshot).Diagnostics);
        Diagnostic change = Assert.Single(Run(Two.Replace("Order : Base { [MessageMember] private int", "Order : Base { [MessageMember] private long", StringComparison.Ordinal), snapshot).Diagnostics);
        Assert.Equal(("FMT201", "_id"), (change.Id, TextAt(change)));
    }

    [Theory]
    [InlineData("", Named, "public int B; public string? A;", "public string? A; public int B;", "")]
    [InlineData("FMT202", Named, "public int B;", "public int B; public int New;", "Order.New has been added")]
    [InlineData("FMT202", Named, "public int B;", "", "Order has lost 'B' (int32)")]
    [InlineData("FMT202", Named, "public int B;", "public long B;", "Order.B was int32 and is int64")]
    [InlineData("FMT202", Named, "string? A", "string A", "Order.A may no longer be null")]
    [InlineData("FMT202", Named, "string?)", "string)", "Order.C was (int32, string?) and is (int32, string)")]
    [InlineData("FMT201", Named, "public int B;", "public string B;", "Order.B was int32 and is string")]
    [InlineData("FMT201", Named, "(int, string?)", "(string?, int)", "Order.C was (int32, string?) and is (string?, int32)")]
    [InlineData("FMT202", Renamed, "\"d\"", "\"e\"", "Order.e has been added|Order has lost 'd' (byte)")]
    [InlineData("FMT202", Indexed, "int A", "ulong A", "Order.A was int32 and is uint64")]
    [InlineData("FMT201", Indexed, "int A", "double A", "Order.A was int32 and is double")]
    [InlineData("FMT201", Indexed, "(2)", "(3)", "Order.B had the number 2 and has 3")]
    [InlineData("FMT201", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { public int A; public string? B; }", "public int A; public string? B;", "[MessageMember(1)] public int A; [MessageMember(2)] public string? B;", "Order was a map of named members and is an array of numbered members")]
    [InlineData("FMT202", Fields, "int A", "bool A", "Order.A was int32 and is boolean")]
    [InlineData("FMT202", Fields, "string? C", "string C", "Order.C may no longer be null")]
    [InlineData("FMT201", Fields, "int A", "double A", "Order.A was int32 and is double")]
    [InlineData("FMT201", Fields, ", Encoding = MemberEncoding.ZigZag", "", "Order.B was zigzag list<int32> and is list<int32>")]
    [InlineData("FMT202", Fields, "List<int> B", "List<long> B", "Order.B was zigzag list<int32> and is zigzag list<int64>")]
    [InlineData("FMT201", Fields, "List<int> B", "List<int?> B", "Order.B was zigzag list<int32> and is zigzag list<int32?>")]
    [InlineData("FMT201", Maps, "int?>", "int>", "Order.M was map<string, int32?> and is map<string, int32>")]
    [InlineData("FMT202", Maps, "<string, int?>", "<string, long?>", "Order.M was map<string, int32?> and is map<string, int64?>")]
    [InlineData("FMT202", Maps, "(int, string?)", "(long, string)", "Order.T was (int32, string?) and is (int64, string)")]
    [InlineData("FMT202", Maps, "int F", "uint F", "Order.F was fixed int32 and is fixed uint32")]
    [InlineData("FMT201", Maps, "int F", "long F", "Order.F was fixed int32 and is fixed int64")]
    [InlineData("FMT202", Values, "List<int>", "List<long>", "Contracts.Numbers was list<int32> and is list<int64>")]
    [InlineData("FMT202", Values, "List<int>", "List<int?>", "Contracts.Numbers was list<int32> and is list<int32?>")]
    [InlineData("FMT201", Values, "List<int>", "List<string>", "Contracts.Numbers was list<int32> and is list<string>")]
    [InlineData("FMT202", Named, "(int, string?)", "(long, string?)", "Order.C was (int32, string?) and is (int64, string?)")]
    [InlineData("FMT201", Empty, "{ }", "{ [MessageMember(1)] public int A; }", "Order was a map of named members and is an array of numbered members")]
    [InlineData("FMT201", Fields, "ZigZag", "Fixed", "Order.B was zigzag list<int32> and is fixed list<int32>")]
    public void Format_HasItsOwnRules(string id, string source, string before, string after, string messages)
    {
        Assert.Contains(before, source, StringComparison.Ordinal);
        string snapshot = Update(source, null);
        string changed = source.Replace(before, after, StringComparison.Ordinal);
        IEnumerable<Diagnostic> diagnostics = Run(changed, snapshot).Diagnostics.Where(d => d.Id is "FMT201" or "FMT202");
        Assert.Equal(messages.Split('|', StringSplitOptions.RemoveEmptyEntries).Select(m => $"{id} formatters.schema.json: {m}"), diagnostics.Select(d => $"{d.Id} {TextOf(d).Split(';')[0]}"));
        Assert.Empty(Run(changed, Update(changed, snapshot)).Diagnostics);
    }

    [Fact]
    public void Edit_ElsewhereInTheFile_ComparesNothingAnew()
    {
        CSharpCompilation compilation = Compilations.Create(Shop);
        GeneratorDriver driver = Driver(Snapshot, "").RunGenerators(compilation);
        driver = driver.RunGenerators(compilation.ReplaceSource(0, "// A comment.\n" + Shop + "\nclass Other { }"));
        IEnumerable<IncrementalStepRunReason> Reasons() => driver.GetRunResult().Results[0].TrackedSteps[SchemaOutput.ChangesStep].SelectMany(s => s.Outputs).Select(o => o.Reason);
        Assert.All(Reasons(), r => Assert.Contains(r, new[] { IncrementalStepRunReason.Cached, IncrementalStepRunReason.Unchanged }));
        driver = driver.RunGenerators(compilation.ReplaceSource(0, Shop.Replace("public int Id;", "public long Id;", StringComparison.Ordinal)));
        Assert.Equal([IncrementalStepRunReason.Modified], Reasons());
    }

    private static EquatableArray<SchemaRecord> Records(string text)
    {
        string[][] parts = [.. text.Split('|').Select(m => m.Split(' '))];
        return new[]
        {
            new SchemaRecord(
                "R", "versioned", true, parts.Where(p => p.Length == 3).Select(p => new SchemaMember(p[1], int.Parse(p[0], System.Globalization.CultureInfo.InvariantCulture), p[2])).ToEquatable(),
                parts.Where(p => p.Length == 1).Select(p => -int.Parse(p[0], System.Globalization.CultureInfo.InvariantCulture)).ToEquatable()),
        }.ToEquatable();
    }

    private static string TextAt(Diagnostic diagnostic) => diagnostic.Location.SourceTree!.ToString().Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length);

    private static string Update(string source, string? snapshot)
    {
        GeneratedSourceResult schema = Run(source, snapshot, "true").Results[0].GeneratedSources.Single(s => s.HintName == "formatters.schema.g.cs");
        string text = schema.SourceText.ToString();
        Assert.StartsWith("/*\n", text, StringComparison.Ordinal);
        Assert.EndsWith("*/\n", text, StringComparison.Ordinal);
        return text[3..^3];
    }

    /// <summary>One change in several wire formats is one line, and an error if it is one in any of them.</summary>
    [Theory]
    [InlineData("public int B;", "public int B; [MessageMember(4)] public int New;", "FMT201 Order.New has been added, with the number 4 (binary; compatible in compact, protobuf, versioned)")]
    [InlineData("[MessageMember(3)] public string? C;", "", "FMT201 Order has lost 'C' (string?) (binary; compatible in compact, protobuf, versioned)")]
    [InlineData("string? C", "string? D", "FMT202 Order.D was called 'C' (binary, compact, protobuf, versioned)")]
    [InlineData("public int B", "public double B", "FMT201 Order.B was int32 and is double (binary, compact, protobuf, versioned)")]
    [InlineData("public int B", "public long B", "FMT201 Order.B was int32 and is int64 (binary, versioned; compatible in compact, protobuf)")]
    [InlineData("string? C", "string C", "FMT201 Order.C may no longer be null (binary; compatible in compact, protobuf, versioned)")]
    public void Change_InSeveralFormats_IsOneLine(string before, string after, string message)
    {
        const string Source = "using Formatters; [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Compact | ContractFormats.Protobuf)] public partial class Order { [MessageMember(1)] public int A; [MessageMember(2)] public int B; [MessageMember(3)] public string? C; }";
        Diagnostic change = Assert.Single(Run(Source.Replace(before, after, StringComparison.Ordinal), Update(Source, null)).Diagnostics, static d => d.Id is "FMT201" or "FMT202");
        string text = change.GetMessage(System.Globalization.CultureInfo.InvariantCulture);
        Assert.Equal(message, change.Id + text[text.IndexOf(' ', StringComparison.Ordinal)..text.LastIndexOf(change.Id == "FMT201" ? "; existing" : "; build", StringComparison.Ordinal)]);
    }

    /// <summary>Returns the message without the wire formats that it names.</summary>
    private static string TextOf(Diagnostic diagnostic) => System.Text.RegularExpressions.Regex.Replace(
        diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), @" \([A-Za-z, ]+(; compatible in [A-Za-z, ]+)?\)(?=; (existing|build))", "");

    private static GeneratorDriverRunResult Run(string source, string? snapshot, string update = "") =>
        Driver(snapshot, update).RunGenerators(Compilations.Create(source)).GetRunResult();

    private static GeneratorDriver Driver(string? snapshot, string update) => Compilations.Driver()
        .AddAdditionalTexts(snapshot is null ? [] : [new File("/src/other.json", "?"), new File("/src/formatters.schema.json", snapshot)])
        .WithUpdatedAnalyzerConfigOptions(new Options(update));

    private sealed class File(string path, string text) : AdditionalText
    {
        public override string Path => path;

        public override SourceText GetText(CancellationToken cancellationToken = default) => SourceText.From(text);
    }

    private sealed class Options(string update) : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Global(update);

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;

        private sealed class Global(string update) : AnalyzerConfigOptions
        {
            public override bool TryGetValue(string key, out string value)
            {
                value = update;
                return key == "build_property.UpdateFormattersSchema";
            }
        }
    }
}

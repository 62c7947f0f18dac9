using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.Json.Nodes;
using Formatters.Tests.Support;
using Golden;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Bodies that BinaryMessageFormatter wrote: read to what their index says, and written again byte for byte.</summary>
public class GoldenTests
{
    private const string GoldenAssembly = "Golden, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null";

    internal static readonly LegacyBinaryOptions Options = LegacyBinaryOptions.Default
        .WithAssembly(typeof(Golden.Order).Assembly, GoldenAssembly)
        .WithType(typeof(Golden.Order)).WithType(typeof(Node)).WithType(typeof(LineItem)).WithType(typeof(OrderP)).WithType(typeof(Everything))
        .WithType(typeof(Derived)).WithType(typeof(Money)).WithType(typeof(Color)).WithType(typeof(int[])).WithType(typeof(List<int>)).WithType(typeof(List<string>));

    public static TheoryData<string> Bodies => GoldenBody.Files("bin-");

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Read_GivesTheExpectedValue(string file)
    {
        GoldenBody body = GoldenBody.Get(file);

        object value = new LegacyBinaryFormatter<object>(Options).Read(body.Bytes);

        Assert.Equal(Normal(JsonNode.Parse(body.Expected.GetRawText())), Normal(Describe(value, [])));
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Write_GivesTheSameBytes(string file)
    {
        GoldenBody body = GoldenBody.Get(file);
        var formatter = new LegacyBinaryFormatter<object>(Options with { TypeFormat = body.TypeFormat });

        byte[] written = formatter.Write(formatter.Read(body.Bytes));

        Assert.Equal(Convert.ToHexString(body.Bytes), Convert.ToHexString(written));
    }

    /// <summary>Of all golden bodies, those that are not written again byte for byte are the ones that the README names with their reasons.</summary>
    [Fact]
    public void NotWrittenAgain_AreThoseOfTheList()
    {
        LegacyBinaryOptions options = CollectionTests.AddTypes(Options).WithType(typeof(Dictionary<string, bool>)).WithType(typeof(int?[]));
        var files =
            from folder in new[] { "system-messaging", "legacy-collections", "nrbf" }
            from path in Directory.EnumerateFiles(Formatters.Tests.Support.Golden.Directory(folder))
            where Path.GetExtension(path) is ".nrbf" || (Path.GetExtension(path) is ".bin" && !Path.GetFileName(path).StartsWith("activex-", StringComparison.Ordinal))
            select path;

        string[] others = [.. files.Where(path => !IsWrittenAgain(path, options)).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

        Assert.InRange(files.Count(), 81, int.MaxValue);
        Assert.Equal(Formatters.Tests.Support.Golden.NotRewritten().Where(static file => !file.StartsWith("xml-", StringComparison.Ordinal)).Order(StringComparer.Ordinal), others);
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void GeneratedContracts_ReadAndWriteTheSame(string file)
    {
        GoldenBody body = GoldenBody.Get(file);
        LegacyBinaryOptions options = Options with { TypeFormat = body.TypeFormat };
        var generated = new LegacyBinaryFormatter<object>(GoldenContracts.LegacyBinaryContract, options);

        object value = generated.Read(body.Bytes);

        Assert.Equal(Normal(JsonNode.Parse(body.Expected.GetRawText())), Normal(Describe(value, [])));
        Assert.Equal(new LegacyBinaryFormatter<object>(options).Write(value), generated.Write(value));
    }

    [Theory]
    [InlineData("bin-order-0.bin", 0)]
    [InlineData("bin-order-1.bin", 1)]
    [InlineData("bin-order-1-Simple-TypesWhenNeeded.bin", 1)]
    [InlineData("bin-order-50.bin", 50)]
    public void Read_AsTheDeclaredType_GivesTheObjectsOfTheModel(string file, int lineItemCount)
    {
        GoldenBody body = GoldenBody.Get(file);

        Golden.Order order = new LegacyBinaryFormatter<Golden.Order>(Options).Read(body.Bytes);

        Assert.Equal(Normal(Describe(Make.Order(lineItemCount), [])), Normal(Describe(order, [])));
        Assert.Equal(body.Bytes.Length, new LegacyBinaryFormatter<Golden.Order>(Options with { TypeFormat = body.TypeFormat }).Write(order).Length);
    }

    [Fact]
    public void Read_ACycle_MakesTheCycle()
    {
        var a = (Node)new LegacyBinaryFormatter<object>(Options).Read(GoldenBody.Get("bin-cycle.bin").Bytes);

        Assert.Same(a, a.Next.Next);
        Assert.Same(a, a.Tag);
    }

    [Fact]
    public void Read_SharedReferences_AreShared()
    {
        var items = (object[])new LegacyBinaryFormatter<object>(Options).Read(GoldenBody.Get("bin-shared.bin").Bytes);

        Assert.Same(items[0], items[1]);
        Assert.Same(((Node)items[0]).Name, items[2]);
    }

    [Theory]
    [InlineData("helloworld.nrbf", "\"Hello World!\"")]
    [InlineData("intarray.nrbf", "[1,2,3]")]
    [InlineData("jaggedArrayOfStrings.nrbf", "[[\"jagged\",\"array\"],[\"of\",\"strings\"]]")]
    [InlineData("mixedObjArray.nrbf", "[2147483647,\"string\",null]")]
    [InlineData("dictStringBool.nrbf", "{\"1\":true,\"2\":false}")]
    public void Read_TheSeedsOfAnotherFuzzer(string file, string expected)
    {
        byte[] body = ReadSeed(file);
        var formatter = new LegacyBinaryFormatter<object>(Options.WithType(typeof(Dictionary<string, bool>)).WithType(typeof(string[])));

        object value = formatter.Read(body);

        Assert.Equal(Normal(JsonNode.Parse(expected)), Normal(Describe(value, [])));
        Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(formatter.Write(value)));
    }

    [Fact]
    public void Read_ANullRunOfGigabytes_IsRefusedBeforeTheArrayIsMade()
    {
        var formatter = new LegacyBinaryFormatter<object>(Options.WithType(typeof(int?[])));
        byte[] body = ReadSeed("largeArrayOfNulls.nrbf");
        // What is allocated once.
        Assert.Throws<MessageFormatException>(() => formatter.Read(body));

        long before = GC.GetAllocatedBytesForCurrentThread();
        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));

        Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
    }

    [Fact]
    public void Read_AClassOutsideTheSet_IsRefused()
    {
        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<object>().Read(ReadSeed("complexType.nrbf")));

        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, error.Code);
    }

    private static bool IsWrittenAgain(string path, LegacyBinaryOptions options)
    {
        byte[] body = File.ReadAllBytes(path);
        string file = Path.GetFileName(path);
        var formatter = new LegacyBinaryFormatter<object>(options with
        {
            TypeFormat = file.StartsWith("bin-", StringComparison.Ordinal) ? GoldenBody.Get(file).TypeFormat : LegacyBinaryTypeFormat.TypesAlways,
        });
        try
        {
            return formatter.Write(formatter.Read(body)).AsSpan().SequenceEqual(body);
        }
        catch (MessageFormatException)
        {
            return false;
        }
    }

    private static byte[] ReadSeed(string file) => Formatters.Tests.Support.Golden.Read("nrbf", file);

    /// <summary>One text for what is equal, however its numbers are held.</summary>
    private static string Normal(JsonNode? node) => NormalText(node is null ? null : JsonNode.Parse(node.ToJsonString()));

    private static string NormalText(JsonNode? node) => node switch
    {
        JsonObject map => "{" + string.Join(",", map.OrderBy(static p => p.Key, StringComparer.Ordinal).Select(static p => p.Key + ":" + NormalText(p.Value))) + "}",
        JsonArray list => "[" + string.Join(",", list.Select(NormalText)) + "]",
        null => "null",
        JsonValue value when value.TryGetValue(out long number) => number.ToString(CultureInfo.InvariantCulture),
        JsonValue value when value.TryGetValue(out double number) => number.ToString("R", CultureInfo.InvariantCulture),
        _ => node.ToJsonString(),
    };

    /// <summary>A value as the index has it.</summary>
    private static JsonNode? Describe(object? value, List<object> path)
    {
        switch (value)
        {
            case null:
                return null;
            case DBNull:
                return "DBNull";
            case string or bool or int or short or byte or long:
                return JsonNode.Parse(System.Text.Json.JsonSerializer.Serialize(value));
            case double number:
                return double.IsNaN(number) ? "NaN" : number;
            case char c:
                return c.ToString();
            case decimal number:
                return number.ToString(CultureInfo.InvariantCulture);
            case Guid guid:
                return guid.ToString();
            case DateTime date:
                return new JsonObject { ["ticks"] = date.Ticks, ["kind"] = date.Kind.ToString() };
            case TimeSpan span:
                return new JsonObject { ["ticks"] = span.Ticks };
            case Color color:
                return new JsonObject { ["value__"] = (short)color };
            case byte[] bytes:
                return Convert.ToHexString(bytes);
            case Array { Length: 300 } array:
                Assert.Equal(298, array.Cast<object?>().Count(static item => item is null));
                return new JsonObject { ["length"] = 300, ["0"] = (string?)array.GetValue(0), ["299"] = (string?)array.GetValue(299) };
            case Array array when array.Rank == 1 && array.GetLowerBound(0) != 0:
                return new JsonObject
                {
                    ["lowerBound"] = array.GetLowerBound(0),
                    ["items"] = new JsonArray([.. array.Cast<object?>().Select(item => Describe(item, path))]),
                };
            case IDictionary map:
                var entries = new JsonObject();
                foreach (DictionaryEntry entry in map)
                    entries[(string)entry.Key] = Describe(entry.Value, path);
                return entries;
            case object[] items when items.Length == 3 && items[0] is Node && ReferenceEquals(items[0], items[1]):
                return new JsonArray(new JsonObject { ["Name"] = ((Node)items[0]).Name }, "<0>", (string)items[2]);
            case IEnumerable items:
                return new JsonArray([.. items.Cast<object?>().Select(item => Describe(item, path))]);
        }

        if (path.Count > 0 && ReferenceEquals(path[0], value))
            return "<root>";
        path.Add(value);
        var members = new JsonObject();
        foreach (FieldInfo field in value.GetType().GetFields().Where(static field => !field.IsNotSerialized))
            members[field.Name] = Describe(field.GetValue(value), path);
        path.RemoveAt(path.Count - 1);
        return members;
    }
}

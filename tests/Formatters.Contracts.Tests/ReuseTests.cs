using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Reading into an existing object: a body like the last one allocates nothing, any other gives what reading anew gives.</summary>
public class ReuseTests
{
#if FORMATTERS_NETSTANDARD
    // There reflection reads by contracts that are gone through, not by emitted code, and boxes.
    public static TheoryData<string> WithoutBoxes => ["binary", "versioned"];
#else
    public static TheoryData<string> WithoutBoxes => Formats;
#endif

    public static TheoryData<string> Formats => ["binary", "binary, reflection", "versioned"];

    [Theory]
    [MemberData(nameof(WithoutBoxes))]
    public void AnEqualBody_AllocatesNothing(string format)
    {
        MessageFormatter<Reused> formatter = Formatter(format);
        foreach (Reused value in (Reused[])[Reused.Create(1), new()])
        {
            byte[] body = formatter.Write(value);
            Reused existing = formatter.Read(body);
            Reused first = existing;
            formatter.Read(body, ref existing);
            long before = GC.GetAllocatedBytesForCurrentThread();
            formatter.Read(body, ref existing);
            Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Same(first, existing);
            Assert.Equal(body, formatter.Write(existing));
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void AnyOtherBody_IsReadAsAnew(string format)
    {
        MessageFormatter<Reused> formatter = Formatter(format);
        Reused existing = Reused.Create(0);
        foreach (int seed in Enumerable.Range(1, 2000))
        {
            byte[] body = formatter.Write(Reused.Create(seed));
            formatter.Read(body, ref existing);
            Assert.Equal(body, formatter.Write(existing));
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void EqualValuesOfOtherBits_AreTheOnesThatWereRead(string format)
    {
        MessageFormatter<Reused> formatter = Formatter(format);
        Reused existing = formatter.Read(formatter.Write(Bits(1.0m, 0.0, DateTimeKind.Utc)));
        byte[] body = formatter.Write(Bits(1.00m, -0.0, DateTimeKind.Unspecified));
        formatter.Read(body, ref existing);
        Assert.Equal(body, formatter.Write(existing));

        static Reused Bits(decimal price, double weight, DateTimeKind kind) => new()
        {
            Prices = new() { [price] = price },
            Marks = [price],
            Line = new("a", price, weight, new DateTime(1, kind)),
        };
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void AKeyThatComesTwice_IsRefused_WhereverTheExistingKeysAre(string format)
    {
        MessageFormatter<Reused> formatter = Formatter(format);
        byte[] body = formatter.Write(new Reused { Names = new() { ["aa"] = "1", ["ab"] = "2", ["ac"] = "3" }, Tags = ["ba", "bb", "bc"] });
        foreach ((string from, string to) in new[] { ("ab", "aa"), ("ac", "ab"), ("ac", "aa"), ("bb", "ba"), ("bc", "ba") })
        {
            byte[] twice = [.. body];
            int at = twice.AsSpan().IndexOf(System.Text.Encoding.UTF8.GetBytes(from));
            System.Text.Encoding.UTF8.GetBytes(to).CopyTo(twice, at);
            Reused existing = formatter.Read(body);
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(twice, ref existing));
            MessageFormatException anew = Assert.Throws<MessageFormatException>(() => formatter.Read(twice));
            Assert.Equal((MessageFormatErrorCode.DuplicateKey, anew.ByteOffset, anew.MemberPath), (error.Code, error.ByteOffset, error.MemberPath));
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void ADictionaryWithAComparerOfItsOwn_KeepsIt(string format)
    {
        MessageFormatter<Reused> formatter = Formatter(format);
        var existing = new Reused { Names = new(StringComparer.OrdinalIgnoreCase) { ["A"] = "1" }, Tags = new(StringComparer.OrdinalIgnoreCase) { "B" } };
        byte[] body = formatter.Write(new Reused { Names = new() { ["a"] = "1", ["b"] = "2" }, Tags = ["b", "c"] });
        formatter.Read(body, ref existing);
        Assert.Equal(body, formatter.Write(existing));
        Assert.Equal("2", existing.Names["B"]);
        Assert.Contains("C", existing.Tags);

        byte[] twice = formatter.Write(new Reused { Names = new() { ["a"] = "1", ["A"] = "2" } });
        Assert.Equal(MessageFormatErrorCode.DuplicateKey, Assert.Throws<MessageFormatException>(() => formatter.Read(twice, ref existing)).Code);
    }

    private static MessageFormatter<Reused> Formatter(string format) => format switch
    {
        "binary" => new BinaryBodyFormatter<Reused>(Reused.MessageContract),
        "versioned" => new VersionedFormatter<Reused>(Reused.MessageContract),
        _ => new BinaryBodyFormatter<Reused>(ByReflection.Binary),
    };
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public partial class Reused
{
    [MessageMember(1)]
    public Dictionary<string, string> Names { get; set; } = [];

    [MessageMember(2)]
    public Dictionary<int, ReusedItem> Items { get; set; } = [];

    [MessageMember(3)]
    public Dictionary<decimal, decimal> Prices { get; set; } = [];

    [MessageMember(4)]
    public IDictionary<Guid, string?> Others { get; set; } = new Dictionary<Guid, string?>();

    [MessageMember(5)]
    public HashSet<string> Tags { get; set; } = [];

    [MessageMember(6)]
    public HashSet<decimal> Marks { get; set; } = [];

    [MessageMember(7)]
    public ReusedLine Line { get; set; } = new("", 0, 0, default);

    [MessageMember(8)]
    public List<ReusedLine> Lines { get; set; } = [];

    [MessageMember(9)]
    public ReusedStruct Struct { get; set; }

    [MessageMember(10)]
    public ReusedStruct[] Structs { get; set; } = [];

    [MessageMember(11)]
    public List<ReusedStruct?> Maybes { get; set; } = [];

    [MessageMember(12)]
    public (int, string) Pair { get; set; } = (0, "");

    [MessageMember(13)]
    public Tuple<int, string> Twin { get; set; } = new(0, "");

    [MessageMember(14)]
    public ReusedInit Init { get; set; } = new() { Name = "" };

    [MessageMember(15)]
    public ReusedLine? Last { get; set; }

    internal static Reused Create(int seed)
    {
        var random = new Random(seed);
        return new()
        {
            Names = Many(() => random.Next(6).ToString(), () => Text()),
            Items = Many(() => random.Next(6), () => new ReusedItem { Name = Text(), Numbers = [random.Next(3)] }),
            Prices = Many(() => (decimal)random.Next(6), () => (decimal)random.Next(3)),
            Others = Many(() => new Guid(random.Next(6), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), () => random.Next(3) == 0 ? null : Text()),
            Tags = [.. Many(Text, () => 0).Keys],
            Marks = [.. Many(() => (decimal)random.Next(6), () => 0).Keys],
            Line = NewLine(),
            Lines = [.. Enumerable.Range(0, random.Next(4)).Select(_ => NewLine())],
            Struct = NewStruct(),
            Structs = [.. Enumerable.Range(0, random.Next(4)).Select(_ => NewStruct())],
            Maybes = [.. Enumerable.Range(0, random.Next(4)).Select(_ => random.Next(3) == 0 ? (ReusedStruct?)null : NewStruct())],
            Pair = (random.Next(), Text()),
            Twin = new(random.Next(3), Text()),
            Init = new() { Name = Text(), Line = NewLine() },
            Last = random.Next(2) == 0 ? null : NewLine(),
        };

        string Text() => "text " + random.Next(4);
        ReusedLine NewLine() => new(Text(), random.Next(2), random.Next(2), new DateTime(random.Next(2)));
        ReusedStruct NewStruct() => new() { Name = random.Next(3) == 0 ? null : Text(), Line = NewLine(), Number = random.Next() };

        Dictionary<TKey, TValue> Many<TKey, TValue>(Func<TKey> key, Func<TValue> value)
            where TKey : notnull
        {
            var entries = new Dictionary<TKey, TValue>();
            for (int i = random.Next(4); i > 0; i--)
                entries[key()] = value();
            return entries;
        }
    }
}

public class ReusedItem
{
    [MessageMember(1)]
    public string Name { get; set; } = "";

    [MessageMember(2)]
    public List<int> Numbers { get; set; } = [];
}

public record ReusedLine([MessageMember(1)] string Name, [MessageMember(2)] decimal Price, [MessageMember(3)] double Weight, [MessageMember(4)] DateTime When);

public struct ReusedStruct
{
    [MessageMember(1)]
    public string? Name { get; set; }

    [MessageMember(2)]
    public ReusedLine? Line { get; set; }

    [MessageMember(3)]
    public int Number { get; set; }
}

public sealed class ReusedInit
{
    [MessageMember(1)]
    public required string Name { get; init; }

    [MessageMember(2)]
    public ReusedLine? Line { get; init; }
}

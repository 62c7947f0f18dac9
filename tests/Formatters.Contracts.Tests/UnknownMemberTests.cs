using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.Serialization;
using System.Text;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Members that one version of a type does not know and keeps, and members that a body lacks: in all formats, generated and by reflection.</summary>
public class UnknownMemberTests
{
    private static readonly FormatterLimits Tight = FormatterLimits.Default with { MaxAllocationFactor = 1 };

    /// <summary>What an older version kept is given to a newer object, which knows some of it: that has values of its own, and is written once.</summary>
    [Theory]
    [FormatsOf<EntriesAll>]
    public void AnEntryThatBecameKnown_IsWrittenOnce(string name)
    {
        MessageFormatter<EntriesAll> all = AllFormats.Of<EntriesAll>(name);
        EntriesOld old = AllFormats.Of<EntriesOld>(name).Read(all.Write(new EntriesAll { A = 1, B = 2, C = "c", D = 4 }));
        Assert.Equal((name, 2, 3), (name, old.B, old.Unknown!.Count));
        byte[] body = AllFormats.Of<EntriesNew>(name).Write(new EntriesNew { A = 10, B = 20, C = "cc", Unknown = old.Unknown });
        Assert.Equal(Convert.ToHexString(all.Write(new EntriesAll { A = 10, B = 20, C = "cc", D = 4 })), Convert.ToHexString(body));
        Assert.Equal("cc", AllFormats.Of<EntriesNew>(name).Read(body).C);
    }

    /// <summary>The same for members with numbers. Protobuf writes unknown fields as they came, whatever their numbers.</summary>
    [Theory]
    [FormatsOf<NumbersAll>]
    public void ANumberThatBecameKnown_IsWrittenOnce(string name)
    {
        MessageFormatter<NumbersAll> all = AllFormats.Of<NumbersAll>(name);
        NumbersOld old = AllFormats.Of<NumbersOld>(name).Read(all.Write(new NumbersAll { A = 1, B = "b", C = 3, E = 5 }));
        Assert.Equal((name, 1, 3, 2), (name, old.A, old.C, old.Unknown!.Count));
        Assert.Equal((name, "2 4"), (name, string.Join(' ', Enumerable.Range(0, 10).Where(old.Unknown.Contains))));
        byte[] body = AllFormats.Of<NumbersNew>(name).Write(new NumbersNew { A = 10, B = "bb", C = 30, Unknown = old.Unknown });
        Assert.Equal(Convert.ToHexString(all.Write(new NumbersAll { A = 10, B = "bb", C = 30, E = 5 })), Convert.ToHexString(body));
    }

    /// <summary>A body that ends before a gap between numbers, and one with a null in it, have nothing that is kept.</summary>
    [Theory]
    [FormatsOf<NumbersOld>]
    public void AGap_HasNothingToKeep(string name)
    {
        MessageFormatter<NumbersOld> formatter = AllFormats.Of<NumbersOld>(name);
        NumbersOld shorter = formatter.Read(AllFormats.Of<LaterOlder>(name).Write(new LaterOlder { Id = 5 }));
        Assert.Equal((name, 5, 0, null), (name, shorter.A, shorter.C, shorter.Unknown));
        byte[] bare = formatter.Write(new NumbersOld { A = 5, C = 3 });
        NumbersOld same = formatter.Read(bare);
        Assert.Equal((name, 5, 3, null), (name, same.A, same.C, same.Unknown));
        Assert.Equal(bare, formatter.Write(same));
    }

    private static readonly FormatterLimits Dropping = FormatterLimits.Default with { DropForeignMembers = true };

    /// <summary>What one format has kept, another one cannot write: it refuses it, or drops it where that is asked for.</summary>
    [Fact]
    public void WhatOneFormatKept_IsRefusedByAnother_OrDroppedKnowingly()
    {
        foreach ((string name, MessageFormatter<KeptAll> all) in AllFormats.Of<KeptAll>().Where(static row => !row.Name.StartsWith("binary", StringComparison.Ordinal)))
        {
            var old = new KeptOuter { Inners = [AllFormats.Of<KeptOld>(name).Read(all.Write(new KeptAll { A = 1, B = "b", C = 3, E = 5 }))] };
            foreach ((string other, MessageFormatter<KeptOuter> formatter) in AllFormats.Of<KeptOuter>())
            {
                byte[] bare = formatter.Write(new KeptOuter { Inners = [new KeptOld { A = 1, C = 3 }] });
                if (other.Split(',')[0] == name.Split(',')[0])
                {
                    Assert.NotEqual(bare, formatter.Write(old));
                    continue;
                }

                MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Write(old));
                Assert.Equal((name, other, MessageFormatErrorCode.ForeignBytes, "KeptOuter.Inners[0]"), (name, other, error.Code, error.MemberPath));
                Assert.Contains("FormatterLimits.DropForeignMembers", error.Message, StringComparison.Ordinal);
                Assert.Equal(bare, AllFormats.Of<KeptOuter>(other, Dropping).Write(old));
            }
        }
    }

    /// <summary>The same between the forms of records of one format.</summary>
    [Theory]
    [FormatsOf<EntriesAll>]
    public void WhatOneFormKept_IsRefusedByTheOther_OrDroppedKnowingly(string name)
    {
        MessageFormatter<EntriesAll> all = AllFormats.Of<EntriesAll>(name);
        UnknownMembers unknown = AllFormats.Of<EntriesOld>(name).Read(all.Write(new EntriesAll { B = 2, C = "c" })).Unknown!;
        var value = new NumbersOld { A = 1, C = 3, Unknown = unknown };
        Assert.Equal(MessageFormatErrorCode.ForeignBytes, Assert.Throws<MessageFormatException>(() => AllFormats.Of<NumbersOld>(name).Write(value)).Code);
        Assert.Equal(AllFormats.Of<NumbersOld>(name).Write(new NumbersOld { A = 1, C = 3 }), AllFormats.Of<NumbersOld>(name, Dropping).Write(value));
        var entries = new EntriesOld { B = 2, Unknown = AllFormats.Of<NumbersOld>(name).Read(AllFormats.Of<NumbersAll>(name).Write(new NumbersAll { B = "b", E = 5 })).Unknown };
        Assert.Equal(MessageFormatErrorCode.ForeignBytes, Assert.Throws<MessageFormatException>(() => AllFormats.Of<EntriesOld>(name).Write(entries)).Code);
    }

    /// <summary>A case that one format has kept cannot be written by another one, where its bytes would be read as something else.</summary>
    [Theory]
    [FormatsOf<NewFigures>]
    public void ACaseThatOneFormatKept_IsRefusedByAnother(string name)
    {
        MessageFormatter<NewFigures> all = AllFormats.Of<NewFigures>(name);
        byte[] body = all.Write(new NewFigures { Items = [new Dot { X = 1 }, new Box { Width = 8, Height = 5 }] });
        OldFigures old = AllFormats.Of<OldFigures>(name).Read(body);
        Assert.IsType<OtherFigure>(old.Items[1]);
        foreach ((string other, MessageFormatter<OldFigures> formatter) in AllFormats.Of<OldFigures>())
        {
            if (other.Split(',')[0] == name.Split(',')[0])
            {
                Assert.Equal((name, other, Convert.ToHexString(body)), (name, other, Convert.ToHexString(formatter.Write(old))));
                continue;
            }

            MessageFormatException error = Assert.Throws<MessageFormatException>(() => AllFormats.Of<OldFigures>(other, Dropping).Write(old));
            Assert.Equal((name, other, MessageFormatErrorCode.ForeignBytes, "OldFigures.Items[1]"), (name, other, error.Code, error.MemberPath));
        }
    }

    /// <summary>Equal are those with the same bytes in the same places of the same format.</summary>
    [Theory]
    [FormatsOf<NumbersAll>]
    public void UnknownMembers_AreEqualByTheirBytes(string name)
    {
        MessageFormatter<NumbersAll> all = AllFormats.Of<NumbersAll>(name);
        UnknownMembers first = Kept(new NumbersAll { A = 1, B = "b", C = 3, E = 5 });
        Assert.Equal(first, Kept(new NumbersAll { A = 2, B = "b", C = 4, E = 5 }));
        Assert.Equal(first.GetHashCode(), Kept(new NumbersAll { A = 2, B = "b", C = 4, E = 5 }).GetHashCode());
        Assert.NotEqual(first, Kept(new NumbersAll { A = 1, B = "B", C = 3, E = 5 }));
        Assert.NotEqual(first, Kept(new NumbersAll { A = 1, B = "b", C = 3, E = 6 }));
        Assert.NotEqual(first, new UnknownMembers());

        UnknownMembers Kept(NumbersAll value) => AllFormats.Of<NumbersOld>(name).Read(all.Write(value)).Unknown!;
    }

    public static TheoryData<string> KeepingFormats => ["MessagePack", "CBOR", "compact", "protobuf"];

    /// <summary>An element of one byte takes far more memory than that byte: a body of 2,000 of them is refused where memory may be as large as the body.</summary>
    [Theory]
    [MemberData(nameof(KeepingFormats))]
    public void KeptMembers_AreChargedToTheBudget(string format)
    {
        foreach (MessageFormatter<Keeps> formatter in Keeping(format))
        {
            Keeps kept = formatter.Read(Body(format, 500));
            Assert.Equal(499, kept.Unknown!.Count);
            Assert.Equal(Body(format, 500), formatter.Write(kept));
            byte[] many = Body(format, 2000);
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(many));
            Assert.Equal((MessageFormatErrorCode.LimitExceeded, false), (error.Code, error.IsPoison));
        }
    }

    /// <summary>The same for the entries of a map, where the keys count too: here they are 30 characters.</summary>
    [Theory]
    [InlineData("MessagePack")]
    [InlineData("CBOR")]
    [InlineData("compact")]
    public void KeptEntries_AreChargedToTheBudget(string format)
    {
        MessageFormatter<EntriesOld>[] formatters = [AllFormats.Of<EntriesOld>(format, Tight), AllFormats.Of<EntriesOld>(format + ", reflection", Tight)];
        // An entry has 32 or 33 bytes, and takes as many and 64; 65,536 are free, and as many as the body has.
        foreach (MessageFormatter<EntriesOld> formatter in formatters)
        {
            Assert.Equal(900, formatter.Read(Entries(900)).Unknown!.Count);
            byte[] many = Entries(1100);
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(many)).Code);
        }

        byte[] Entries(int count)
        {
            (byte high, byte low) = ((byte)(count >> 8), (byte)count);
            (byte[] header, byte[] key) = format switch
            {
                "MessagePack" => (new byte[] { 0xDE, high, low }, new byte[] { 0xBE }),
                "CBOR" => ([0xB9, high, low], [0x78, 30]),
                _ => ([0xD8, low, high], [0x9E]),
            };
            return [.. header, .. Enumerable.Range(0, count).SelectMany(i => (byte[])[.. key, .. Encoding.ASCII.GetBytes(i.ToString("D30", CultureInfo.InvariantCulture)), 1])];
        }
    }

    private static MessageFormatter<Keeps>[] Keeping(string format) => [AllFormats.Of<Keeps>(format, Tight), AllFormats.Of<Keeps>(format + ", reflection", Tight)];

    /// <summary>The member that is known, and others of one byte; in protobuf, two.</summary>
    private static byte[] Body(string format, int count)
    {
        byte[] ones = [.. Enumerable.Repeat((byte)1, count)];
        return format switch
        {
            "MessagePack" => [0xDC, (byte)(count >> 8), (byte)count, .. ones],
            "CBOR" => [0x99, (byte)(count >> 8), (byte)count, .. ones],
            "compact" => [0xD5, (byte)count, (byte)(count >> 8), .. ones],
            _ => [0x08, 1, .. Enumerable.Range(1, count - 1).SelectMany(static _ => (byte[])[0x28, 1])],
        };
    }

    /// <summary>An older body, read over an object that has all members: it is then as if it were new, and what it lacks has the value of a new object.</summary>
    [Fact]
    public void AMissingMember_HasTheValueOfANewObject_InAnExistingOne()
    {
        foreach ((string name, MessageFormatter<LaterOlder> older) in AllFormats.Of<LaterOlder>())
        {
            byte[] body = older.Write(new LaterOlder { Id = 5 });
            Check(name, body, Later.Full, static (name, later) =>
            {
                Assert.Equal((name, 5), (name, later.Id));
                if (name.StartsWith("protobuf", StringComparison.Ordinal))
                    return; // It has no missing members, only such as have their default.
                Assert.Equal((name, 7, null, "new", 1), (name, later.Count, later.Note, later.Name, later.Inner.Value));
                Assert.Equal([1], later.Numbers);
                Assert.Equal(new Dictionary<string, int> { ["a"] = 1 }, later.Map);
            });
            Check(name, body, LaterCalled.Full, static (name, called) =>
            {
                Assert.Equal((name, 5), (name, called.Id));
                if (!name.StartsWith("protobuf", StringComparison.Ordinal))
                    Assert.Equal((name, 9, "called"), (name, called.Count, called.Name));
            });
        }

        static void Check<T>(string name, byte[] body, Func<T> full, Action<string, T> check)
            where T : class
        {
            MessageFormatter<T> formatter = AllFormats.Of<T>(name);
            T fresh = formatter.Read(body);
            check(name, fresh);
            T existing = formatter.Read(formatter.Write(full()));
            T same = existing;
            formatter.Read(body, ref existing);
            Assert.Same(same, existing);
            check(name, existing);
            Assert.Equal((name, Convert.ToHexString(formatter.Write(fresh))), (name, Convert.ToHexString(formatter.Write(existing))));
        }
    }
}

[MessageContract(Formats = Formats.Traversed)]
public sealed partial class EntriesAll
{
    public int A { get; set; }
    public int B { get; set; }
    public string? C { get; set; }
    public int D { get; set; }
}

[MessageContract(Formats = Formats.Traversed)]
public sealed partial class EntriesNew
{
    public int A { get; set; }
    public int B { get; set; }
    public string? C { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = Formats.Traversed)]
public sealed partial class EntriesOld
{
    public int B { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class NumbersAll
{
    [MessageMember(1)] public int A { get; set; }
    [MessageMember(2)] public string? B { get; set; }
    [MessageMember(3)] public int C { get; set; }
    [MessageMember(4)] public int E { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class NumbersNew
{
    [MessageMember(1)] public int A { get; set; }
    [MessageMember(2)] public string? B { get; set; }
    [MessageMember(3)] public int C { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class NumbersOld
{
    [MessageMember(1)] public int A { get; set; }
    [MessageMember(3)] public int C { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Keeps
{
    [MessageMember(1)] public int A { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class LaterOlder
{
    [MessageMember(1)] public int Id { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Later
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public int Count { get; set; } = 7;
    [MessageMember(3)] public string? Note { get; set; }
    [MessageMember(4)] public List<int> Numbers { get; set; } = [1];
    [MessageMember(5)] public string Name { get; set; } = "new";
    [MessageMember(6)] public Dictionary<string, int> Map { get; set; } = new() { ["a"] = 1 };
    [MessageMember(7)] public LaterInner Inner { get; set; } = new();

    internal static Later Full() =>
        new() { Id = 1, Count = 2, Note = "3", Numbers = [4, 5], Name = "6", Map = new() { ["a"] = 2, ["b"] = 3 }, Inner = new LaterInner { Value = 9 } };
}

public sealed class LaterInner
{
    [MessageMember(1)] public int Value { get; set; } = 1;
}

/// <summary>What a new object has is made by a callback.</summary>
[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class LaterCalled
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public int Count { get; set; } = 1;
    [MessageMember(3)] public string Name { get; set; } = "";

    internal static LaterCalled Full() => new() { Id = 1, Count = 2, Name = "3" };

    [OnDeserializing]
    internal void Start(StreamingContext context) => (Count, Name) = (9, "called");
}

[MessageContract(Formats = Every)]
public sealed partial class KeptAll
{
    internal const ContractFormats Every = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Protobuf | Formats.Traversed;

    [MessageMember(1)] public int A { get; set; }
    [MessageMember(2)] public string? B { get; set; }
    [MessageMember(3)] public int C { get; set; }
    [MessageMember(4)] public int E { get; set; }
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class KeptOld
{
    [MessageMember(1)] public int A { get; set; }
    [MessageMember(3)] public int C { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class KeptOuter
{
    [MessageMember(1)] public List<KeptOld> Inners { get; set; } = [];
}

[MessageUnion(1, typeof(Dot)), MessageUnion(2, typeof(Box))]
public abstract class NewFigure;

[MessageUnion(1, typeof(OldDot)), MessageUnion(typeof(OtherFigure))]
public abstract class OldFigure;

public sealed class Dot : NewFigure
{
    [MessageMember(1)] public int X { get; set; }
}

public sealed class OldDot : OldFigure
{
    [MessageMember(1)] public int X { get; set; }
}

public sealed class Box : NewFigure
{
    [MessageMember(1)] public int Width { get; set; }
    [MessageMember(2)] public int Height { get; set; }
}

public sealed class OtherFigure : OldFigure, IUnknownCase
{
    public int Tag { get; set; }
    public ReadOnlyMemory<byte> Body { get; set; }
    public int BodyType { get; set; }
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class NewFigures
{
    [MessageMember(1)] public List<NewFigure> Items { get; set; } = [];
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class OldFigures
{
    [MessageMember(1)] public List<OldFigure> Items { get; set; } = [];
}

using System;
using System.Buffers;
using System.Collections.Generic;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Contracts in the binary and the versioned format: some have one class for both, some have two, and each holds others of both kinds.</summary>
public class SharedWalkTests
{
    [Fact]
    public void Contracts_OfOneClassAndOfTwo_HoldEachOther()
    {
        var value = new OneClass
        {
            Id = 1,
            Grade = '€',
            At = new DateTimeOffset(2026, 11, 26, 3, 0, 0, TimeSpan.FromHours(2)),
            Others = [new() { Name = "a", Inner = new OneClass { Id = 2 } }, new() { Id = 3 }],
            Rest = new Keeper { Id = 4 },
        };
        Check(new BinaryBodyFormatter<OneClass>(OneClass.MessageContract), new BinaryBodyFormatter<OneClass>(ByReflection.Binary), value);
        Check(new VersionedFormatter<OneClass>(OneClass.MessageContract), Versioned<OneClass>(), value);
        Check(new BinaryBodyFormatter<TwoClasses>(TwoClasses.MessageContract), new BinaryBodyFormatter<TwoClasses>(ByReflection.Binary), value.Others[0]);
        Check(new VersionedFormatter<TwoClasses>(TwoClasses.MessageContract), Versioned<TwoClasses>(), value.Others[0]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Error_BehindTheSecondClass_HasItsPath(bool isVersioned)
    {
        var value = new OneClass { Others = [new(), new() { Inner = new OneClass { Others = null! } }] };
        MessageFormatter<OneClass> formatter = isVersioned ? new VersionedFormatter<OneClass>(OneClass.MessageContract) : new BinaryBodyFormatter<OneClass>(OneClass.MessageContract);
        var e = Assert.Throws<MessageFormatException>(() => formatter.Write(new ArrayBufferWriter<byte>(), value));
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, e.Code);
        Assert.Equal("OneClass.Others[1].Inner.Others", e.MemberPath);
    }

    private static VersionedFormatter<T> Versioned<T>() => new(ByReflection.Versioned);

    private static void Check<T>(MessageFormatter<T> formatter, MessageFormatter<T> reflection, T value)
        where T : class
    {
        byte[] body = Write(formatter, value);
        Assert.Equal(Convert.ToHexString(Write(reflection, value)), Convert.ToHexString(body));
        T again = formatter.Read(body);
        Assert.Equal(body, Write(formatter, again));
        formatter.Read(body, ref again!);
        Assert.Equal(body, Write(formatter, again));
        for (int length = 0; length < body.Length; length++)
        {
            var expected = Assert.Throws<MessageFormatException>(() => reflection.Read(body.AsSpan(0, length)));
            var e = Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, length)));
            Assert.Equal((expected.Code, expected.ByteOffset, expected.MemberPath), (e.Code, e.ByteOffset, e.MemberPath));
        }
    }

    private static byte[] Write<T>(MessageFormatter<T> formatter, T value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        formatter.Write(buffer, value);
        return buffer.WrittenSpan.ToArray();
    }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public partial class OneClass
{
    [MessageMember(1)]
    public int Id { get; set; }

    [MessageMember(2)]
    public char? Grade { get; set; }

    [MessageMember(3)]
    public DateTimeOffset At { get; set; }

    [MessageMember(5)]
    public List<TwoClasses> Others { get; set; } = [];

    [MessageMember(6)]
    public Keeper? Rest { get; set; }
}

/// <summary>Its numbers stand in another order than its members.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public partial class TwoClasses
{
    [MessageMember(7)]
    public string Name { get; set; } = "";

    [MessageMember(2)]
    public int Id { get; set; }

    [MessageMember(1)]
    public OneClass? Inner { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public partial class Keeper
{
    [MessageMember(1)]
    public int Id { get; set; }

    public UnknownMembers? Unknown { get; set; }
}

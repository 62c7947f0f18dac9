using System;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>
/// The formats of the one traversal reserve the bytes of a value by its type, whatever the format (<c>ScalarType.MaxTraversedByteCount</c>): into a writer that
/// gives as many bytes as it is asked for, and sees what is written behind them, the longest values are written as into any other.
/// </summary>
public sealed class ReservedByteTests
{
    [Theory]
    [MemberData(nameof(Longest))]
    public void LongestValues_StayWithinTheirBytes(string type, Action check)
    {
        Assert.NotNull(type);
        check();
    }

    public static TheoryData<string, Action> Longest => new()
    {
        { "bool", static () => Check(
            new LongestBoolean { Value = true, Optional = true }, LongestBoolean.MessagePackContract, LongestBoolean.CborContract, LongestBoolean.CompactContract) },
        { "byte", static () => Check(
            new LongestByte { Value = byte.MaxValue, Optional = byte.MaxValue }, LongestByte.MessagePackContract, LongestByte.CborContract, LongestByte.CompactContract) },
        { "sbyte", static () => Check(
            new LongestSByte { Value = sbyte.MinValue, Optional = sbyte.MinValue }, LongestSByte.MessagePackContract, LongestSByte.CborContract, LongestSByte.CompactContract) },
        { "short", static () => Check(
            new LongestInt16 { Value = short.MinValue, Optional = short.MinValue }, LongestInt16.MessagePackContract, LongestInt16.CborContract, LongestInt16.CompactContract) },
        { "ushort", static () => Check(
            new LongestUInt16 { Value = ushort.MaxValue, Optional = ushort.MaxValue }, LongestUInt16.MessagePackContract, LongestUInt16.CborContract, LongestUInt16.CompactContract) },
        { "char", static () => Check(
            new LongestChar { Value = '\uFFFD', Optional = '\uFFFD' }, LongestChar.MessagePackContract, LongestChar.CborContract, LongestChar.CompactContract) },
        { "int", static () => Check(
            new LongestInt32 { Value = int.MinValue, Optional = int.MinValue }, LongestInt32.MessagePackContract, LongestInt32.CborContract, LongestInt32.CompactContract) },
        { "uint", static () => Check(
            new LongestUInt32 { Value = uint.MaxValue, Optional = uint.MaxValue }, LongestUInt32.MessagePackContract, LongestUInt32.CborContract, LongestUInt32.CompactContract) },
        { "long", static () => Check(
            new LongestInt64 { Value = long.MinValue, Optional = long.MinValue }, LongestInt64.MessagePackContract, LongestInt64.CborContract, LongestInt64.CompactContract) },
        { "ulong", static () => Check(
            new LongestUInt64 { Value = ulong.MaxValue, Optional = ulong.MaxValue }, LongestUInt64.MessagePackContract, LongestUInt64.CborContract, LongestUInt64.CompactContract) },
        { "float", static () => Check(
            new LongestSingle { Value = float.MaxValue, Optional = float.MaxValue }, LongestSingle.MessagePackContract, LongestSingle.CborContract, LongestSingle.CompactContract) },
        { "double", static () => Check(
            new LongestDouble { Value = Math.PI, Optional = Math.PI }, LongestDouble.MessagePackContract, LongestDouble.CborContract, LongestDouble.CompactContract) },
        { "decimal", static () => Check(
            new LongestDecimal { Value = -0.9999999999999999999999999999m, Optional = -0.9999999999999999999999999999m }, LongestDecimal.MessagePackContract, LongestDecimal.CborContract, LongestDecimal.CompactContract) },
        { "DateTime", static () => Check(
            new LongestDateTime { Value = new DateTime(DateTime.MaxValue.Ticks - 1, DateTimeKind.Local), Optional = new DateTime(DateTime.MaxValue.Ticks - 1, DateTimeKind.Local) }, LongestDateTime.MessagePackContract, LongestDateTime.CborContract, LongestDateTime.CompactContract) },
        { "DateTimeOffset", static () => Check(
            new LongestDateTimeOffset { Value = new DateTimeOffset(DateTime.MaxValue.AddDays(-2).Ticks - 1, new TimeSpan(-13, -59, 0)), Optional = new DateTimeOffset(DateTime.MaxValue.AddDays(-2).Ticks - 1, new TimeSpan(-13, -59, 0)) }, LongestDateTimeOffset.MessagePackContract, LongestDateTimeOffset.CborContract, LongestDateTimeOffset.CompactContract) },
        { "TimeSpan", static () => Check(
            new LongestTimeSpan { Value = TimeSpan.MinValue, Optional = TimeSpan.MinValue }, LongestTimeSpan.MessagePackContract, LongestTimeSpan.CborContract, LongestTimeSpan.CompactContract) },
        { "Guid", static () => Check(
            new LongestGuid { Value = new Guid("ffffffff-ffff-ffff-ffff-ffffffffffff"), Optional = new Guid("ffffffff-ffff-ffff-ffff-ffffffffffff") }, LongestGuid.MessagePackContract, LongestGuid.CborContract, LongestGuid.CompactContract) },
#if !FORMATTERS_NETSTANDARD
        { "Half", static () => Check(
            new LongestHalf { Value = Half.MaxValue, Optional = Half.MaxValue }, LongestHalf.MessagePackContract, LongestHalf.CborContract, LongestHalf.CompactContract) },
        { "DateOnly", static () => Check(
            new LongestDateOnly { Value = DateOnly.MaxValue, Optional = DateOnly.MaxValue }, LongestDateOnly.MessagePackContract, LongestDateOnly.CborContract, LongestDateOnly.CompactContract) },
        { "TimeOnly", static () => Check(
            new LongestTimeOnly { Value = TimeOnly.MaxValue, Optional = TimeOnly.MaxValue }, LongestTimeOnly.MessagePackContract, LongestTimeOnly.CborContract, LongestTimeOnly.CompactContract) },
#endif
    };

    private static void Check<T>(T value, MessagePackContract<T> messagePack, CborContract<T> cbor, CompactContract<T> compact)
    {
        Check(new MessagePackFormatter<T>(messagePack), value);
        Check(new MessagePackFormatter<T>(messagePack, isCanonical: true), value);
        Check(new CborFormatter<T>(cbor), value);
        Check(new CompactFormatter<T>(compact), value);
        Check(new MessagePackFormatter<T>(options: ByReflection.MessagePack), value);
        Check(new CborFormatter<T>(options: ByReflection.Cbor), value);
        Check(new CompactFormatter<T>(options: ByReflection.Compact), value);
    }

    private static void Check<T>(MessageFormatter<T> formatter, T value)
    {
        byte[] expected = formatter.Write(value);
        for (int room = 0; room <= expected.Length; room++)
        {
            var destination = new FencedBufferWriter(room);
            formatter.Write(destination, value);
            Assert.Equal(expected, destination.ToArray());
        }
    }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestBoolean
{
    [MessageMember(1)] public bool Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public bool? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestByte
{
    [MessageMember(1)] public byte Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public byte? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestSByte
{
    [MessageMember(1)] public sbyte Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public sbyte? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestInt16
{
    [MessageMember(1)] public short Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public short? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestUInt16
{
    [MessageMember(1)] public ushort Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public ushort? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestChar
{
    [MessageMember(1)] public char Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public char? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestInt32
{
    [MessageMember(1)] public int Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public int? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestUInt32
{
    [MessageMember(1)] public uint Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public uint? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestInt64
{
    [MessageMember(1)] public long Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public long? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestUInt64
{
    [MessageMember(1)] public ulong Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public ulong? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestSingle
{
    [MessageMember(1)] public float Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public float? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestDouble
{
    [MessageMember(1)] public double Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public double? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestDecimal
{
    [MessageMember(1)] public decimal Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public decimal? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestDateTime
{
    [MessageMember(1)] public DateTime Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public DateTime? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestDateTimeOffset
{
    [MessageMember(1)] public DateTimeOffset Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public DateTimeOffset? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestTimeSpan
{
    [MessageMember(1)] public TimeSpan Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public TimeSpan? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestGuid
{
    [MessageMember(1)] public Guid Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public Guid? Optional { get; set; }
}

#if !FORMATTERS_NETSTANDARD
[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestHalf
{
    [MessageMember(1)] public Half Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public Half? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestDateOnly
{
    [MessageMember(1)] public DateOnly Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public DateOnly? Optional { get; set; }
}

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public sealed partial class LongestTimeOnly
{
    [MessageMember(1)] public TimeOnly Value { get; set; }

    [MessageMember(2)] public string Text { get; set; } = "text";

    [MessageMember(3)] public TimeOnly? Optional { get; set; }
}
#endif

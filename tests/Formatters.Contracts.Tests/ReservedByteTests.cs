using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>
/// The formats of the one traversal reserve the bytes of a value by its type, whatever the format (<c>ScalarType.MaxTraversedByteCount</c>): into a writer that
/// gives as many bytes as it is asked for, and sees what is written behind them, the longest values are written as into any other; and a body may be as large as
/// the limit, although more was reserved.
/// </summary>
public sealed class ReservedByteTests
{
    private const string Text = "\u00e9t\u00e9";

    public static TheoryData<object> Longest =>
    [
        true,
        byte.MaxValue,
        sbyte.MinValue,
        short.MinValue,
        ushort.MaxValue,
        '\uFFFD',
        int.MinValue,
        uint.MaxValue,
        long.MinValue,
        ulong.MaxValue,
        float.MaxValue,
        Math.PI,
        -0.9999999999999999999999999999m,
        new DateTime(DateTime.MaxValue.Ticks - 1, DateTimeKind.Local),
        new DateTimeOffset(DateTime.MaxValue.AddDays(-2).Ticks - 1, new TimeSpan(-13, -59, 0)),
        TimeSpan.MinValue,
        new Guid("ffffffff-ffff-ffff-ffff-ffffffffffff"),
#if !FORMATTERS_NETSTANDARD
        Half.MaxValue,
        DateOnly.MaxValue,
        TimeOnly.MaxValue,
        Int128.MinValue,
        UInt128.MaxValue,
#endif
    ];

    [Theory]
    [MemberData(nameof(Longest))]
    public void LongestValues_StayWithinTheirBytes(object longest) =>
        typeof(ReservedByteTests).GetMethod(nameof(CheckScalar), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(longest.GetType()).Invoke(null, [longest]);

    private static void CheckScalar<T>(T longest)
        where T : struct
    {
        Check(new Longest<T> { Value = longest, Next = longest, Text = Text, Optional = longest, Items = [longest, longest], Table = new() { [Text] = longest } });
        Check(new NamedLongest<T> { Value = longest, Text = Text, Optional = longest });
    }

    private static void Check<T>(T value)
    {
        Check(value, limits => new MessagePackFormatter<T>(Find<MessageContract<T>>(), new MessagePackOptions { Limits = limits }));
        Check(value, limits => new MessagePackFormatter<T>(Find<MessageContract<T>>(), new MessagePackOptions { Limits = limits, IsCanonical = true }));
        Check(value, limits => new CborFormatter<T>(Find<MessageContract<T>>(), new CborOptions { Limits = limits }));
        Check(value, limits => new CompactFormatter<T>(Find<MessageContract<T>>(), new CompactOptions { Limits = limits }));
        Check(value, limits => new MessagePackFormatter<T>(ByReflection.MessagePack with { Limits = limits }));
        Check(value, limits => new CborFormatter<T>(ByReflection.Cbor with { Limits = limits }));
        Check(value, limits => new CompactFormatter<T>(ByReflection.Compact with { Limits = limits }));
        Check(value, limits => new CustomFormatter<T, OwnFormat.Resp3>(Find<MessageContract<T>>(), new CustomFormatOptions { Limits = limits }));
        Check(value, limits => new CustomFormatter<T, OwnFormat.Resp3>(ByReflection.Custom with { Limits = limits }));
    }

    private static void Check<T>(T value, Func<FormatterLimits, MessageFormatter<T>> create)
    {
        byte[] expected = create(FormatterLimits.Default).Write(value);
        MessageFormatter<T> formatter = create(FormatterLimits.Default with { MaxBodyByteCount = expected.Length });
        for (int room = 0; room <= expected.Length; room++)
        {
            var destination = new FencedBufferWriter(room);
            formatter.Write(destination, value);
            Assert.Equal(expected, destination.ToArray());
        }

        MessageFormatter<T> smaller = create(FormatterLimits.Default with { MaxBodyByteCount = expected.Length - 1 });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => smaller.Write(new FencedBufferWriter(0), value)).Code);
    }

    private static TContract Find<TContract>() => (TContract)typeof(LongestContracts)
        .GetProperties(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic).Single(static p => p.PropertyType == typeof(TContract)).GetValue(null)!;
}

/// <summary>With numbers: an array, with members that are missing.</summary>
public sealed class Longest<T>
    where T : struct
{
    [MessageMember(1)] public T Value { get; set; }

    [MessageMember(2)] public T Next { get; set; }

    [MessageMember(3)] public string Text { get; set; } = "";

    [MessageMember(6)] public T? Optional { get; set; }

    [MessageMember(7)] public List<T> Items { get; set; } = [];

    [MessageMember(8)] public Dictionary<string, T> Table { get; set; } = [];
}

/// <summary>Without numbers: a map.</summary>
public sealed class NamedLongest<T>
    where T : struct
{
    public T Value { get; set; }

    public string Text { get; set; } = "";

    public T? Optional { get; set; }
}

[MessageContractFor(typeof(Longest<bool>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<bool>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<byte>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<byte>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<sbyte>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<sbyte>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<short>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<short>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<ushort>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<ushort>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<char>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<char>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<int>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<int>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<uint>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<uint>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<long>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<long>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<ulong>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<ulong>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<float>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<float>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<double>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<double>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<decimal>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<decimal>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<DateTime>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<DateTime>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<DateTimeOffset>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<DateTimeOffset>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<TimeSpan>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<TimeSpan>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<Guid>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<Guid>), Formats = Formats.Traversed)]
#if !FORMATTERS_NETSTANDARD
[MessageContractFor(typeof(Longest<Half>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<Half>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<DateOnly>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<DateOnly>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<TimeOnly>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<TimeOnly>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<Int128>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<Int128>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(Longest<UInt128>), Formats = Formats.Traversed)]
[MessageContractFor(typeof(NamedLongest<UInt128>), Formats = Formats.Traversed)]
#endif
internal static partial class LongestContracts;

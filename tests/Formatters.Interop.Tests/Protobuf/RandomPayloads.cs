using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Tests.Support;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>Random values of <see cref="Everything"/>: most members at their default, boundaries more often than chance has them.</summary>
/// <param name="random">Where they come from.</param>
/// <param name="sparseness">One of so many members has another value than its default.</param>
internal sealed class RandomPayloads(Random random, int sparseness = 4)
{
    public Everything Next() => new()
    {
        Bool = Maybe(static () => true),
        Int32 = Maybe(Int32),
        Int64 = Maybe(Int64),
        UInt32 = Maybe(() => (uint)Int32()),
        UInt64 = Maybe(() => (ulong)Int64()),
        SInt32 = Maybe(Int32),
        SInt64 = Maybe(Int64),
        Fixed32 = Maybe(() => (uint)Int32()),
        Fixed64 = Maybe(() => (ulong)Int64()),
        SFixed32 = Maybe(Int32),
        SFixed64 = Maybe(Int64),
        Float = Maybe(() => BitConverter.Int32BitsToSingle(Int32() & int.MaxValue)),
        Double = Maybe(PositiveZero),
        String = Maybe(Text, ""),
        Bytes = Maybe(Bytes, []),
        Color = Maybe(Color),
        Time = MaybeNull(Time),
        Duration = MaybeNull(() => new TimeSpan(Int64())),
        Child = Maybe(() => Child(3), null),
        Shape = Maybe(Shape, null),
        Outline = Maybe(Shape, null),
        OptionalInt32 = MaybeNull(Int32),
        OptionalBool = MaybeNull(() => random.Next(2) == 0),
        OptionalString = Maybe(Text, null),
        OptionalBytes = Maybe(Bytes, null),
        OptionalDouble = MaybeNull(Double),
        OptionalColor = MaybeNull(Color),
        Int32s = Maybe(() => List(Int32), []),
        SInt64s = Maybe(() => List(Int64).ToArray(), []),
        Fixed32s = Maybe(() => List(() => (uint)Int32()), []),
        Doubles = Maybe(() => List(Double).ToArray(), []),
        Bools = Maybe(() => List(() => random.Next(2) == 0), []),
        Strings = Maybe(() => List(Text), []),
        ByteArrays = Maybe(() => List(Bytes), []),
        Colors = Maybe(() => List(Color), []),
        Children = Maybe(() => List(() => Child(2)).ToArray(), []),
        Times = Maybe(() => List(Time), []),
        UInt64s = new Queue<ulong>(Maybe(() => List(() => (ulong)Int64()), [])),
        Unpacked = Maybe(() => List(Int32), []),
        UnpackedFixed = Maybe(() => List(() => (ulong)Int64()).ToArray(), []),
        Counts = Maybe(() => List(Text).Distinct().ToDictionary(static key => key, _ => Int32()), []),
        Names = Maybe(() => List(Int32).Distinct().ToDictionary(static key => key, _ => Text()), []),
        Nodes = Maybe(() => List(() => random.Next(2) == 0).Distinct().ToDictionary(static key => key, _ => Child(1)), []),
        Numbers = new SortedDictionary<long, double>(Maybe(() => List(Int64).Distinct().ToDictionary(static key => key, _ => PositiveZero()), [])),
        Far = Maybe(Text, ""),
    };

    private T? MaybeNull<T>(Func<T> next)
        where T : struct => random.Next(sparseness) == 0 ? next() : null;

    private T Maybe<T>(Func<T> next, T otherwise) => random.Next(sparseness) == 0 ? next() : otherwise;

    private T Maybe<T>(Func<T> next)
        where T : struct => Maybe(next, default);

    private List<T> List<T>(Func<T> next) => Enumerable.Range(0, random.Next(random.Next(8) == 0 ? 200 : 5)).Select(_ => next()).ToList();

    private int Int32() => random.Next(5) switch
    {
        0 => random.Next(-2, 3),
        1 => (1 << random.Next(32)) - random.Next(2),
        2 => random.Next(256),
        3 => -random.Next(70_000),
        _ => random.Next(int.MinValue, int.MaxValue),
    };

    private long Int64() => random.Next(4) switch
    {
        0 => Int32(),
        1 => (1L << random.Next(64)) - random.Next(2),
        2 => random.NextInt64(),
        _ => random.NextInt64(long.MinValue, long.MaxValue),
    };

    private double Double() => random.Next(4) switch
    {
        0 => random.Next(100) / 4.0,
        1 => -0.0,
        2 => double.NaN,
        _ => BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)),
    };

    // protobuf.dev/programming-guides/proto3/#default: -0 is no default, and we write it. Google.Protobuf 3.25.1 for C# does not, where it has no presence.
    private double PositiveZero() => Double() + 0.0;

    private string Text() => RandomText.Next(random, random.Next(random.Next(10) == 0 ? 300 : 12), validOnly: true);

    private byte[] Bytes()
    {
        byte[] bytes = new byte[random.Next(random.Next(10) == 0 ? 300 : 6)];
        random.NextBytes(bytes);
        return bytes;
    }

    private Color Color() => (Color)(random.Next(3) == 0 ? Int32() : random.Next(3));

    private DateTime Time() => random.Next(4) switch
    {
        0 => DateTime.UnixEpoch,
        1 => DateTime.MinValue,
        2 => DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc),
        _ => new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc),
    };

    private Child Child(int depth) => new()
    {
        Id = Maybe(Int32),
        Name = Maybe(Text, ""),
        Next = depth > 0 ? Maybe(() => Child(depth - 1), null) : null,
        Children = depth > 0 ? Maybe(() => List(() => Child(depth - 2)), []) : [],
        Weight = MaybeNull(Double),
    };

    private Shape Shape() => random.Next(2) == 0 ? new Circle { Radius = PositiveZero(), Label = Maybe(Text, null) } : new Square { Side = Maybe(Int32) };
}

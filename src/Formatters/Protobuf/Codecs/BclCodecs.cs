// https://github.com/protobuf-net/protobuf-net/blob/main/src/Tools/bcl.proto
using System;
using System.Collections.Generic;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>
/// The codecs of protobuf-net's <c>bcl.proto</c> messages, as protobuf-net writes them at its compatibility level 200, without the kind of a date.
/// </summary>
internal static class BclCodecs
{
    internal static readonly Dictionary<Type, object> All = new()
    {
        [typeof(DateTime)] = new ProtobufMessage<DateTime>(new BclDateTimeCodec()),
        [typeof(TimeSpan)] = new ProtobufMessage<TimeSpan>(new BclTimeSpanCodec()),
        [typeof(Guid)] = new ProtobufMessage<Guid>(new BclGuidCodec()),
        [typeof(decimal)] = new ProtobufMessage<decimal>(new BclDecimalCodec()),
    };
}

/// <summary>A duration as a count of the largest unit of time that divides it.</summary>
internal readonly struct BclTime
{
    private const uint ValueTag = 0x08;
    private const uint ScaleTag = 0x10;
    private const uint KindTag = 0x18;
    private const int Ticks = 5;
    private const int MinMax = 15;

    // Days, hours, minutes, seconds, milliseconds, ticks.
    private static readonly long[] TicksPerUnit =
        [TimeSpan.TicksPerDay, TimeSpan.TicksPerHour, TimeSpan.TicksPerMinute, TimeSpan.TicksPerSecond, TimeSpan.TicksPerMillisecond, 1];

    private readonly long _value;
    private readonly int _scale;

    private BclTime(long value, int scale, DateTimeKind kind = DateTimeKind.Unspecified)
    {
        _value = value;
        _scale = scale;
        Kind = kind;
    }

    internal DateTimeKind Kind { get; }

    internal static BclTime OfTicks(long ticks, long min, long max)
    {
        if (ticks == max || ticks == min)
            return new BclTime(ticks == max ? 1 : -1, MinMax);
        int scale = 0;
        while (ticks % TicksPerUnit[scale] != 0)
            scale++;
        return new BclTime(ticks / TicksPerUnit[scale], scale);
    }

    internal void Write(ref ProtobufBodyWriter writer)
    {
        if (_value != 0)
        {
            writer.WriteTag(ValueTag);
            writer.WriteSInt64(_value);
        }

        if (_scale != 0)
        {
            writer.WriteTag(ScaleTag);
            writer.WriteInt32(_scale);
        }
    }

    internal static BclTime Read(ref ProtobufBodyReader reader)
    {
        long value = 0;
        int scale = 0;
        int kind = 0;
        for (uint tag; (tag = reader.ReadTag()) != 0;)
        {
            if (tag == ValueTag)
                value = reader.ReadSInt64();
            else if (tag == ScaleTag)
                scale = reader.ReadInt32();
            else if (tag == KindTag)
                kind = reader.ReadInt32();
            else
                reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
        }

        if (scale is (< 0 or > Ticks) and not MinMax || kind is < 0 or > 2)
            ThrowHelper.ThrowBadValue(reader.ByteOffset, "bcl.TimeSpan");
        return new BclTime(value, scale, (DateTimeKind)kind);
    }

    /// <returns>Whether it is in the range.</returns>
    internal bool TryGetTicks(long min, long max, out long ticks)
    {
        ticks = 0;
        if (_scale == MinMax)
        {
            ticks = _value == 1 ? max : min;
            return _value is 1 or -1;
        }

        long unit = TicksPerUnit[_scale];
        if (_value < min / unit || _value > max / unit)
            return false;
        ticks = _value * unit;
        return true;
    }
}

internal sealed class BclDateTimeCodec : ProtobufCodec<DateTime>
{
    private static readonly long Min = DateTime.MinValue.Ticks - Timestamps.UnixEpochTicks;
    private static readonly long Max = DateTime.MaxValue.Ticks - Timestamps.UnixEpochTicks;

    public override string SchemaType => "bcl.DateTime";

    public override void Write(ref ProtobufBodyWriter writer, DateTime value) =>
        BclTime.OfTicks(value.Ticks - Timestamps.UnixEpochTicks, Min, Max).Write(ref writer);

    public override DateTime Read(ref ProtobufBodyReader reader, DateTime existing = default, bool merges = false)
    {
        BclTime time = BclTime.Read(ref reader);
        if (!time.TryGetTicks(Min, Max, out long ticks))
            ThrowHelper.ThrowBadValue(reader.ByteOffset, nameof(DateTime));
        return new DateTime(ticks + Timestamps.UnixEpochTicks, time.Kind);
    }
}

internal sealed class BclTimeSpanCodec : ProtobufCodec<TimeSpan>
{
    public override string SchemaType => "bcl.TimeSpan";

    public override void Write(ref ProtobufBodyWriter writer, TimeSpan value) =>
        BclTime.OfTicks(value.Ticks, long.MinValue, long.MaxValue).Write(ref writer);

    public override TimeSpan Read(ref ProtobufBodyReader reader, TimeSpan existing = default, bool merges = false)
    {
        if (!BclTime.Read(ref reader).TryGetTicks(long.MinValue, long.MaxValue, out long ticks))
            ThrowHelper.ThrowBadValue(reader.ByteOffset, nameof(TimeSpan));
        return new TimeSpan(ticks);
    }
}

internal sealed class BclGuidCodec : ProtobufCodec<Guid>
{
    private const uint LowTag = 0x09;
    private const uint HighTag = 0x11;

    public override string SchemaType => "bcl.Guid";

    public override void Write(ref ProtobufBodyWriter writer, Guid value)
    {
        if (value == Guid.Empty)
            return;
        byte[] bytes = value.ToByteArray();
        writer.WriteTag(LowTag);
        writer.WriteSFixed64(LittleEndian.ReadInt64(ref bytes[0]));
        writer.WriteTag(HighTag);
        writer.WriteSFixed64(LittleEndian.ReadInt64(ref bytes[8]));
    }

    public override Guid Read(ref ProtobufBodyReader reader, Guid existing = default, bool merges = false)
    {
        byte[] bytes = merges ? existing.ToByteArray() : new byte[16];
        for (uint tag; (tag = reader.ReadTag()) != 0;)
        {
            if (tag is LowTag or HighTag)
                LittleEndian.Write(ref bytes[tag == LowTag ? 0 : 8], reader.ReadSFixed64());
            else
                reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
        }

        return new Guid(bytes);
    }
}

internal sealed class BclDecimalCodec : ProtobufCodec<decimal>
{
    private const uint LowTag = 0x08;
    private const uint HighTag = 0x10;
    private const uint SignScaleTag = 0x18;
    private const int MaxScale = 28;

    public override string SchemaType => "bcl.Decimal";

    public override void Write(ref ProtobufBodyWriter writer, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        Decimals.GetBits(value, bits);
        ulong low = (uint)bits[0] | ((ulong)(uint)bits[1] << 32);
        uint signScale = (((uint)bits[3] >> 15) & 0x1FE) | ((uint)bits[3] >> 31);
        if (low != 0)
        {
            writer.WriteTag(LowTag);
            writer.WriteUInt64(low);
        }

        if (bits[2] != 0)
        {
            writer.WriteTag(HighTag);
            writer.WriteUInt32((uint)bits[2]);
        }

        if (signScale != 0)
        {
            writer.WriteTag(SignScaleTag);
            writer.WriteUInt32(signScale);
        }
    }

    public override decimal Read(ref ProtobufBodyReader reader, decimal existing = default, bool merges = false)
    {
        ulong low = 0;
        uint high = 0;
        uint signScale = 0;
        for (uint tag; (tag = reader.ReadTag()) != 0;)
        {
            if (tag == LowTag)
                low = reader.ReadUInt64();
            else if (tag == HighTag)
                high = reader.ReadUInt32();
            else if (tag == SignScaleTag)
                signScale = reader.ReadUInt32();
            else
                reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
        }

        if (signScale >> 1 > MaxScale)
            ThrowHelper.ThrowBadValue(reader.ByteOffset, nameof(Decimal));
        return new decimal((int)low, (int)(low >> 32), (int)high, (signScale & 1) != 0, (byte)(signScale >> 1));
    }
}

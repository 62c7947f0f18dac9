using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>A date outside of a member: its ticks, then its 64 bits. .NET Framework 1.x wrote the ticks alone.</summary>
internal sealed class LegacyDateTimeContract(LegacyType type) : LegacyBagContract(type)
{
    internal override object Make(object?[] bag, int byteOffset)
    {
        long bits = bag[1] is ulong data ? (long)data : Require<long>(bag, 0, byteOffset);
        if (!NrbfValues.TryGetDateTime(bits, out DateTime value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTime));
        return value;
    }

    protected override void Fill(object?[] bag, object value)
    {
        var date = (DateTime)value;
        bag[0] = date.Ticks;
        bag[1] = (ulong)NrbfValues.GetBits(date);
    }
}

/// <summary>A decimal outside of a member: its four 32-bit words.</summary>
internal sealed class LegacyDecimalContract(LegacyType type) : LegacyBagContract(type)
{
    internal override object Make(object?[] bag, int byteOffset)
    {
        int flags = Require<int>(bag, 0, byteOffset);
        if ((flags & 0x7F00_FFFF) != 0 || (byte)(flags >> 16) > 28)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
        return new decimal(
            Require<int>(bag, 2, byteOffset), Require<int>(bag, 3, byteOffset), Require<int>(bag, 1, byteOffset), flags < 0, (byte)(flags >> 16));
    }

    protected override void Fill(object?[] bag, object value)
    {
        int[] bits = decimal.GetBits((decimal)value);
        bag[0] = bits[3];
        bag[1] = bits[2];
        bag[2] = bits[0];
        bag[3] = bits[1];
    }
}

/// <summary>A date with an offset: the UTC date, its kind unspecified, and the minutes.</summary>
internal sealed class LegacyDateTimeOffsetContract(LegacyType type) : LegacyBagContract(type)
{
    internal override object Make(object?[] bag, int byteOffset)
    {
        long utcTicks = Require<DateTime>(bag, 0, byteOffset).Ticks;
        short minutes = Require<short>(bag, 1, byteOffset);
        long ticks = utcTicks + (minutes * TimeSpan.TicksPerMinute);
        if (minutes is < -840 or > 840 || (ulong)ticks > (ulong)DateTime.MaxValue.Ticks)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        return new DateTimeOffset(ticks, TimeSpan.FromTicks(minutes * TimeSpan.TicksPerMinute));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var date = (DateTimeOffset)value;
        bag[0] = new DateTime(date.UtcTicks);
        bag[1] = (short)(date.Offset.Ticks / TimeSpan.TicksPerMinute);
    }
}

/// <summary>DBNull: a record of a class that holds such values, of which this is number 2.</summary>
internal sealed class LegacyDBNullContract(LegacyType type) : LegacyBagContract(type)
{
    internal const string RecordName = "System.UnitySerializationHolder";

    private const int UnityType = 2;

    internal override object Make(object?[] bag, int byteOffset)
    {
        if (Require<int>(bag, 1, byteOffset) != UnityType)
            NrbfThrow.TypeNotAllowed(byteOffset);
        return DBNull.Value;
    }

    protected override void Fill(object?[] bag, object value)
    {
        bag[1] = UnityType;
        bag[2] = string.Empty;
    }
}

/// <summary>The default comparer of keys: a class without members, which has five names.</summary>
internal sealed class LegacyDefaultComparerContract<TKey>(LegacyType type) : LegacyClassContract(type)
{
    /// <summary>That of enums does, although it has no members to write.</summary>
    internal override bool WritesItself => typeof(TKey).IsEnum;

    internal override object Begin() => EqualityComparer<TKey>.Default;
}

/// <summary>StringComparer.Ordinal and OrdinalIgnoreCase.</summary>
internal sealed class LegacyOrdinalComparerContract(LegacyType type) : LegacyBagContract(type)
{
    internal const string RecordName = "System.OrdinalComparer";

    /// <summary>On .NET Framework it is a plain class.</summary>
    internal override bool WritesItself => false;

    internal override object Make(object?[] bag, int byteOffset) =>
        Require<bool>(bag, 0, byteOffset) ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    protected override void Fill(object?[] bag, object value) => bag[0] = ((StringComparer)value).Equals("a", "A");
}

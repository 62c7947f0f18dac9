using System;

namespace Formatters;

/// <summary>The contract of a date outside a member: its ticks, then its 64 bits. .NET Framework 1.x wrote only the ticks.</summary>
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

/// <summary>The contract of a decimal outside a member: its four 32-bit words.</summary>
internal sealed class LegacyDecimalContract(LegacyType type) : LegacyBagContract(type)
{
    /// <summary>Gets false: it does on .NET, but not on .NET Framework.</summary>
    internal override bool WritesItself => false;

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

/// <summary>The contract of a date with an offset: the UTC date of unspecified kind, and the minutes.</summary>
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

/// <summary>The contract of DBNull: a record of a class that holds such values, of which this is number 2.</summary>
internal sealed class LegacyDBNullContract(LegacyType type) : LegacyBagContract(type)
{
    internal const string RecordName = "System.UnitySerializationHolder";

    private const int UnityType = 2;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types)
    {
        types.AddName(RecordName, null, type);
        return WithMembers(
            new LegacyDBNullContract(type) { EncodedName = LegacyName.Encode(RecordName) },
            ("Data", types.Get(typeof(string))), ("UnityType", types.Get(typeof(int))), ("AssemblyName", types.Get(typeof(string))));
    }

    /// <remarks>The class also holds types, which are not read: their placeholder is an error only where one is needed.</remarks>
    internal override object End(object target, LegacyMember[] members, int byteOffset) =>
        Require<int>((object?[])target, 1, byteOffset) == UnityType ? DBNull.Value : new LegacyPlaceholder { TypeName = RecordName };

    internal override object Make(object?[] bag, int byteOffset) => throw new NotSupportedException();

    protected override void Fill(object?[] bag, object value)
    {
        bag[1] = UnityType;
        bag[2] = string.Empty;
    }
}

/// <summary>The contract of a version: four numbers, of which the last two may be missing.</summary>
internal sealed class LegacyVersionContract(LegacyType type) : LegacyBagContract(type)
{
    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types) => WithMembers(
        new LegacyVersionContract(type),
        ("_Major", types.Get(typeof(int))), ("_Minor", types.Get(typeof(int))), ("_Build", types.Get(typeof(int))),
            ("_Revision", types.Get(typeof(int))));

    /// <summary>Gets false, because it is a plain class.</summary>
    internal override bool WritesItself => false;

    internal override object Make(object?[] bag, int byteOffset)
    {
        int major = Require<int>(bag, 0, byteOffset);
        int minor = Require<int>(bag, 1, byteOffset);
        int build = Require<int>(bag, 2, byteOffset);
        int revision = Require<int>(bag, 3, byteOffset);
        if (major < 0 || minor < 0 || build < -1 || revision < -1 || (build < 0 && revision >= 0))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Version));
        return build < 0 ? new Version(major, minor) : revision < 0 ? new Version(major, minor, build) : new Version(major, minor, build, revision);
    }

    protected override void Fill(object?[] bag, object value)
    {
        var version = (Version)value;
        bag[0] = version.Major;
        bag[1] = version.Minor;
        bag[2] = version.Build;
        bag[3] = version.Revision;
    }
}

/// <summary>The contract of a URI: absolute; or an empty string and a relative one.</summary>
internal sealed class LegacyUriContract(LegacyType type) : LegacyBagContract(type)
{
    private LegacyMember[]? _absoluteMembers;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types) => WithMembers(
        new LegacyUriContract(type), ("AbsoluteUri", types.Get(typeof(string))), ("RelativeUri", types.Get(typeof(string))));

    /// <summary>Gets true, because its string may come after it.</summary>
    internal override bool IsMadeLate => true;

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        object bag = base.GetMembers(value, map, out members);
        if (((object?[])bag)[1] is null)
            members = _absoluteMembers ??= [Members[0]];
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset)
    {
        bool isAbsolute = bag[0] is string { Length: > 0 };
        if (!Uri.TryCreate(Require<string>(bag, isAbsolute ? 0 : 1, byteOffset), isAbsolute ? UriKind.Absolute : UriKind.Relative, out Uri? uri))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Uri));
        return uri;
    }

    protected override void Fill(object?[] bag, object value)
    {
        var uri = (Uri)value;
        string text = uri.GetComponents(UriComponents.SerializationInfoString, UriFormat.UriEscaped);
        bag[0] = uri.IsAbsoluteUri ? text : "";
        bag[1] = uri.IsAbsoluteUri ? null : text;
    }
}

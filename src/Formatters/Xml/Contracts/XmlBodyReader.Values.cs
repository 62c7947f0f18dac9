// XML Schema Part 2, Datatypes: https://www.w3.org/TR/xmlschema-2/; what is accepted is what XmlConvert accepts.
using System;
using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Xml;

namespace Formatters.Generated;

// The forms that XmlConvert writes are parsed here, all others by XmlConvert itself.
public ref partial struct XmlBodyReader
{
    private static readonly double[] s_powersOf10 =
        [1, 1E1, 1E2, 1E3, 1E4, 1E5, 1E6, 1E7, 1E8, 1E9, 1E10, 1E11, 1E12, 1E13, 1E14, 1E15, 1E16, 1E17, 1E18, 1E19, 1E20, 1E21, 1E22];

    private delegate T Conversion<T>(string text);

    /// <summary>Determines whether the text equals a string.</summary>
    /// <param name="text">The text, as UTF-8.</param>
    /// <returns><see langword="true"/> if it is.</returns>
    public readonly bool Is(ReadOnlySpan<byte> text) => _text.SequenceEqual(text);

    /// <summary>Returns the text as a string.</summary>
    /// <returns>The value.</returns>
    public string ToText() => GetString(_text);

    /// <summary>Throws for a string that is not a value of an enum.</summary>
    /// <typeparam name="T">The enum.</typeparam>
    /// <returns>Never, unless the reader has failed.</returns>
    public readonly T ThrowUnknownEnum<T>()
    {
        if (!HasFailed)
            ThrowHelper.ThrowBadValue(ByteOffset, TypeNames.Of(typeof(T)));
        return default!;
    }

    /// <summary>Converts the text, the names of an enum with <c>[Flags]</c> separated by white space, to a number.</summary>
    /// <typeparam name="T">The enum.</typeparam>
    /// <param name="names">Its names.</param>
    /// <param name="values">Their values.</param>
    /// <returns>The values of the names, or-ed.</returns>
    public long ToFlags<T>(string[] names, long[] values)
    {
        long value = 0;
        foreach (string name in GetString(_text).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
        {
            int index = Array.IndexOf(names, name);
            if (index < 0)
                ThrowHelper.ThrowBadValue(ByteOffset, TypeNames.Of(typeof(T)));
            value |= values[index];
        }

        return value;
    }

    /// <summary>Converts the text to a value.</summary>
    /// <typeparam name="T">A number, a boolean, a character as the number of its UTF-16 code unit, a date, a duration or a GUID.</typeparam>
    /// <returns>The value.</returns>
    /// <exception cref="NotSupportedException"><typeparamref name="T"/> is another type.</exception>
    public T To<T>()
        where T : struct
    {
        if (typeof(T) == typeof(int))
            return As<int, T>(ToInt32());
        if (typeof(T) == typeof(long))
            return As<long, T>(ToInt64());
        if (typeof(T) == typeof(double))
            return As<double, T>(ToDouble());
        if (typeof(T) == typeof(bool))
            return As<bool, T>(ToBoolean());
        if (typeof(T) == typeof(decimal))
            return As<decimal, T>(ToDecimal());
        if (typeof(T) == typeof(DateTime))
            return As<DateTime, T>(ToDateTime());
        if (typeof(T) == typeof(Guid))
            return As<Guid, T>(ToGuid());
        if (typeof(T) == typeof(float))
            return As<float, T>(ToSingle());
        if (typeof(T) == typeof(ulong))
            return As<ulong, T>(ToUInt64());
        if (typeof(T) == typeof(short))
            return As<short, T>(ToInt16());
        if (typeof(T) == typeof(ushort))
            return As<ushort, T>(ToUInt16());
        if (typeof(T) == typeof(uint))
            return As<uint, T>(ToUInt32());
        if (typeof(T) == typeof(byte))
            return As<byte, T>(ToByte());
        if (typeof(T) == typeof(sbyte))
            return As<sbyte, T>(ToSByte());
        if (typeof(T) == typeof(char))
            return As<char, T>(ToChar());
        if (typeof(T) == typeof(TimeSpan))
            return As<TimeSpan, T>(ToTimeSpan());
        if (typeof(T) == typeof(DateTimeOffset))
            return As<DateTimeOffset, T>(ToDateTimeOffset());
        throw new NotSupportedException(typeof(T) + " is not a scalar type.");
    }

    private bool ToBoolean() => _text.SequenceEqual("true"u8) || (!_text.SequenceEqual("false"u8) && Convert(XmlConvert.ToBoolean));

    private sbyte ToSByte() => TryToInteger(out long value) && value is >= sbyte.MinValue and <= sbyte.MaxValue
        ? (sbyte)value
        : Convert(XmlConvert.ToSByte);

    private byte ToByte() => TryToInteger(out long value) && value is >= byte.MinValue and <= byte.MaxValue
        ? (byte)value
        : Convert(XmlConvert.ToByte);

    private short ToInt16() => TryToInteger(out long value) && value is >= short.MinValue and <= short.MaxValue
        ? (short)value
        : Convert(XmlConvert.ToInt16);

    private ushort ToUInt16() => TryToInteger(out long value) && value is >= ushort.MinValue and <= ushort.MaxValue
        ? (ushort)value
        : Convert(XmlConvert.ToUInt16);

    private int ToInt32() => TryToInteger(out long value) && value is >= int.MinValue and <= int.MaxValue ? (int)value : Convert(XmlConvert.ToInt32);

    private uint ToUInt32() => TryToInteger(out long value) && value is >= uint.MinValue and <= uint.MaxValue
        ? (uint)value
        : Convert(XmlConvert.ToUInt32);

    private long ToInt64() => TryToInteger(out long value) ? value : Convert(XmlConvert.ToInt64);

    private ulong ToUInt64() => TryToInteger(out long value) && value >= 0 ? (ulong)value : Convert(XmlConvert.ToUInt64);

    private char ToChar() => (char)ToUInt16();

    private double ToDouble()
    {
        if (TryToDecimals(out long digits, out int decimals))
            return digits / s_powersOf10[decimals];
#if NET
        if (TryToNumber(_text) && double.TryParse(_text, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) && value != 0)
            return value;
#endif
        return Convert(XmlConvert.ToDouble);
    }

    private float ToSingle()
    {
#if NET
        if (TryToNumber(_text) && float.TryParse(_text, NumberStyles.Float, CultureInfo.InvariantCulture, out float value) && value != 0)
            return value;
#endif
        return Convert(XmlConvert.ToSingle);
    }

    private decimal ToDecimal()
    {
#if NET
        if (TryToNumber(_text) && decimal.TryParse(_text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture, out decimal value))
            return value;
#endif
        return Convert(XmlConvert.ToDecimal);
    }

    private DateTime ToDateTime() =>
        TryToDateTime(_text, out DateTime value)
        ? value
        : Convert(static text => XmlConvert.ToDateTime(text, XmlDateTimeSerializationMode.RoundtripKind));

    private DateTimeOffset ToDateTimeOffset() => Convert(XmlConvert.ToDateTimeOffset);

    private TimeSpan ToTimeSpan() => Convert(XmlConvert.ToTimeSpan);

    private Guid ToGuid() =>
        GuidText.TryParse(_text, out Guid value) ? value : Convert(XmlConvert.ToGuid);

    /// <summary>Decodes the text from base64.</summary>
    /// <param name="isAttribute">Whether it is an attribute, which XmlSerializer decodes more strictly.</param>
    /// <returns>The bytes.</returns>
    public byte[] ToBytes(bool isAttribute)
    {
        byte[] bytes = new byte[Base64.GetMaxDecodedFromUtf8Length(_text.Length)];
        if (_text.Length % 4 == 0 && Base64.DecodeFromUtf8(_text, bytes, out int read, out int byteCount) == OperationStatus.Done
            && read == _text.Length)
        {
            Array.Resize(ref bytes, byteCount);
            return bytes;
        }

        return (isAttribute ? Convert(System.Convert.FromBase64String) : Convert(CanonicalXml.DecodeBase64)) ?? [];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TTo As<TFrom, TTo>(TFrom value) => Unsafe.As<TFrom, TTo>(ref value);

    /// <summary>Parses a string in a form that formatters do not write.</summary>
    private T Convert<T>(Conversion<T> convert)
    {
        string text = GetString(_text);
        if (HasFailed)
            return default!;
        try
        {
            return convert(text);
        }
        catch (Exception e) when (e is FormatException or OverflowException or ArgumentException or XmlException)
        {
            // Without the inner exception, whose message repeats the text.
            ThrowHelper.ThrowBadValue(ByteOffset, TypeNames.Of(typeof(T)));
            return default!;
        }
    }

    /// <summary>Parses up to 18 digits and a sign.</summary>
    private readonly bool TryToInteger(out long value)
    {
        ReadOnlySpan<byte> text = _text;
        value = 0;
        int i = text.Length > 0 && text[0] == '-' ? 1 : 0;
        if (text.Length == i || text.Length - i > 18)
            return false;
        long sign = i == 0 ? 1 : -1;
        for (; i < text.Length; i++)
        {
            uint digit = (uint)text[i] - '0';
            if (digit > 9)
                return false;
            value = (value * 10) + digit;
        }

        value *= sign;
        return true;
    }

    /// <summary>
    /// Parses up to 15 digits, optionally with decimals: a quotient of two numbers that double represents exactly, so that it is rounded once.
    /// </summary>
    private readonly bool TryToDecimals(out long digits, out int decimals)
    {
        ReadOnlySpan<byte> text = _text;
        digits = 0;
        decimals = 0;
        int i = text.Length > 0 && text[0] == '-' ? 1 : 0;
        if (text.Length == i || text.Length - i > 16)
            return false;
        long sign = i == 0 ? 1 : -1;
        int count = 0;
        int point = -1;
        for (; i < text.Length; i++)
        {
            uint digit = (uint)text[i] - '0';
            if (digit <= 9)
            {
                digits = (digits * 10) + digit;
                count++;
            }
            else if (text[i] == '.' && point < 0)
            {
                point = count;
            }
            else
            {
                return false;
            }
        }

        decimals = point < 0 ? 0 : count - point;
        digits *= sign;
        return count is > 0 and <= 15 && (digits != 0 || sign > 0); // -0 differs from 0
    }

    /// <summary>Determines whether a string has only digits, signs, a point and an exponent: no white space, no infinity.</summary>
    private static bool TryToNumber(ReadOnlySpan<byte> text)
    {
        foreach (byte b in text)
        {
            if (b is not (>= (byte)'0' and <= (byte)'9' or (byte)'.' or (byte)'-' or (byte)'+' or (byte)'E' or (byte)'e'))
                return false;
        }

        return !text.IsEmpty;
    }

    /// <summary>Parses <c>yyyy-MM-ddTHH:mm:ss</c>, up to 7 decimals, and optionally <c>Z</c>.</summary>
    private static bool TryToDateTime(ReadOnlySpan<byte> text, out DateTime value)
    {
        value = default;
        if (text.Length is < 19 or > 28 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':')
            return false;
        int year = (Digits(text, 0) * 100) + Digits(text, 2);
        int month = Digits(text, 5);
        int day = Digits(text, 8);
        int hour = Digits(text, 11);
        int minute = Digits(text, 14);
        int second = Digits(text, 17);
        if (Digits(text, 0) < 0 || Digits(text, 2) < 0 || year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)
            || (uint)hour > 23 || (uint)minute > 59 || (uint)second > 59)
            return false;
        bool isUtc = text[text.Length - 1] == 'Z';
        ReadOnlySpan<byte> decimals = text.Slice(19, text.Length - 19 - (isUtc ? 1 : 0));
        long ticks = 0;
        if (!decimals.IsEmpty)
        {
            if (decimals[0] != '.' || decimals.Length is < 2 or > 8)
                return false;
            for (int i = 1; i < 8; i++)
            {
                uint digit = i < decimals.Length ? (uint)decimals[i] - '0' : 0;
                if (digit > 9)
                    return false;
                ticks = (ticks * 10) + digit;
            }
        }

        value = new DateTime(new DateTime(year, month, day, hour, minute, second).Ticks + ticks, isUtc ? DateTimeKind.Utc : DateTimeKind.Unspecified);
        return true;
    }

    private static int Digits(ReadOnlySpan<byte> text, int index)
    {
        uint high = (uint)text[index] - '0';
        uint low = (uint)text[index + 1] - '0';
        return high <= 9 && low <= 9 ? (int)((high * 10) + low) : -1;
    }
}

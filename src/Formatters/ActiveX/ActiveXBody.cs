// The table of ActiveXMessageFormatter: https://learn.microsoft.com/dotnet/api/system.messaging.activexmessageformatter.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.ActiveX;

/// <summary>ActiveX bodies over spans: one value, without length, terminator or type; the body type beside it is the VARTYPE
/// (<see cref="VarTypes"/>).</summary>
/// <remarks>
/// The methods that write say in <c>bytesWritten</c> how many bytes the body has, also when the destination is too small; then they write
/// nothing and return <see langword="false"/>. The methods that read take a whole body and return <see langword="false"/> if its length or
/// content is not that of the value. All numbers are little endian.
/// </remarks>
public static partial class ActiveXBody
{
    /// <summary>The maximum ticks of a <see cref="DateTime"/>: every OLE date of interest has a larger bit pattern, or a negative one.</summary>
    private const long MaxTicks = 0x2BCA_2875_F437_3FFF;

    /// <summary>Writes an <see cref="short"/> body (<c>VT_I2</c>, vartype 2).</summary>
    /// <param name="destination">Receives the body: 2 bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">2, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteInt16(Span<byte> destination, short value, out int bytesWritten)
    {
        bytesWritten = 2;
        if (destination.Length < 2)
            return false;
        LittleEndian.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes a <see cref="ushort"/> body (<c>VT_UI2</c>, vartype 18); also that of a <see cref="char"/>.</summary>
    /// <inheritdoc cref="TryWriteInt16"/>
    public static bool TryWriteUInt16(Span<byte> destination, ushort value, out int bytesWritten) =>
        TryWriteInt16(destination, (short)value, out bytesWritten);

    /// <summary>Writes an <see cref="int"/> body (<c>VT_I4</c>, vartype 3).</summary>
    /// <param name="destination">Receives the body: 4 bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">4, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteInt32(Span<byte> destination, int value, out int bytesWritten)
    {
        bytesWritten = 4;
        if (destination.Length < 4)
            return false;
        LittleEndian.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes a <see cref="uint"/> body (<c>VT_UI4</c>, vartype 19).</summary>
    /// <inheritdoc cref="TryWriteInt32"/>
    public static bool TryWriteUInt32(Span<byte> destination, uint value, out int bytesWritten) =>
        TryWriteInt32(destination, (int)value, out bytesWritten);

    /// <summary>Writes a <see cref="float"/> body (<c>VT_R4</c>, vartype 4): IEEE 754 binary32.</summary>
    /// <inheritdoc cref="TryWriteInt32"/>
    public static bool TryWriteSingle(Span<byte> destination, float value, out int bytesWritten) =>
        TryWriteInt32(destination, Unsafe.As<float, int>(ref value), out bytesWritten);

    /// <summary>Writes a <see cref="long"/> body (<c>VT_I8</c>, vartype 20).</summary>
    /// <param name="destination">Receives the body: 8 bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">8, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteInt64(Span<byte> destination, long value, out int bytesWritten)
    {
        bytesWritten = 8;
        if (destination.Length < 8)
            return false;
        LittleEndian.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes a <see cref="ulong"/> body (<c>VT_UI8</c>, vartype 21).</summary>
    /// <inheritdoc cref="TryWriteInt64"/>
    public static bool TryWriteUInt64(Span<byte> destination, ulong value, out int bytesWritten) =>
        TryWriteInt64(destination, (long)value, out bytesWritten);

    /// <summary>Writes a <see cref="double"/> body (<c>VT_R8</c>, vartype 5): IEEE 754 binary64.</summary>
    /// <inheritdoc cref="TryWriteInt64"/>
    public static bool TryWriteDouble(Span<byte> destination, double value, out int bytesWritten) =>
        TryWriteInt64(destination, BitConverter.DoubleToInt64Bits(value), out bytesWritten);

    /// <summary>Writes a <see cref="byte"/> body (<c>VT_UI1</c>, vartype 17).</summary>
    /// <param name="destination">Receives the body: 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">1, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteByte(Span<byte> destination, byte value, out int bytesWritten)
    {
        bytesWritten = 1;
        if (destination.IsEmpty)
            return false;
        destination[0] = value;
        return true;
    }

    /// <summary>Writes a <see cref="bool"/> body (<c>VT_BOOL</c>, vartype 11) as <c>ActiveXMessageFormatter</c> does: one byte, FF or 00.</summary>
    /// <inheritdoc cref="TryWriteByte"/>
    /// <remarks>Sources disagree: the Message Queuing reference has a VARIANT_BOOL of two bytes, which COM senders write; .NET writes one. Both are
    /// read.</remarks>
    public static bool TryWriteBoolean(Span<byte> destination, bool value, out int bytesWritten) =>
        TryWriteByte(destination, value ? (byte)0xFF : (byte)0, out bytesWritten);

    /// <summary>Writes a <see cref="decimal"/> as a currency body (<c>VT_CY</c>, vartype 6).</summary>
    /// <param name="destination">Receives the body: 8 bytes, a signed little-endian 64-bit integer, the value multiplied by 10,000.</param>
    /// <param name="value">The amount, from -922,337,203,685,477.5808 to 922,337,203,685,477.5807.</param>
    /// <param name="bytesWritten">8, also when <paramref name="destination"/> is too small: the number of bytes required.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> has fewer than 8 bytes; nothing is written then.</returns>
    /// <exception cref="OverflowException"><paramref name="value"/> is outside the range above.</exception>
    /// <remarks>
    /// Lossy: digits beyond the fourth decimal are rounded half to even (1.23445 becomes 1.2344), and scale is not kept (1.2300 reads back as 1.23).
    /// Source: Message Queuing, "PROPID_M_BODY_TYPE"; Windows "CY union"; <c>ActiveXMessageFormatter</c> writes the same bytes for a decimal.
    /// </remarks>
    public static bool TryWriteCurrency(Span<byte> destination, decimal value, out int bytesWritten) =>
        TryWriteInt64(destination, decimal.ToOACurrency(value), out bytesWritten);

    /// <summary>Writes a <see cref="DateTime"/> body (<c>VT_DATE</c>, vartype 7) as <c>ActiveXMessageFormatter</c> does: the ticks.</summary>
    /// <param name="destination">Receives the body: 8 bytes, the 100 ns ticks since 0001-01-01.</param>
    /// <param name="value">The date; its kind is not kept.</param>
    /// <param name="bytesWritten">8, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> has fewer than 8 bytes; nothing is written then.</returns>
    /// <remarks>Not an OLE date: a COM receiver cannot read it. Sources disagree here, and the .NET sender is the one followed.</remarks>
    public static bool TryWriteDate(Span<byte> destination, DateTime value, out int bytesWritten) =>
        TryWriteInt64(destination, value.Ticks, out bytesWritten);

    /// <summary>Writes a <see cref="Guid"/> body (<c>VT_CLSID</c>, vartype 72).</summary>
    /// <param name="destination">Receives the body: 16 bytes, the first three fields little endian, as <see cref="Guid.ToByteArray()"/>.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">16, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> has fewer than 16 bytes; nothing is written then.</returns>
    /// <remarks><c>ActiveXMessageFormatter</c> reads it but refuses to write a Guid; WCF's MSMQ integration writes these bytes.</remarks>
    public static bool TryWriteGuid(Span<byte> destination, Guid value, out int bytesWritten)
    {
        bytesWritten = 16;
#if NET
        return value.TryWriteBytes(destination);
#else
        return value.ToByteArray().AsSpan().TryCopyTo(destination);
#endif
    }

    /// <summary>Reads an <see cref="short"/> body: 2 bytes.</summary>
    /// <param name="body">The whole body.</param>
    /// <param name="value">The value, or the default.</param>
    /// <returns><see langword="false"/> if the length is different.</returns>
    public static bool TryReadInt16(ReadOnlySpan<byte> body, out short value)
    {
        bool ok = body.Length == 2;
        value = ok ? LittleEndian.ReadInt16(ref MemoryMarshal.GetReference(body)) : default;
        return ok;
    }

    /// <summary>Reads a <see cref="ushort"/> body: 2 bytes.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadUInt16(ReadOnlySpan<byte> body, out ushort value)
    {
        bool ok = TryReadInt16(body, out short bits);
        value = (ushort)bits;
        return ok;
    }

    /// <summary>Reads an <see cref="int"/> body: 4 bytes.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadInt32(ReadOnlySpan<byte> body, out int value)
    {
        bool ok = body.Length == 4;
        value = ok ? LittleEndian.ReadInt32(ref MemoryMarshal.GetReference(body)) : default;
        return ok;
    }

    /// <summary>Reads a <see cref="uint"/> body: 4 bytes.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadUInt32(ReadOnlySpan<byte> body, out uint value)
    {
        bool ok = TryReadInt32(body, out int bits);
        value = (uint)bits;
        return ok;
    }

    /// <summary>Reads a <see cref="float"/> body: 4 bytes, IEEE 754 binary32.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadSingle(ReadOnlySpan<byte> body, out float value)
    {
        bool ok = TryReadInt32(body, out int bits);
        value = Unsafe.As<int, float>(ref bits);
        return ok;
    }

    /// <summary>Reads a <see cref="long"/> body: 8 bytes.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadInt64(ReadOnlySpan<byte> body, out long value)
    {
        bool ok = body.Length == 8;
        value = ok ? LittleEndian.ReadInt64(ref MemoryMarshal.GetReference(body)) : default;
        return ok;
    }

    /// <summary>Reads a <see cref="ulong"/> body: 8 bytes.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadUInt64(ReadOnlySpan<byte> body, out ulong value)
    {
        bool ok = TryReadInt64(body, out long bits);
        value = (ulong)bits;
        return ok;
    }

    /// <summary>Reads a <see cref="double"/> body: 8 bytes, IEEE 754 binary64.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadDouble(ReadOnlySpan<byte> body, out double value)
    {
        bool ok = TryReadInt64(body, out long bits);
        value = BitConverter.Int64BitsToDouble(bits);
        return ok;
    }

    /// <summary>Reads a <see cref="byte"/> body: 1 byte.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadByte(ReadOnlySpan<byte> body, out byte value)
    {
        bool ok = body.Length == 1;
        value = ok ? body[0] : default;
        return ok;
    }

    /// <summary>Reads a <see cref="bool"/> body: 1 byte of a .NET sender, or the 2 bytes of a COM sender; anything but zero is true.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadBoolean(ReadOnlySpan<byte> body, out bool value)
    {
        bool ok = body.Length is 1 or 2;
        value = ok && (body[0] | body[body.Length - 1]) != 0;
        return ok;
    }

    /// <summary>Reads a currency body: 8 bytes, a 64-bit integer of the amount times 10,000.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadCurrency(ReadOnlySpan<byte> body, out decimal value)
    {
        bool ok = TryReadInt64(body, out long units);
        value = decimal.FromOACurrency(units);
        return ok;
    }

    /// <summary>Reads a date body: 8 bytes, the ticks of a .NET sender or the OLE date of a COM sender.</summary>
    /// <param name="body">The whole body.</param>
    /// <param name="value">The date, of kind <see cref="DateTimeKind.Unspecified"/>, or the default. An OLE date is exact to the millisecond.</param>
    /// <returns><see langword="false"/> if the length is different, or the bits are neither ticks nor an OLE date from the year 100 to
    /// 9999.</returns>
    /// <remarks>
    /// The two do not overlap: ticks are 0 to 0x2BCA2875F4373FFF, which as a double is below 1e-97, and only the very first date of the OLE calendar
    /// is that close to zero. Eight zero bytes are read as ticks, 0001-01-01, as <c>ActiveXMessageFormatter</c> does; from a COM sender they would
    /// mean 1899-12-30 00:00.
    /// </remarks>
    public static bool TryReadDate(ReadOnlySpan<byte> body, out DateTime value)
    {
        value = default;
        if (!TryReadInt64(body, out long bits))
            return false;
        if (bits is >= 0 and <= MaxTicks)
        {
            value = new DateTime(bits);
            return true;
        }

        // The range of DateTime.FromOADate, both ends excluded; NaN is outside.
        double days = BitConverter.Int64BitsToDouble(bits);
        if (!(days is > -657435.0 and < 2958466.0))
            return false;
        try
        {
            value = DateTime.FromOADate(days);
            return true;
        }
        catch (ArgumentException)
        {
            // Less than a millisecond from the end of the range: rounding leaves it.
            return false;
        }
    }

    /// <summary>Reads a <see cref="Guid"/> body: 16 bytes.</summary>
    /// <inheritdoc cref="TryReadInt16"/>
    public static bool TryReadGuid(ReadOnlySpan<byte> body, out Guid value)
    {
        bool ok = body.Length == 16;
#if NET
        value = ok ? new Guid(body) : default;
#else
        value = ok ? new Guid(body.ToArray()) : default;
#endif
        return ok;
    }
}

using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text;
using Formatters.ActiveX;

namespace Formatters;

/// <summary>The mapping of a .NET type to ActiveX bodies: the vartype it is written with, those it is read from, and the conversion.</summary>
internal abstract class ActiveXContract(int varType, int[] alsoReads)
{
    private static readonly ActiveXContract<string> Text = new(
        VarTypes.LPWStr, static (Span<byte> d, string v, out int n) => ActiveXBody.TryWriteString(d, v.AsSpan(), out n), ReadText, VarTypes.BStr,
            VarTypes.LPStr);

    private static readonly ActiveXContract<byte[]> Bytes = new(
        VarTypes.ByteVector,
        static (Span<byte> d, byte[] v, out int n) => ActiveXBody.TryWriteBytes(d, v, out n),
        static (b, _, _) => b.ToArray(),
        VarTypes.ByteArray,
        VarTypes.Empty);

    private static readonly ActiveXContract<ushort> UInt16 = new(VarTypes.UInt16, ActiveXBody.TryWriteUInt16, static (b, _, _) =>
        ActiveXBody.TryReadUInt16(b, out ushort v) ? v : ThrowByteCount<ushort>(b, 2));

    private static readonly Dictionary<Type, ActiveXContract> ByType = new()
    {
        [typeof(short)] = new ActiveXContract<short>(VarTypes.Int16, ActiveXBody.TryWriteInt16, static (b, _, _) =>
            ActiveXBody.TryReadInt16(b, out short v) ? v : ThrowByteCount<short>(b, 2)),
        [typeof(ushort)] = UInt16,
        [typeof(char)] = new ActiveXContract<char>(
            VarTypes.UInt16,
            static (Span<byte> d, char v, out int n) => ActiveXBody.TryWriteUInt16(d, v, out n),
            static (b, t, e) => (char)UInt16.Read(b, t, e)),
        [typeof(int)] = new ActiveXContract<int>(VarTypes.Int32, ActiveXBody.TryWriteInt32, static (b, _, _) =>
            ActiveXBody.TryReadInt32(b, out int v) ? v : ThrowByteCount<int>(b, 4)),
        [typeof(uint)] = new ActiveXContract<uint>(VarTypes.UInt32, ActiveXBody.TryWriteUInt32, static (b, _, _) =>
            ActiveXBody.TryReadUInt32(b, out uint v) ? v : ThrowByteCount<uint>(b, 4)),
        [typeof(long)] = new ActiveXContract<long>(VarTypes.Int64, ActiveXBody.TryWriteInt64, static (b, _, _) =>
            ActiveXBody.TryReadInt64(b, out long v) ? v : ThrowByteCount<long>(b, 8)),
        [typeof(ulong)] = new ActiveXContract<ulong>(VarTypes.UInt64, ActiveXBody.TryWriteUInt64, static (b, _, _) =>
            ActiveXBody.TryReadUInt64(b, out ulong v) ? v : ThrowByteCount<ulong>(b, 8)),

        // VT_I1 reads as a Byte, not an SByte: so does ActiveXMessageFormatter.
        [typeof(byte)] = new ActiveXContract<byte>(
            VarTypes.Byte,
            ActiveXBody.TryWriteByte,
            static (b, _, _) => ActiveXBody.TryReadByte(b, out byte v) ? v : ThrowByteCount<byte>(b, 1),
            VarTypes.SByte),
        [typeof(float)] = new ActiveXContract<float>(VarTypes.Single, ActiveXBody.TryWriteSingle, static (b, _, _) =>
            ActiveXBody.TryReadSingle(b, out float v) ? v : ThrowByteCount<float>(b, 4)),
        [typeof(double)] = new ActiveXContract<double>(VarTypes.Double, ActiveXBody.TryWriteDouble, static (b, _, _) =>
            ActiveXBody.TryReadDouble(b, out double v) ? v : ThrowByteCount<double>(b, 8)),
        [typeof(bool)] = new ActiveXContract<bool>(VarTypes.Boolean, ActiveXBody.TryWriteBoolean, static (b, _, _) =>
            ActiveXBody.TryReadBoolean(b, out bool v) ? v : ThrowByteCount<bool>(b, b.IsEmpty ? 1 : 2)),
        [typeof(decimal)] = new ActiveXContract<decimal>(VarTypes.Currency, WriteCurrency, static (b, _, _) =>
            ActiveXBody.TryReadCurrency(b, out decimal v) ? v : ThrowByteCount<decimal>(b, 8)),
        [typeof(DateTime)] = new ActiveXContract<DateTime>(VarTypes.Date, ActiveXBody.TryWriteDate, static (b, _, _) =>
            ActiveXBody.TryReadDate(b, out DateTime v) ? v : ThrowByteCount<DateTime>(b, 8)),
        [typeof(Guid)] = new ActiveXContract<Guid>(VarTypes.Clsid, ActiveXBody.TryWriteGuid, static (b, _, _) =>
            ActiveXBody.TryReadGuid(b, out Guid v) ? v : ThrowByteCount<Guid>(b, 16)),
        [typeof(string)] = Text,
        [typeof(char[])] = new ActiveXContract<char[]>(
            VarTypes.LPWStr,
            static (Span<byte> d, char[] v, out int n) => ActiveXBody.TryWriteString(d, v, out n),
            static (b, t, e) => ReadText(b, t, e).ToCharArray(),
            VarTypes.BStr,
            VarTypes.LPStr),
        [typeof(byte[])] = Bytes,
    };

    private static readonly Dictionary<int, ActiveXContract> ByVarType = MakeByVarType();

    internal int VarType { get; } = varType;

    internal static ActiveXContract? ForType(Type type) => ByType.TryGetValue(type, out ActiveXContract? found) ? found : null;

    internal static ActiveXContract? ForVarType(int varType) => ByVarType.TryGetValue(varType, out ActiveXContract? found) ? found : null;

    internal bool Reads(int varType) => varType == VarType || Array.IndexOf(alsoReads, varType) >= 0;

    internal abstract object ReadObject(ReadOnlySpan<byte> body, int varType, Encoding? codePage);

    internal abstract void WriteObject(IBufferWriter<byte> destination, object value, FormatterLimits limits);

    private static Dictionary<int, ActiveXContract> MakeByVarType()
    {
        var map = new Dictionary<int, ActiveXContract>();
        foreach (KeyValuePair<Type, ActiveXContract> entry in ByType)
            if (entry.Key != typeof(char) && entry.Key != typeof(char[]))
                map.Add(entry.Value.VarType, entry.Value);
        map.Add(VarTypes.SByte, map[VarTypes.Byte]);
        map.Add(VarTypes.BStr, Text);
        map.Add(VarTypes.LPStr, Text);
        map.Add(VarTypes.ByteArray, Bytes);
        map.Add(VarTypes.Empty, Bytes);
        return map;
    }

    private static string ReadText(ReadOnlySpan<byte> body, int varType, Encoding? codePage)
    {
        if (varType == VarTypes.LPStr)
            return ReadCodePageText(body, codePage);
        if (ActiveXBody.TryReadString(body, out string? text))
            return text;
        if ((body.Length & 1) != 0)
            ThrowHelper.ThrowBadLength(body.Length - 1, "UTF-16 text must have an even number of bytes.");
        ThrowBadText(body);
        return "";
    }

    private static string ReadCodePageText(ReadOnlySpan<byte> body, Encoding? codePage)
    {
        byte[] bytes = body.ToArray();
        if (codePage is null)
        {
            int index = Array.FindIndex(bytes, static b => b >= 0x80);
            if (index >= 0)
            {
                throw new MessageFormatException(
                    MessageFormatErrorCode.BadText,
                    "The text (VT_LPSTR) is not ASCII, and the body does not say which code page it is in: give the formatter the sender's.",
                    index);
            }

            codePage = Encoding.ASCII;
        }

        try
        {
            return codePage.GetString(bytes);
        }
        catch (DecoderFallbackException e)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadText, "The text (VT_LPSTR) is not valid in the given code page.", Math.Max(-1, e.Index));
        }
    }

    private static void ThrowBadText(ReadOnlySpan<byte> body)
    {
        int index = ActiveXBody.IndexOfUnpairedSurrogate(System.Runtime.InteropServices.MemoryMarshal.Cast<byte, char>(body), 0);
        throw new MessageFormatException(MessageFormatErrorCode.BadText, "The string is not valid UTF-16.", 2L * index, isPoison: true);
    }

    private static bool WriteCurrency(Span<byte> destination, decimal value, out int bytesWritten)
    {
        try
        {
            return ActiveXBody.TryWriteCurrency(destination, value, out bytesWritten);
        }
        catch (OverflowException e)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue,
                "The decimal is outside the range of currency (VT_CY), +/-922,337,203,685,477.5807.",
                innerException: e);
        }
    }

    /// <summary>Throws for an invalid body: because of its length if that is wrong, otherwise because of its content.</summary>
    private static T ThrowByteCount<T>(ReadOnlySpan<byte> body, int byteCount)
    {
        if (body.Length < byteCount)
            ThrowHelper.ThrowTruncated(body.Length, byteCount - body.Length);
        if (body.Length > byteCount)
            ThrowHelper.ThrowTrailingBytes(byteCount, body.Length - byteCount);
        ThrowHelper.ThrowBadValue(0, typeof(T).Name);
        return default;
    }
}

internal delegate bool ActiveXTryWrite<in T>(Span<byte> destination, T value, out int bytesWritten);

internal delegate T ActiveXRead<out T>(ReadOnlySpan<byte> body, int varType, Encoding? codePage);

/// <inheritdoc/>
internal sealed class ActiveXContract<T>(int varType, ActiveXTryWrite<T> tryWrite, ActiveXRead<T> read, params int[] alsoReads)
    : ActiveXContract(varType, alsoReads)
{
    internal int GetByteCount(T value)
    {
        tryWrite(default, value, out int byteCount);
        return byteCount;
    }

    internal T Read(ReadOnlySpan<byte> body, int varType, Encoding? codePage) => read(body, varType, codePage);

    internal void Write(IBufferWriter<byte> destination, T value, FormatterLimits limits)
    {
        int byteCount = GetByteCount(value);
        if (byteCount > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, limits.MaxBodyByteCount);
        if (limits.RefuseInvalidText && VarType == VarTypes.LPWStr)
            CheckText(value);
        if (byteCount == 0)
            return;
        tryWrite(destination.GetSpan(byteCount), value, out int bytesWritten);
        destination.Advance(bytesWritten);
    }

    internal override object ReadObject(ReadOnlySpan<byte> body, int varType, Encoding? codePage) => read(body, varType, codePage)!;

    internal override void WriteObject(IBufferWriter<byte> destination, object value, FormatterLimits limits) =>
        Write(destination, (T)value, limits);

    private static void CheckText(T value)
    {
        ReadOnlySpan<char> text = value is string s ? s.AsSpan() : (char[])(object)value!;
        if (ActiveXBody.IndexOfUnpairedSurrogate(text, 0) >= 0)
            ThrowHelper.ThrowInvalidText();
    }
}

using System;
using System.IO;

namespace Formatters;

/// <summary>
/// The <see cref="BinaryWriter"/> for a classic <c>Save</c>: writes directly to memory, without a stream call per member, and is reused by the
/// thread.
/// </summary>
internal sealed class MemoryBinaryWriter : BinaryWriter
{
    /// <summary>The largest array that is kept after use, so that one huge body does not stay with the thread.</summary>
    private const int MaxKeptByteCount = 1024 * 1024;

    [ThreadStatic]
    private static MemoryBinaryWriter? t_cached;

    private bool _refuseInvalidText;

    private MemoryBinaryWriter(MemoryBodyStream stream)
        : base(stream) => Stream = stream;

    internal MemoryBodyStream Stream { get; }

    internal static MemoryBinaryWriter Rent(FormatterLimits limits)
    {
        MemoryBinaryWriter writer = t_cached ?? new MemoryBinaryWriter(new MemoryBodyStream(isWritable: true));
        t_cached = null;
        writer._refuseInvalidText = limits.RefuseInvalidText;
        return writer;
    }

    internal void Return()
    {
        Stream.Reset(MaxKeptByteCount);
        t_cached = this;
    }

    /// <summary>Does nothing, because the called code does not own the writer.</summary>
#pragma warning disable CA2215 // the base class would close the stream, or refuse further use
    protected override void Dispose(bool disposing)
    {
    }
#pragma warning restore CA2215

    public override void Write(bool value) => Stream.Reserve(1) = value ? (byte)1 : (byte)0;

    public override void Write(byte value) => Stream.Reserve(1) = value;

    public override void Write(sbyte value) => Stream.Reserve(1) = (byte)value;

    public override void Write(short value) => LittleEndian.Write(ref Stream.Reserve(2), value);

    public override void Write(ushort value) => LittleEndian.Write(ref Stream.Reserve(2), (short)value);

    public override void Write(int value) => LittleEndian.Write(ref Stream.Reserve(4), value);

    public override void Write(uint value) => LittleEndian.Write(ref Stream.Reserve(4), (int)value);

    public override void Write(long value) => LittleEndian.Write(ref Stream.Reserve(8), value);

    public override void Write(ulong value) => LittleEndian.Write(ref Stream.Reserve(8), (long)value);

    public override void Write(float value) => LittleEndian.Write(ref Stream.Reserve(4), value);

    public override void Write(double value) => LittleEndian.Write(ref Stream.Reserve(8), value);

    public override void Write(string value)
    {
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        if (_refuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        if (value.Length <= 1024 && Stream.IsAtEnd)
        {
            int room = 5 + (3 * value.Length);
            ref byte destination = ref Stream.Reserve(room);
            int byteCount = Utf8Text.WritePrefixed(ref destination, value);
            Stream.GiveBack(room - byteCount);
            return;
        }

        int exactByteCount = Utf8Text.GetByteCount(value);
        SevenBitInt.Write(ref Stream.Reserve(SevenBitInt.GetByteCount((uint)exactByteCount)), (uint)exactByteCount);
        Utf8Text.WriteExact(ref Stream.Reserve(exactByteCount), value, exactByteCount);
    }
}

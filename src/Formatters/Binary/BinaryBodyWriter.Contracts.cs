// The writer's side of Formatters.Generated.ContractCode: generated code holds the position itself, in a register, and hands it on from call to call.
// Measured (Order with 50 items, write): 0.10 of BinaryWriter with the position passed and returned, 0.15 with the position in the writer.
using System.Runtime.CompilerServices;
#if !NET
using System.Runtime.InteropServices;
#endif

namespace Formatters;

public ref partial struct BinaryBodyWriter
{
    /// <summary>Where the next byte goes.</summary>
    internal ref byte Begin() => ref Reserve(0);

    /// <summary>Takes the position back.</summary>
    internal void End(ref byte position)
    {
#if NET
        _position = ref Unsafe.AddByteOffset(ref _position, Unsafe.ByteOffset(ref _position, ref position));
#else
        _span = _span.Slice((int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position));
#endif
    }

    /// <summary>The number of bytes that can be written at a position of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RoomAt(ref byte position)
    {
#if NET
        return (int)Unsafe.ByteOffset(ref position, ref _end);
#else
        return _span.Length - (int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position);
#endif
    }

    /// <summary>Makes room behind a position; returns where that is now.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte GrowAt(ref byte position, int byteCount)
    {
        End(ref position);
        return ref Reserve(byteCount);
    }

    /// <summary>Writes a text of any kind, and makes room behind it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte WriteTextAt(ref byte position, string value, int roomBehind)
    {
        if (RoomAt(ref position) - 5L - roomBehind >= 3L * value.Length)
        {
            if (_limits.RefuseInvalidText && !Utf8Text.IsValid(value))
                ThrowHelper.ThrowInvalidText();
            return ref Unsafe.Add(ref position, Utf8Text.WritePrefixed(ref position, value));
        }

        End(ref position);
        WriteText(value);
        return ref Reserve(roomBehind);
    }
}

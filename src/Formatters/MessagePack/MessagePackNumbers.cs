#if NET
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Formatters;

/// <summary>
/// Writes and reads many numbers at once: floats, each a code and its bytes in reverse order, by shuffles of vectors; integers in loops without
/// calls.
/// </summary>
/// <remarks>Rows "float[65536]", "double[1000]" and "List&lt;int&gt;" of messagepack in models.</remarks>
internal static class MessagePackNumbers
{
    /// <summary>For each sign and number of bits, how an <see cref="int"/> is written: see <see cref="CreateForms"/>.</summary>
    private static readonly uint[] Forms = CreateForms();

    /// <summary>Writes the first numbers, for which the bytes are reserved.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="numbers">The numbers.</param>
    /// <param name="count">Receives how many were written.</param>
    /// <returns>The position after them.</returns>
    internal static ref byte Write<T>(ref byte position, scoped ReadOnlySpan<T> numbers, out int count)
        where T : unmanaged
    {
        if (typeof(T) == typeof(int))
        {
            count = numbers.Length;
            return ref Write(ref position, MemoryMarshal.Cast<T, int>(numbers));
        }

        count = typeof(T) == typeof(long) ? 0 : WriteFloats(ref position, numbers);
        return ref Unsafe.Add(ref position, count * (Unsafe.SizeOf<T>() + 1));
    }

    /// <summary>Writes integers without a branch: a code, and the number over it if it needs none.</summary>
    private static ref byte Write(ref byte position, scoped ReadOnlySpan<int> numbers)
    {
        ref uint forms = ref MemoryMarshal.GetArrayDataReference(Forms);
        foreach (int number in numbers)
        {
            int sign = number >> 31;
            uint form = Unsafe.Add(ref forms, (32 - BitOperations.LeadingZeroCount((uint)(number ^ sign))) | (sign & 32));
            position = (byte)form;
            BigEndian.Write(ref Unsafe.Add(ref position, (nint)((form >> 16) & 1)), (uint)number << (int)(form >> 8));
            position = ref Unsafe.Add(ref position, (nint)(form >> 24));
        }

        return ref position;
    }

    /// <summary>Creates the forms: the code, the bits that are not written, whether the code is written, and the number of bytes.</summary>
    private static uint[] CreateForms()
    {
        uint[] forms = new uint[64];
        Span<byte> bytes = stackalloc byte[MessagePackBytes.MaxIntegerByteCount];
        for (int i = 0; i < forms.Length; i++)
        {
            long magnitude = (1L << (i & 31)) - 1;
            int byteCount = MessagePackBytes.Write(ref bytes[0], i < 32 ? magnitude : ~magnitude);
            int contentByteCount = Math.Max(byteCount - 1, 1);
            forms[i] = bytes[0] | (uint)(32 - (8 * contentByteCount)) << 8 | (uint)(byteCount - contentByteCount) << 16 | (uint)byteCount << 24;
        }

        return forms;
    }

    private static int WriteFloats<T>(ref byte position, ReadOnlySpan<T> numbers)
        where T : unmanaged
    {
        int i = 0;
        ref byte source = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(numbers));
        int size = Unsafe.SizeOf<T>();
        // A vector is loaded and stored as a whole; what is beyond its last complete element is written again by the next one.
        if (Avx512Vbmi.IsSupported)
        {
            int perVector = Vector512<byte>.Count / (size + 1);
            for (; numbers.Length - i >= Vector512<byte>.Count / size; i += perVector)
            {
                Vector512<byte> bytes = Vector512.LoadUnsafe(ref source, (nuint)(i * size));
                bytes = Avx512Vbmi.PermuteVar64x8(bytes, Shuffles<T>.OfWriting);
                Vector512.ConditionalSelect(Shuffles<T>.IsCode, Shuffles<T>.Codes, bytes).StoreUnsafe(ref position, (nuint)(i * (size + 1)));
            }
        }
        else if (typeof(T) == typeof(float) && Vector128.IsHardwareAccelerated && BitConverter.IsLittleEndian)
        {
            Vector128<byte> codes = Vector128.Create(MessagePackCode.Float32, 0, 0, 0, 0, MessagePackCode.Float32, 0, 0, 0, 0,
                MessagePackCode.Float32, 0, 0, 0, 0, MessagePackCode.Float32);
            for (; numbers.Length - i >= 4; i += 3)
            {
                Vector128<byte> bytes = Vector128.LoadUnsafe(ref source, (nuint)(i * sizeof(float)));
                bytes = Vectors.Shuffle(bytes, Vector128.Create((byte)255, 3, 2, 1, 0, 255, 7, 6, 5, 4, 255, 11, 10, 9, 8, 255));
                (bytes | codes).StoreUnsafe(ref position, (nuint)(i * (sizeof(float) + 1)));
            }
        }

        return i;
    }

    /// <summary>Reads numbers up to the first one in another form, or near the end of the body.</summary>
    /// <returns>How many.</returns>
    internal static int Read<T>(ReadOnlySpan<byte> body, Span<T> numbers, out int byteCount)
        where T : unmanaged
    {
        if (typeof(T) == typeof(float) || typeof(T) == typeof(double))
        {
            int floatCount = ReadFloats(body, numbers);
            byteCount = floatCount * (Unsafe.SizeOf<T>() + 1);
            return floatCount;
        }

        int count = 0;
        ref byte start = ref MemoryMarshal.GetReference(body);
        nint offset = 0;
        for (; count < numbers.Length && body.Length - offset >= MessagePackBytes.MaxIntegerByteCount; count++)
        {
            ref byte content = ref Unsafe.Add(ref start, offset + 1);
            byte code = Unsafe.Add(ref start, offset);
            long value = (sbyte)code;
            if (value < MessagePackCode.MinFixInt)
            {
                value = code switch
                {
                    MessagePackCode.UInt8 => content,
                    MessagePackCode.UInt16 => BigEndian.ReadUInt16(ref content),
                    MessagePackCode.UInt32 => BigEndian.ReadUInt32(ref content),
                    MessagePackCode.Int8 => (sbyte)content,
                    MessagePackCode.Int16 => (short)BigEndian.ReadUInt16(ref content),
                    MessagePackCode.Int32 => (int)BigEndian.ReadUInt32(ref content),
                    MessagePackCode.Int64 => (long)BigEndian.ReadUInt64(ref content),
                    _ => long.MinValue,
                };
                if (value == long.MinValue || (typeof(T) == typeof(int) && value != (int)value))
                    break;
                offset += 1 << (code & 3);
            }

            offset++;
            numbers[count] = typeof(T) == typeof(int) ? Unsafe.BitCast<int, T>((int)value) : Unsafe.BitCast<long, T>(value);
        }

        byteCount = (int)offset;
        return count;
    }

    private static int ReadFloats<T>(ReadOnlySpan<byte> body, Span<T> numbers)
        where T : unmanaged
    {
        int i = 0;
        int size = Unsafe.SizeOf<T>();
        int count = Math.Min(numbers.Length, body.Length / (size + 1));
        ref byte source = ref MemoryMarshal.GetReference(body);
        ref byte destination = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(numbers));
        if (Avx512Vbmi.IsSupported)
        {
            int perVector = Vector512<byte>.Count / (size + 1);
            for (; count - i >= Vector512<byte>.Count / size; i += perVector)
            {
                Vector512<byte> bytes = Vector512.LoadUnsafe(ref source, (nuint)(i * (size + 1)));
                if (((bytes ^ Shuffles<T>.Codes) & Shuffles<T>.IsCode) != Vector512<byte>.Zero)
                    break;
                Avx512Vbmi.PermuteVar64x8(bytes, Shuffles<T>.OfReading).StoreUnsafe(ref destination, (nuint)(i * size));
            }
        }

        for (; i < count; i++)
        {
            ref byte content = ref Unsafe.Add(ref source, ((nint)i * (size + 1)) + 1);
            if (Unsafe.Subtract(ref content, 1) != (size == sizeof(float) ? MessagePackCode.Float32 : MessagePackCode.Float64))
                break;
            numbers[i] = size == sizeof(float)
                ? Unsafe.BitCast<uint, T>(BigEndian.ReadUInt32(ref content))
                : Unsafe.BitCast<ulong, T>(BigEndian.ReadUInt64(ref content));
        }

        return i;
    }

    /// <summary>The shuffles of a vector of 64 bytes.</summary>
    private static class Shuffles<T>
        where T : unmanaged
    {
        /// <summary>For each byte of the body, the index of the byte in memory; any for a code.</summary>
        internal static readonly Vector512<byte> OfWriting = Create(static k => (k / Stride * Size) + (Size - (k % Stride)) & 63);

        /// <summary>For each byte in memory, the index of the byte of the body; any after the last complete element.</summary>
        internal static readonly Vector512<byte> OfReading = Create(static k => (k / Size * Stride) + (Size - (k % Size)) & 63);

        /// <summary>The codes, and zeros.</summary>
        internal static readonly Vector512<byte> Codes =
            Create(static k => k % Stride != 0 ? 0 : Size == sizeof(float) ? MessagePackCode.Float32 : MessagePackCode.Float64);

        /// <summary>All bits of the codes.</summary>
        internal static readonly Vector512<byte> IsCode = Create(static k => k % Stride == 0 ? byte.MaxValue : 0);

        private static int Size => Unsafe.SizeOf<T>();

        private static int Stride => Size + 1;

        private static Vector512<byte> Create(Func<int, int> byteAt)
        {
            Span<byte> bytes = stackalloc byte[Vector512<byte>.Count];
            for (int k = 0; k < bytes.Length; k++)
                bytes[k] = (byte)byteAt(k);
            return Vector512.Create<byte>(bytes);
        }
    }
}
#endif

using System;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using Formatters.Protobuf;

namespace Formatters.Generated;

/// <summary>The generated code of a type in protobuf: the fields of a message.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IProtobufCode<T>
{
    /// <summary>Writes the fields.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after them.</returns>
    ref byte Write<TMode>(ref ProtobufBodyWriter writer, ref byte position, T value)
        where TMode : struct, IMode;

    /// <summary>Reads the fields, to the end of the message.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the reader.</param>
    /// <param name="existing">A value to fill; the default for none.</param>
    /// <param name="merges">Whether these are more fields of the message that the value was read from.</param>
    /// <returns>The value.</returns>
    T Read<TMode>(ref ProtobufBodyReader reader, ref byte position, T? existing, bool merges)
        where TMode : struct, IMode;

    /// <summary>Writes a message after its tag: its length and its fields.</summary>
    /// <inheritdoc cref="Write"/>
    ref byte Wrap<TMode>(ref ProtobufBodyWriter writer, ref byte position, T value)
        where TMode : struct, IMode;

    /// <summary>
    /// Reads the fields of a message without nested ones, if they are the expected ones in the order of their numbers, as protobuf writes them.
    /// </summary>
    /// <param name="start">The first byte of the message.</param>
    /// <param name="byteCount">The number of its bytes.</param>
    /// <param name="value">A value to fill; receives the value.</param>
    /// <returns><see langword="false"/> if the message must be read with <see cref="Read"/>, which also finds its errors; nothing is changed
    /// then.</returns>
    bool TryReadShort(ref byte start, int byteCount, ref T? value);
}

/// <summary>The contract of a type with its generated code, created on first use.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TCode">The generated code: a struct, so that the JIT compiles separate code for it and calls it directly.</typeparam>
internal sealed class ProtobufContract<T, TCode> : ProtobufContract<T>
    where TCode : struct, IProtobufCode<T>
{
    internal static readonly ProtobufContract<T, TCode> Instance = new();

    public override void Write(ref ProtobufBodyWriter writer, T value) => Write<Anew>(ref writer, value);

    public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false) =>
        default(TCode).Read<Anew>(ref reader, ref reader.Begin(), existing, merges);

    internal override void WriteTraced(ref ProtobufBodyWriter writer, T value) => Write<Traced>(ref writer, value);

    internal override T ReadTraced(ref ProtobufBodyReader reader) =>
        default(TCode).Read<Traced>(ref reader, ref reader.Begin(), default, merges: false);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Write<TMode>(ref ProtobufBodyWriter writer, T value)
        where TMode : struct, IMode => writer.End(ref default(TCode).Write<TMode>(ref writer, ref writer.Begin(), value));

    /// <summary>The codec of the type as a part of other messages.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    internal sealed class Part<TMode> : ProtobufCodec<T>
        where TMode : struct, IMode
    {
        internal static readonly Part<TMode> Instance = new();

        internal override bool ReadsParts => true;

        public override void Write(ref ProtobufBodyWriter writer, T value) => Write<TMode>(ref writer, value);

        public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false) =>
            default(TCode).Read<TMode>(ref reader, ref reader.Begin(), existing, merges);

        internal override bool TryReadShort(ref byte start, int byteCount, ref T? value) =>
            default(TCode).TryReadShort(ref start, byteCount, ref value);

        internal override void WriteItems(ref ProtobufBodyWriter writer, uint tag, ReadOnlySpan<T> items, ref int index) =>
            writer.End(ref WriteItems(ref writer, ref writer.Begin(), tag, items, ref index));

        private static ref byte WriteItems(ref ProtobufBodyWriter writer, ref byte position, uint tag, ReadOnlySpan<T> items, ref int index)
        {
            int tagByteCount = ProtobufBytes.GetByteCount(tag);
            for (; index < items.Length; index++)
            {
                T item = items[index];
                if (item is null || writer.RoomAt(ref position) <= tagByteCount)
                    break;
                position = ref ProtobufCode.PutTag(ref position, tag, tagByteCount);
                position = ref default(TCode).Wrap<TMode>(ref writer, ref position, item);
            }

            return ref position;
        }

        internal override bool ReadItems(ref ProtobufBodyReader reader, uint tag, Span<T> items, ReadOnlySpan<T> existing, int allocation,
            ref int index)
        {
            int tagByteCount = ProtobufBytes.GetByteCount(tag);
            ref byte p = ref reader.Begin();
            while (index < Math.Min(items.Length, reader.Limits.MaxElementCount))
            {
                T? item = default;
                if (index < existing.Length)
                    item = existing[index];
                else if (!reader.TryCharge(allocation))
                    break;
                int byteCount = ProtobufCode.TryReadShort<TMode, T, TCode>(ref reader, ref p, ref item);
                if (byteCount > 0)
                {
                    p = ref Unsafe.Add(ref p, (nint)(uint)byteCount);
                }
                else
                {
                    reader.End(ref p);
                    item = ProtobufCode.UnwrapAny<TMode, T, TCode>(ref reader, ref p, item, 0U);
                    p = ref reader.Begin();
                }

                items[index++] = item!;
                if (index < items.Length && tagByteCount <= 2 && ProtobufCode.IsTag(ref reader, ref p, tag, tagByteCount))
                {
                    p = ref Unsafe.Add(ref p, tagByteCount);
                    continue;
                }

                reader.End(ref p);
                if (index == items.Length || !reader.TryReadTag(tag))
                    return false;
                p = ref reader.Begin();
            }

            reader.End(ref p);
            return true;
        }
    }
}

using System;
using System.Collections.Generic;
using Formatters.Buffers;
using Formatters.MessagePack;

namespace Formatters.SignalR;

/// <summary>Writes objects as their own class, and reads values whose type is not known: members and elements that are declared as object.</summary>
internal sealed class UntypedCodec(ValueFormatters formatters) : MessagePackCodec<object>
{
    // A nested value is written by a formatter of its own, which begins to count at zero.
    [ThreadStatic]
    private static int _depth;

    public override void Write(ref MessagePackBodyWriter writer, object value)
    {
        if (value.GetType() == typeof(object))
        {
            writer.WriteMapHeader(0);
            return;
        }

        if (_depth >= formatters.Limits.MaxDepth)
        {
            throw new NestedValueException(new MessageFormatException(
                MessageFormatErrorCode.DepthExceeded,
                $"The objects are nested more than {formatters.Limits.MaxDepth} levels deep, or have a cycle."));
        }

        _depth++;
        try
        {
            using var nested = new PooledBufferWriter();
            formatters.GetWriter(value.GetType()).Write(nested, value);
            writer.WriteRaw(nested.WrittenSpan);
        }
        catch (MessageFormatException e)
        {
            throw new NestedValueException(e);
        }
        finally
        {
            _depth--;
        }
    }

    public override object Read(ref MessagePackBodyReader reader, object? existing = null) => ReadValue(ref reader) ?? throw Bad("The value is nil.");

    /// <summary>Reads a value: null, bool, long, ulong, double, string, DateTime, and arrays of bytes, arrays and dictionaries of objects.</summary>
    internal static object? ReadValue(ref MessagePackBodyReader reader)
    {
        switch (reader.NextType)
        {
            case MessagePackType.Nil:
                reader.TryReadNil();
                return null;
            case MessagePackType.Boolean:
                return reader.ReadBoolean();
            case MessagePackType.Integer:
                return ReadInteger(reader.ReadRaw());
            case MessagePackType.Float:
                return reader.ReadDouble();
            case MessagePackType.String:
                return reader.ReadString();
            case MessagePackType.Binary:
                return reader.ReadBytes();
            case MessagePackType.Array:
                object?[] elements = new object?[reader.ReadArrayHeader(IntPtr.Size)];
                reader.Enter();
                for (int i = 0; i < elements.Length; i++)
                    elements[i] = ReadValue(ref reader);
                reader.Leave();
                return elements;
            case MessagePackType.Map:
                int count = reader.ReadMapHeader(2 * IntPtr.Size);
                var entries = new Dictionary<object, object?>(UntypedKeys.Instance);
                reader.Enter();
                for (int i = 0; i < count; i++)
                {
                    object key = ReadValue(ref reader) ?? throw Bad("A key is nil.");
                    if (key is object?[] or byte[] or Dictionary<object, object?> || !entries.TryAdd(key, ReadValue(ref reader)))
                        throw Bad("A key is an array, bytes or a map, or occurs twice.");
                }

                reader.Leave();
                return entries;
            default:
                // A timestamp.
                return reader.ReadDateTime();
        }
    }

    private static object ReadInteger(ReadOnlySpan<byte> value) => MessagePackEncoding.TryReadInt64(value, out long signed, out _) ? signed
        : MessagePackEncoding.TryReadUInt64(value, out ulong unsigned, out _) ? unsigned
        : throw Bad("The bytes are not a number.");

    private static MessageFormatException Bad(string message) => new(MessageFormatErrorCode.BadValue, message);

    /// <summary>Hashes numbers with a random key, since a sender could choose numbers that collide.</summary>
    private sealed class UntypedKeys : IEqualityComparer<object>
    {
        internal static readonly UntypedKeys Instance = new();

        bool IEqualityComparer<object>.Equals(object? x, object? y) => object.Equals(x, y);

        int IEqualityComparer<object>.GetHashCode(object key) => key switch
        {
            long value => Hash(value),
            ulong value => Hash((long)value),
            double value => Hash(value == 0 ? 0 : BitConverter.DoubleToInt64Bits(value)),
            DateTime value => Hash(value.Ticks),
            _ => key.GetHashCode(),
        };

        private static int Hash(long value) => HashCode.Combine((int)value, (int)(value >> 32));
    }
}

/// <summary>Carries the error of a nested value past the formatters around it. Each would write its value again to find out where the error is, and
/// so would those within it.</summary>
internal sealed class NestedValueException(MessageFormatException error) : Exception(error.Message, error)
{
    internal MessageFormatException Error => error;
}

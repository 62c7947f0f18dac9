using System;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>Encodes the answers of the owner of a folder: a zero byte and the result. Errors are written by <see cref="FolderProtocol"/>.</summary>
internal static class FolderAnswers
{
    internal delegate void ItemEncoder<T>(ref BinaryBodyWriter writer, T item);

    internal static ReadOnlyMemory<byte> Number(long value) => FolderProtocol.Encode(9, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)0);
        writer.Write(value);
    });

    internal static ReadOnlyMemory<byte> List<T>(IReadOnlyList<T> items, ItemEncoder<T> encode) =>
        FolderProtocol.Encode(256 * (items.Count + 1), (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)0);
            writer.WriteCount(items.Count);
            foreach (T item in items)
                encode(ref writer, item);
        });

    /// <summary>Encodes received messages, with the numbers of their deliveries.</summary>
    internal static ReadOnlyMemory<byte> Received(IReadOnlyList<ReceivedMessage> received, long firstDelivery)
    {
        int byteCount = 32;
        foreach (ReceivedMessage message in received)
            byteCount += (int)Math.Min(message.Body.ByteCount, 1 << 20) + 256;
        return FolderProtocol.Encode(byteCount, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)0);
            writer.WriteCount(received.Count);
            for (int i = 0; i < received.Count; i++)
                FolderProtocol.Write(ref writer, (LocalMessage)received[i], firstDelivery + i);
        });
    }
}

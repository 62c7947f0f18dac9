using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>Encodes the requests to the owner of a folder, and decodes errors, numbers and lists of the answers.</summary>
/// <remarks>The owner's side is <see cref="FolderSession"/>. An answer begins with a zero byte; otherwise it is an error.</remarks>
internal static class FolderRequests
{
    /// <summary>The position of a request's operation number, which is assigned when the request is started.</summary>
    internal const int OperationOffset = 1;

    /// <summary>The position of the lowest operation number that may be repeated.</summary>
    internal const int LowestOperationOffset = 9;

    internal delegate T Decoder<T>(ref BinaryBodyReader reader);

    internal static byte[] Encode(FolderRequest request, int handle) => FolderProtocol.EncodeArray(8, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)request);
        writer.Write(handle);
    });

    internal static byte[] Encode(FolderRequest request, long number) => FolderProtocol.EncodeArray(16, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)request);
        writer.Write(number);
    });

    internal static byte[] Encode(FolderRequest request, Guid id) => FolderProtocol.EncodeArray(32, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)request);
        writer.Write(id);
    });

    internal static byte[] Hello(Guid process, long lastDelivery) => FolderProtocol.EncodeArray(128, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Hello);
        writer.Write(FolderProtocol.Version);
        writer.Write(process);
        writer.Write(Environment.ProcessId);
        writer.Write(Environment.MachineName);
        writer.Write(lastDelivery);
    });

    internal static byte[] Cancel(uint id) => FolderProtocol.EncodeArray(8, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Cancel);
        writer.Write(id);
    });

    /// <summary>Encodes a request to open a queue or a topic.</summary>
    internal static byte[] Open(FolderRequest request, int handle, string name, QueueOptions options) =>
        FolderProtocol.EncodeArray(256, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)request);
            writer.Write(handle);
            writer.Write(name);
            FolderProtocol.Write(ref writer, options);
        });

    /// <summary>Encodes a request to subscribe to a topic: durably if the subscription has a name.</summary>
    internal static byte[] Subscribe(int handle, string topic, QueueOptions topicOptions, string? name, string? selector, QueueOptions options) =>
        FolderProtocol.EncodeArray(256, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)(name is null ? FolderRequest.Subscribe : FolderRequest.SubscribeDurable));
            writer.Write(handle);
            writer.Write(topic);
            FolderProtocol.Write(ref writer, topicOptions);
            if (name is not null)
                writer.Write(name);
            writer.WriteNullable(selector);
            FolderProtocol.Write(ref writer, options);
        });

    internal static byte[] Unsubscribe(string topic, string name) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Unsubscribe);
        writer.Write(topic);
        writer.Write(name);
    });

    internal static byte[] Delete(string queue) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Delete);
        writer.Write(queue);
    });

    /// <summary>Encodes a request for the status of a queue; of all queues if the name is null.</summary>
    internal static byte[] List(string? queue) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.List);
        writer.WriteNullable(queue);
    });

    /// <exception cref="QueueException">The messages are too large.</exception>
    internal static byte[] Send(ReadOnlyMemory<int> handles, bool isTopic, IReadOnlyList<QueueMessage> messages, FollowerTransaction? transaction)
    {
        long byteCount = 64 + (4L * handles.Length);
        for (int i = 0; i < messages.Count; i++)
            byteCount += messages[i].Body.ByteCount + 128;
        if (byteCount > Array.MaxLength)
            throw new QueueException("The messages are larger than a queue in a folder takes.") { Code = QueueErrorCode.TooLarge };
        return FolderProtocol.EncodeArray((int)byteCount, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Send);
            WriteOperation(ref writer);
            writer.Write(transaction?.Number ?? 0);
            writer.Write(isTopic);
            writer.WriteCount(handles.Length);
            foreach (int handle in handles.Span)
                writer.Write(handle);
            writer.WriteCount(messages.Count);
            for (int i = 0; i < messages.Count; i++)
                FolderProtocol.Write(ref writer, messages[i]);
        });
    }

    internal static byte[] Receive(int handle, FollowerTransaction? transaction, int maxCount, TimeSpan timeout, ReceiveBy by, string? id) =>
        FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Receive);
            writer.Write(handle);
            writer.Write(transaction?.Number ?? 0);
            writer.Write(maxCount);
            writer.Write(timeout);
            writer.Write((byte)by);
            writer.WriteNullable(id);
        });

    /// <summary>Encodes a request to lock a message again that was received from an earlier owner.</summary>
    internal static byte[] Reclaim(long delivery, HeldMessage message) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Reclaim);
        writer.Write(message.Handle);
        writer.Write(message.Transaction?.Number ?? 0);
        writer.Write(delivery);
        writer.Write(message.LogNumber);
    });

    internal static byte[] Settle(int handle, Settlement settlement, IReadOnlyList<long> deliveries, TimeSpan delay, string? reason,
        string? description) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Settle);
        writer.Write((byte)settlement);
        writer.Write(handle);
        writer.Write(delay);
        writer.WriteNullable(reason);
        writer.WriteNullable(description);
        writer.WriteCount(deliveries.Count);
        foreach (long delivery in deliveries)
            writer.Write(delivery);
    });

    internal static byte[] Commit(long transaction, Decision? decision) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Commit);
        WriteOperation(ref writer);
        writer.Write(transaction);
        writer.Write(decision is not null);
        if (decision is { } decided)
        {
            writer.Write(decided.TransactionId);
            writer.Write(decided.ResourceManagerId);
        }
    });

    internal static byte[] Peek(int handle, PeekOptions options) => FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Peek);
        writer.Write(handle);
        writer.Write(options.MaxCount);
        writer.WriteNullable(options.After);
        writer.WriteNullable(options.Selector);
        writer.Write(options.IncludeLocked);
        writer.Write(options.IncludeDelayed);
    });

    /// <summary>Decodes the error in an answer; null if there is none.</summary>
    internal static Exception? ReadError(byte[] answer)
    {
        var reader = new BinaryBodyReader(answer, FolderProtocol.Limits);
        return FolderProtocol.ReadError(ref reader);
    }

    /// <summary>Decodes the number in an answer.</summary>
    internal static long ReadNumber(byte[] answer) => BinaryPrimitives.ReadInt64LittleEndian(answer.AsSpan(1));

    /// <summary>Decodes the list in an answer.</summary>
    internal static IReadOnlyList<T> ReadList<T>(byte[] answer, Decoder<T> decode)
    {
        var reader = new BinaryBodyReader(answer.AsSpan(1), FolderProtocol.Limits);
        var items = new T[reader.ReadCount(1)];
        for (int i = 0; i < items.Length; i++)
            items[i] = decode(ref reader);
        return items;
    }

    /// <summary>Reserves the bytes of <see cref="OperationOffset"/> and <see cref="LowestOperationOffset"/>.</summary>
    private static void WriteOperation(ref BinaryBodyWriter writer)
    {
        writer.Write(0L);
        writer.Write(0L);
    }
}

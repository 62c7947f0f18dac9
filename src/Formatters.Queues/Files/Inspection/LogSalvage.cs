using System;
using System.Buffers;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>Writes the readable content of a damaged log to a new one, byte for byte, with the numbers and the id of the old one.</summary>
/// <remarks>The manifest is written last: a folder without it cannot be opened, so that an incomplete copy is not used by mistake.</remarks>
internal sealed class LogSalvage(LogInspection source, LogFolder target, int segmentByteCount) : IDisposable
{
    private const int BlockByteCount = 1 << 20;

    private readonly LogBuffer _block = new();
    private LogSegment? _segment;
    private ulong _nextBlock = 1;

    internal long MessageCount { get; private set; }

    internal void Write(IProgress<double>? progress, CancellationToken cancellationToken)
    {
        long now = DateTimeOffset.UtcNow.UtcTicks;
        foreach (((uint queue, string id), long endTicks) in source.SentIds)
        {
            if (endTicks <= now || !source.QueueNames.ContainsKey(queue))
                continue;
            var writer = new BinaryBodyWriter(_block, LogOperations.Limits);
            writer.Write((byte)LogOperation.SentId);
            writer.Write7BitEncodedInt((int)queue);
            writer.Write(endTicks);
            writer.Write(id);
            writer.Flush();
            WriteIfFull();
        }

        long done = 0;
        foreach (InspectedMessage message in source.Messages.Values.OrderBy(message => message.Number))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (message.Segment.TryReadContent(message.Offset, message.ByteCount, message.Checksum) is { } content)
                WriteMessage(message, content);
            WriteIfFull();
            progress?.Report((double)++done / source.Messages.Count);
        }

        LogOperations.WriteClosed(_block);
        WriteBlock();
        LogSegment last = _segment!;
        last.File.Flush();
        LogFile file = target.Create(LogSegment.NewNameOf(LogManifest.FileName), LogManifest.ByteCount);
        LogManifest.Create(target, file, new LogEnd(source.FolderId, last.Number, _nextBlock)).Dispose();
    }

    public void Dispose() => _segment?.Dispose();

    private void WriteMessage(InspectedMessage message, byte[] content)
    {
        var writer = new BinaryBodyWriter(_block, LogOperations.Limits);
        writer.Write((byte)LogOperation.Message);
        writer.Write7BitEncodedInt64((long)message.Number);
        writer.Write7BitEncodedInt(message.Places.Count);
        foreach (InspectedPlace place in message.Places)
        {
            MessageCount++;
            writer.Write7BitEncodedInt64((long)place.Number);
            writer.Write7BitEncodedInt(place.DeliveryCount);
            writer.Write7BitEncodedInt((int)place.QueueId);
            writer.Write((byte)place.Kind);
            if (place.DeadLetter is not { } deadLetter)
                continue;
            writer.Write(deadLetter.Reason);
            writer.WriteNullable(deadLetter.Description);
            writer.WriteNullable(deadLetter.Source);
        }

        writer.Write(content.Length);
        writer.Flush();
        _block.Write(content);
        writer = new BinaryBodyWriter(_block, LogOperations.Limits);
        writer.Write(message.Checksum);
        foreach (InspectedPlace place in message.Places.Where(place => place.DueTicks != 0))
        {
            writer.Write((byte)LogOperation.Delayed);
            writer.Write7BitEncodedInt64((long)place.Number);
            writer.Write(place.DueTicks);
        }

        writer.Flush();
    }

    private void WriteIfFull()
    {
        if (_block.ByteCount >= BlockByteCount)
            WriteBlock();
    }

    private void WriteBlock()
    {
        long byteCount = LogBlock.Align(_block.ByteCount);
        if (_segment is null || _segment.Position + byteCount > _segment.ByteCount)
            Roll(byteCount);
        LogBlock.Seal(_block.Block, _nextBlock++, _segment!.Salt);
        _segment.File.Write(_block.PaddedBlock, _segment.Position);
        _segment.Position += byteCount;
        _block.Clear();
    }

    private void Roll(long blockByteCount)
    {
        ulong number = 1;
        if (_segment is not null)
        {
            number = _segment.Number + 1;
            _segment.File.Flush();
            _segment.Dispose();
        }

        var first = new LogBuffer();
        WriteTable(first);
        long needed = LogSegment.HeaderByteCount + LogBlock.Align(first.ByteCount + 1 + sizeof(ulong)) + blockByteCount;
        LogFile file = target.Create(LogSegment.NewFileName(number), Math.Max(needed, segmentByteCount));
        LogOperations.WriteNumber(first, LogOperation.SegmentSize, (ulong)file.ByteCount);
        _segment = LogSegment.Create(target, file, number, source.FolderId, BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))),
            _nextBlock++, first);
    }

    private void WriteTable(LogBuffer block)
    {
        var writer = new BinaryBodyWriter(block, LogOperations.Limits);
        writer.Write((byte)LogOperation.Table);
        writer.Write(source.NextMessage);
        writer.Write(source.NextQueueId);
        writer.Write(1UL);
        writer.WriteCount(source.QueueNames.Count);
        foreach ((uint id, string name) in source.QueueNames)
        {
            writer.Write(id);
            writer.Write(name);
        }

        foreach ((uint id, (string topic, string? selector)) in source.Subscriptions)
        {
            writer.Write((byte)LogOperation.Subscription);
            writer.Write7BitEncodedInt((int)id);
            writer.Write(topic);
            writer.WriteNullable(selector);
        }

        writer.Flush();
        foreach ((Guid transactionId, Guid resourceManagerId) in source.Decisions)
            LogOperations.WriteDecided(block, new Decision(transactionId, resourceManagerId));
    }
}

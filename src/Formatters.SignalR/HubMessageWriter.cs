using System;
using System.Buffers;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using Formatters.Buffers;
using Formatters.MessagePack;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;

namespace Formatters.SignalR;

/// <summary>Writes one message of the MessagePack hub protocol.</summary>
internal readonly struct HubMessageWriter(ValueFormatters formatters, FormatterLimits limits)
{
    internal void Write(PooledBufferWriter output, HubMessage message)
    {
        var writer = new MessagePackBodyWriter(output, limits);
        switch (message)
        {
            case InvocationMessage invocation:
                WriteInvocation(ref writer, output, MessageType.Invocation, invocation, invocation.StreamIds);
                break;
            case StreamInvocationMessage invocation:
                WriteInvocation(ref writer, output, MessageType.StreamInvocation, invocation, invocation.StreamIds);
                break;
            case StreamItemMessage item:
                Begin(ref writer, 4, MessageType.StreamItem, item);
                writer.WriteNullable(item.InvocationId);
                WriteValue(ref writer, output, item.Item);
                break;
            case CompletionMessage completion:
                WriteCompletion(ref writer, output, completion);
                break;
            case CancelInvocationMessage cancel:
                Begin(ref writer, 3, MessageType.CancelInvocation, cancel);
                writer.WriteNullable(cancel.InvocationId);
                break;
            case PingMessage:
                writer.WriteArrayHeader(1);
                writer.Write((int)MessageType.Ping);
                break;
            case CloseMessage close:
                writer.WriteArrayHeader(3);
                writer.Write((int)MessageType.Close);
                writer.WriteNullable(close.Error is { Length: > 0 } error ? error : null);
                writer.Write(close.AllowReconnect);
                break;
            case AckMessage ack:
                writer.WriteArrayHeader(2);
                writer.Write((int)MessageType.Ack);
                writer.Write(ack.SequenceId);
                break;
            case SequenceMessage sequence:
                writer.WriteArrayHeader(2);
                writer.Write((int)MessageType.Sequence);
                writer.Write(sequence.SequenceId);
                break;
            default:
                throw new ArgumentException($"{message.GetType()} is not a message of the hub protocol.", nameof(message));
        }

        writer.Flush();
    }

    private void WriteInvocation(
        ref MessagePackBodyWriter writer, PooledBufferWriter output, MessageType type, HubMethodInvocationMessage message, string[]? streams)
    {
        Begin(ref writer, 6, type, message);
        writer.WriteNullable(message.InvocationId is { Length: > 0 } id ? id : null);
        writer.Write(message.Target);
        writer.WriteArrayHeader(message.Arguments.Length);
        foreach (object? argument in message.Arguments)
            WriteValue(ref writer, output, argument);
        writer.WriteArrayHeader(streams?.Length ?? 0);
        foreach (string stream in streams ?? [])
            writer.Write(stream);
    }

    private void WriteCompletion(ref MessagePackBodyWriter writer, PooledBufferWriter output, CompletionMessage message)
    {
        ResultKind kind = message.Error is not null ? ResultKind.Error : message.HasResult ? ResultKind.Result : ResultKind.Void;
        Begin(ref writer, kind == ResultKind.Void ? 4 : 5, MessageType.Completion, message);
        writer.WriteNullable(message.InvocationId);
        writer.Write((int)kind);
        if (kind == ResultKind.Error)
            writer.Write(message.Error!);
        else if (kind == ResultKind.Result)
            WriteValue(ref writer, output, message.Result);
    }

    private static void Begin(ref MessagePackBodyWriter writer, int count, MessageType type, HubInvocationMessage message)
    {
        writer.WriteArrayHeader(count);
        writer.Write((int)type);
        writer.WriteMapHeader(message.Headers?.Count ?? 0);
        foreach (KeyValuePair<string, string> header in message.Headers ?? new Dictionary<string, string>())
        {
            writer.Write(header.Key);
            writer.Write(header.Value);
        }
    }

    private void WriteValue(ref MessagePackBodyWriter writer, PooledBufferWriter output, object? value)
    {
        if (value is null)
        {
            writer.WriteNil();
            return;
        }

        writer.Flush();
        if (value is RawResult raw)
        {
            foreach (ReadOnlyMemory<byte> segment in raw.RawSerializedData)
                output.Write(segment.Span);
        }
        else
        {
            try
            {
                formatters.GetWriter(value.GetType()).Write(output, value);
            }
            catch (NestedValueException e)
            {
                ExceptionDispatchInfo.Throw(e.Error);
            }
        }

        writer = new MessagePackBodyWriter(output, limits);
    }
}

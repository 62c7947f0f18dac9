using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using Formatters.MessagePack;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;

namespace Formatters.SignalR;

/// <summary>Reads one message of the MessagePack hub protocol, with arguments of the types that the hub declares.</summary>
internal readonly struct HubMessageReader(ValueFormatters formatters, IInvocationBinder binder, FormatterLimits limits)
{
    /// <returns>Null for a message of an unknown kind.</returns>
    internal HubMessage? Read(ReadOnlySpan<byte> message)
    {
        var reader = new MessagePackBodyReader(message, limits);
        int count = reader.ReadArrayHeader();
        return (MessageType)reader.ReadInt32() switch
        {
            MessageType.Invocation => ReadInvocation(ref reader, count, isStream: false),
            MessageType.StreamInvocation => ReadInvocation(ref reader, count, isStream: true),
            MessageType.StreamItem => ReadStreamItem(ref reader),
            MessageType.Completion => ReadCompletion(ref reader),
            MessageType.CancelInvocation => ReadCancel(ref reader),
            MessageType.Ping => PingMessage.Instance,
            MessageType.Close => ReadClose(ref reader, count),
            MessageType.Ack => new AckMessage(reader.ReadInt64()),
            MessageType.Sequence => new SequenceMessage(reader.ReadInt64()),
            _ => null,
        };
    }

    private HubMessage ReadInvocation(ref MessagePackBodyReader reader, int count, bool isStream)
    {
        Dictionary<string, string>? headers = ReadHeaders(ref reader);
        string? id = ReadId(ref reader);
        if (isStream && id is null)
            throw new InvalidDataException("The invocation of a stream has no id.");
        string target = reader.ReadString();
        ReadOnlySpan<byte> values = reader.ReadRaw();
        // Streams of the client were added to the protocol later.
        string[]? streams = count > 5 ? ReadStreams(ref reader) : null;
        HubMessage message;
        try
        {
            object?[] arguments = ReadArguments(values, target);
            message = isStream
                ? new StreamInvocationMessage(id!, target, arguments, streams!)
                : new InvocationMessage(id, target, arguments, streams!);
        }
        catch (Exception e)
        {
            message = new InvocationBindingFailureMessage(id!, target, ExceptionDispatchInfo.Capture(e));
        }

        return WithHeaders(message, headers);
    }

    private object?[] ReadArguments(ReadOnlySpan<byte> values, string target)
    {
        var reader = new MessagePackBodyReader(values, limits);
        int count = reader.ReadArrayHeader();
        IReadOnlyList<Type> types = binder.GetParameterTypes(target);
        if (types.Count != count)
            throw new InvalidDataException($"The invocation of '{target}' has {count} arguments; the method has {types.Count} parameters.");
        object?[] arguments = new object?[count];
        for (int i = 0; i < count; i++)
            arguments[i] = ReadValue(reader.ReadRaw(), types[i]);
        return arguments;
    }

    private static string[]? ReadStreams(ref MessagePackBodyReader reader)
    {
        if (reader.TryReadNil())
            return null;
        string[] streams = new string[reader.ReadArrayHeader()];
        for (int i = 0; i < streams.Length; i++)
            streams[i] = reader.ReadString();
        return streams.Length == 0 ? null : streams;
    }

    private HubMessage ReadStreamItem(ref MessagePackBodyReader reader)
    {
        Dictionary<string, string>? headers = ReadHeaders(ref reader);
        string id = reader.ReadString();
        HubMessage message;
        try
        {
            message = new StreamItemMessage(id, ReadValue(reader.ReadRaw(), binder.GetStreamItemType(id)));
        }
        catch (Exception e)
        {
            message = new StreamBindingFailureMessage(id, ExceptionDispatchInfo.Capture(e));
        }

        return WithHeaders(message, headers);
    }

    private HubMessage ReadCompletion(ref MessagePackBodyReader reader)
    {
        Dictionary<string, string>? headers = ReadHeaders(ref reader);
        string id = reader.ReadString();
        string? error = null;
        object? result = null;
        bool hasResult = false;
        switch ((ResultKind)reader.ReadInt32())
        {
            case ResultKind.Error:
                error = reader.ReadString();
                break;
            case ResultKind.Result:
                (hasResult, result, error) = ReadResult(ref reader, id);
                break;
            case ResultKind.Void:
                break;
            default:
                throw new InvalidDataException("The kind of result of a completion is unknown.");
        }

        return WithHeaders(new CompletionMessage(id, error, result, hasResult), headers);
    }

    private (bool HasResult, object? Result, string? Error) ReadResult(ref MessagePackBodyReader reader, string id)
    {
        ReadOnlySpan<byte> value = reader.ReadRaw();
        Type type;
        try
        {
            type = binder.GetReturnType(id);
        }
        catch (Exception)
        {
            // The caller no longer waits for it.
            return (true, null, null);
        }

        if (type == typeof(RawResult))
            return (true, new RawResult(new ReadOnlySequence<byte>(value.ToArray())), null);
        try
        {
            return (true, ReadValue(value, type), null);
        }
        catch (Exception e)
        {
            return (false, null, $"The result is not a {type}: {e.Message}");
        }
    }

    private static HubMessage ReadCancel(ref MessagePackBodyReader reader)
    {
        Dictionary<string, string>? headers = ReadHeaders(ref reader);
        return WithHeaders(new CancelInvocationMessage(reader.ReadString()), headers);
    }

    private static CloseMessage ReadClose(ref MessagePackBodyReader reader, int count)
    {
        string? error = reader.ReadNullableString();
        // Older servers do not say.
        bool allowsReconnect = count > 2 && reader.ReadBoolean();
        return error is null && !allowsReconnect ? CloseMessage.Empty : new CloseMessage(error, allowsReconnect);
    }

    private object? ReadValue(ReadOnlySpan<byte> value, Type type)
    {
        if (value is [MessagePackCodes.Nil])
        {
            return !type.IsValueType || Nullable.GetUnderlyingType(type) is not null ? null
                : throw new InvalidDataException($"The value is nil, which is not a {type}.");
        }

        return formatters.GetReader(type).Read(value);
    }

    /// <summary>Reads the id of an invocation. An empty one is that of an invocation without a reply.</summary>
    private static string? ReadId(ref MessagePackBodyReader reader) => reader.ReadNullableString() is { Length: > 0 } id ? id : null;

    private static Dictionary<string, string>? ReadHeaders(ref MessagePackBodyReader reader)
    {
        int count = reader.ReadMapHeader();
        if (count == 0)
            return null;
        var headers = new Dictionary<string, string>(StringComparer.Ordinal);
        for (int i = 0; i < count; i++)
        {
            string name = reader.ReadString();
            headers[name] = reader.ReadString();
        }

        return headers;
    }

    private static HubMessage WithHeaders(HubMessage message, Dictionary<string, string>? headers)
    {
        if (headers is not null && message is HubInvocationMessage invocation)
            invocation.Headers = headers;
        return message;
    }
}

/// <summary>The bytes of MessagePack that values are compared with.</summary>
internal static class MessagePackCodes
{
    internal const byte Nil = 0xC0;
}

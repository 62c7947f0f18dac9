using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.CompilerServices;
using Formatters.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;

namespace Formatters.SignalR;

/// <summary>SignalR's MessagePack hub protocol, whose arguments and results are written and read by formatters.</summary>
/// <remarks>
/// <para>The bytes are those of <c>messagepack</c>, version 2, in
/// https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/HubProtocol.md. The other side may be
/// <c>@microsoft/signalr-protocol-msgpack</c> or the protocol of <c>Microsoft.AspNetCore.SignalR.Protocols.MessagePack</c>. The latter differs in
/// two ways: enums are their names there and numbers here, and it does not know <see cref="MessageMemberAttribute"/>.</para>
/// <para>An argument that cannot be read fails the invocation with a message that names the member, and the connection stays open. So does a result
/// or an item of a stream that cannot be written: the other side gets the error in its place. Bytes that are not a message of the protocol end the
/// connection.</para>
/// <para>Thread-safe.</para>
/// </remarks>
public sealed class FormatterHubProtocol : IHubProtocol
{
    // Of a message without its arguments and results, which have limits of their own. SignalR limits the length of the whole.
    private static readonly FormatterLimits MessageLimits = FormatterLimits.Default with
    {
        MaxBodyByteCount = int.MaxValue,
        MaxDepth = int.MaxValue,
    };

    private readonly ValueFormatters _formatters;

    // By connection.
    private readonly ConditionalWeakTable<IBufferWriter<byte>, ConcurrentDictionary<string, bool>> _failedStreams = [];

    /// <summary>Creates the protocol.</summary>
    /// <param name="options">The options; null for the default.</param>
    public FormatterHubProtocol(FormatterHubProtocolOptions? options = null) =>
        _formatters = new ValueFormatters(options ?? new FormatterHubProtocolOptions());

    /// <summary>Gets <c>messagepack</c>.</summary>
    public string Name => "messagepack";

    /// <summary>Gets 2.</summary>
    public int Version => 2;

    /// <inheritdoc/>
    public TransferFormat TransferFormat => TransferFormat.Binary;

    /// <summary>Determines whether the version of the other side is 1 or 2.</summary>
    /// <param name="version">The version.</param>
    /// <returns>Whether it is supported.</returns>
    public bool IsVersionSupported(int version) => version <= Version;

    /// <summary>Reads the next message.</summary>
    /// <param name="input">The received bytes; moved past the message.</param>
    /// <param name="binder">Knows the types of arguments and results.</param>
    /// <param name="message">The message.</param>
    /// <returns>False if the message is incomplete, or of a kind that this version does not know.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="binder"/> is null.</exception>
    /// <exception cref="InvalidDataException">The bytes are not a message of the protocol.</exception>
    public bool TryParseMessage(ref ReadOnlySequence<byte> input, IInvocationBinder binder, [NotNullWhen(true)] out HubMessage? message)
    {
        ArgumentNullException.ThrowIfNull(binder);
        message = null;
        if (!MessageLength.TryRead(input, out long headerByteCount, out long byteCount) || input.Length - headerByteCount < byteCount)
            return false;
        ReadOnlySequence<byte> body = input.Slice(headerByteCount, byteCount);
        byte[]? rented = null;
        try
        {
            ReadOnlySpan<byte> span = body.FirstSpan;
            if (!body.IsSingleSegment)
            {
                rented = ArrayPool<byte>.Shared.Rent((int)byteCount);
                body.CopyTo(rented);
                span = rented.AsSpan(0, (int)byteCount);
            }

            message = new HubMessageReader(_formatters, binder, MessageLimits).Read(span);
        }
        catch (MessageFormatException e)
        {
            throw new InvalidDataException($"The bytes are not a message of the hub protocol: {e.Message}", e);
        }
        finally
        {
            if (rented is not null)
                ArrayPool<byte>.Shared.Return(rented, clearArray: true);
        }

        input = input.Slice(body.End);
        return message is not null;
    }

    /// <summary>Writes a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="output">Receives its bytes: none, if it cannot be written.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">An argument is of a type without a contract; or the kind of message is unknown.</exception>
    /// <exception cref="MessageFormatException">An argument cannot be written.</exception>
    public void WriteMessage(HubMessage message, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(output);
        if (message is StreamItemMessage or CompletionMessage && IsOfFailedStream((HubInvocationMessage)message, output))
            return;
        using var body = new PooledBufferWriter();
        var writer = new HubMessageWriter(_formatters, MessageLimits);
        try
        {
            writer.Write(body, message);
        }
        catch (Exception e) when (message is StreamItemMessage or CompletionMessage { HasResult: true })
        {
            // SignalR would end the connection. The caller waits for this message.
            body.Clear();
            string id = ((HubInvocationMessage)message).InvocationId!;
            writer.Write(body, CompletionMessage.WithError(id, $"The result cannot be written: {e.Message}"));
            if (message is StreamItemMessage)
                _failedStreams.GetValue(output, static _ => new ConcurrentDictionary<string, bool>()).TryAdd(id, true);
        }

        Span<byte> destination = output.GetSpan(MessageLength.MaxByteCount + body.WrittenCount);
        int headerByteCount = MessageLength.Write(destination, body.WrittenCount);
        body.WrittenMemory.Span.CopyTo(destination[headerByteCount..]);
        output.Advance(headerByteCount + body.WrittenCount);
    }

    /// <summary>Determines whether a message belongs to a stream whose end was written, since an item could not be: SignalR goes on.</summary>
    private bool IsOfFailedStream(HubInvocationMessage message, IBufferWriter<byte> output) =>
        _failedStreams.TryGetValue(output, out ConcurrentDictionary<string, bool>? ids)
        && (message is CompletionMessage ? ids.TryRemove(message.InvocationId!, out _) : ids.ContainsKey(message.InvocationId!));

    /// <summary>Checks that the arguments of an invocation can be written.</summary>
    /// <exception cref="ArgumentException">An argument is of a type without a contract.</exception>
    /// <exception cref="MessageFormatException">An argument cannot be written.</exception>
    internal void Check(string methodName, object?[] arguments)
    {
        using var body = new PooledBufferWriter();
        new HubMessageWriter(_formatters, MessageLimits).Write(body, new InvocationMessage(methodName, arguments));
    }

    /// <summary>Writes a message into an array.</summary>
    /// <param name="message">The message.</param>
    /// <returns>Its bytes.</returns>
    /// <inheritdoc cref="WriteMessage" path="/exception"/>
    public ReadOnlyMemory<byte> GetMessageBytes(HubMessage message)
    {
        var output = new ArrayBufferWriter<byte>();
        WriteMessage(message, output);
        return output.WrittenMemory;
    }
}

/// <summary>The length before each message: 7 bits in each byte, the lowest first.</summary>
internal static class MessageLength
{
    internal const int MaxByteCount = 5;

    /// <exception cref="InvalidDataException">It is longer than 2 GiB.</exception>
    internal static bool TryRead(in ReadOnlySequence<byte> input, out long headerByteCount, out long byteCount)
    {
        Span<byte> header = stackalloc byte[MaxByteCount];
        ReadOnlySequence<byte> start = input.Slice(0, Math.Min(input.Length, MaxByteCount));
        start.CopyTo(header);
        headerByteCount = 0;
        byteCount = 0;
        for (int i = 0; i < start.Length; i++)
        {
            byteCount |= (long)(header[i] & 0x7F) << (7 * i);
            if (header[i] < 0x80)
            {
                headerByteCount = i + 1;
                return byteCount <= int.MaxValue ? true : throw TooLong();
            }
        }

        return start.Length < MaxByteCount ? false : throw TooLong();

        static InvalidDataException TooLong() => new("A message of more than 2 GiB is not supported.");
    }

    internal static int Write(Span<byte> destination, int byteCount)
    {
        int count = 0;
        uint rest = (uint)byteCount;
        for (; rest >= 0x80; rest >>= 7)
            destination[count++] = (byte)(rest | 0x80);
        destination[count++] = (byte)rest;
        return count;
    }
}

/// <summary>The kinds of messages of the protocol, as the first element of each says.</summary>
internal enum MessageType
{
    Invocation = 1,
    StreamItem = 2,
    Completion = 3,
    StreamInvocation = 4,
    CancelInvocation = 5,
    Ping = 6,
    Close = 7,
    Ack = 8,
    Sequence = 9,
}

/// <summary>The outcome in a completion message: an error, nothing, or a result.</summary>
internal enum ResultKind
{
    Error = 1,
    Void = 2,
    Result = 3,
}

using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Threading;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>
/// Writes and reads the bodies of System.Messaging's <c>BinaryMessageFormatter</c> (body type 768, [MS-NRBF]) for declared types, without
/// BinaryFormatter. Its format is unrelated to the binary format of <see cref="BinaryBodyFormatter{T}"/>.
/// </summary>
/// <typeparam name="T">The type of the payload; <see cref="object"/> for several types, which are then given in <see
/// cref="LegacyBinaryOptions"/>.</typeparam>
/// <remarks>
/// <para>The formatter writes, byte for byte, what BinaryFormatter writes for the same objects, so an unchanged receiver on .NET Framework accepts
/// it. It reads what BinaryFormatter wrote, with all its options, shared references and cycles. Wire format: docs/wire/legacy-binary.md.</para>
/// <para>The set of types is closed: those that the payload's type declares, and those given. No type is looked up, loaded or created because a body
/// names it. No constructor, property or callback runs: fields of any visibility are set directly. Types that write their own members
/// (<c>ISerializable</c>) are not read or written, except <see cref="DateTimeOffset"/>, <see cref="DBNull"/>, <see
/// cref="System.Collections.Hashtable"/> and dictionaries. A type need not be marked <c>[Serializable]</c> here; on .NET Framework it must be.</para>
/// <para>Members that the type does not have are skipped; members that the body does not have keep their default values (<see
/// cref="LegacyBinaryOptions.RequireAllMembers"/>). A number may have become wider.</para>
/// </remarks>
/// <example><code>
/// var formatter = new LegacyBinaryFormatter&lt;Order&gt;();
/// Order order = formatter.Read(message.BodyStream);
/// byte[] body = formatter.Write(order);           // send with BodyType = 768
/// </code></example>
public sealed class LegacyBinaryFormatter<T> : MessageFormatter<T>
{
    private readonly LegacyTypeMap _map;
    private LegacyReadState? _readState;
    private LegacyWriteState? _writeState;

    /// <summary>Creates a formatter: finds the types, and creates their contracts.</summary>
    /// <param name="options">The options; null means <see cref="LegacyBinaryOptions.Default"/>.</param>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> cannot be read from such a body, or two types have the same name in
    /// bodies.</exception>
    /// <exception cref="PlatformNotSupportedException">The program is compiled ahead of time: use a generated contract.</exception>
    /// <remarks>This takes milliseconds: keep the formatter.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public LegacyBinaryFormatter(LegacyBinaryOptions? options = null)
        : base(options?.Limits, ContentTypes.LegacyBinary, BodyTypes.LegacyBinary)
    {
        ReflectionMessages.RequireDynamicCode();
        _map = LegacyTypeMapBuilder.Build(typeof(T), options ?? LegacyBinaryOptions.Default, LegacyReflection.Find, []);
    }

    /// <summary>Creates a formatter of a generated contract, without reflection over members.</summary>
    /// <param name="contract">The contract of <typeparamref name="T"/>, or one with all types that a payload may have.</param>
    /// <param name="options">The options; null means <see cref="LegacyBinaryOptions.Default"/>. Types in them must be in the contract.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">A type is not in the contract, or two types have the same name in bodies.</exception>
    public LegacyBinaryFormatter(LegacyBinaryContract contract, LegacyBinaryOptions? options = null)
        : base(options?.Limits, ContentTypes.LegacyBinary, BodyTypes.LegacyBinary)
    {
        if (contract is null)
            throw new ArgumentNullException(nameof(contract));
        _map = LegacyTypeMapBuilder.Build(typeof(T), options ?? LegacyBinaryOptions.Default, contract.Find, contract.Types);
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentNullException">An argument is null: the format has no null.</exception>
    /// <exception cref="MessageFormatException"> An object is of a type outside the set (<see cref="MessageFormatErrorCode.TypeNotAllowed"/>), or the
    /// body is beyond a limit. Cycles are not an error. </exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        LegacyWriteState state = Interlocked.Exchange(ref _writeState, null) ?? new LegacyWriteState(_map.ContractCount);
        try
        {
            var writer = new LegacyWriter(destination, _map, state, Limits);
            writer.WriteBody(value);
            writer.Body.Flush();
            NoteByteCount((int)writer.Body.BytesWritten);
        }
        finally
        {
            state.Clear();
            _writeState = state;
        }
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The body is damaged, beyond a limit, or has an object of a type outside the set where it is used
    /// (<see cref="MessageFormatErrorCode.TypeNotAllowed"/>).</exception>
    public override T Read(ReadOnlySpan<byte> body)
    {
        LegacyReadState state = Interlocked.Exchange(ref _readState, null) ?? new LegacyReadState();
        try
        {
            if (ReadBody(body, state) is T value)
                return value;
            NrbfThrow.TypeNotAllowed(0, typeof(T).Name);
            return default;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            // Equals and GetHashCode of keys are code of the application's types, called on objects that a sender filled.
            throw BodyFault.Malformed(e, typeof(T));
        }
        finally
        {
            state.Clear();
            _readState = state;
        }
    }

    /// <inheritdoc/>
    /// <remarks>Uses the content type or body type; without either, the 17 bytes of the header, with which no other format begins.</remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body)
        || (body.BodyType == 0 && (body.ContentType is null || body.HasContentType(ContentTypes.OctetStream)) && LegacyHeader.Is(body.Bytes));

    /// <summary>Gets the payload's type, because a body names the types of its objects.</summary>
    private protected override string PayloadMark => typeof(T).ToString();

    private object ReadBody(ReadOnlySpan<byte> body, LegacyReadState state)
    {
        try
        {
            return new LegacyReader(body, _map, state, Limits, isSecondRun: false).ReadBody();
        }
        catch (MessageFormatException e) when (e.Code == MessageFormatErrorCode.TypeNotAllowed)
        {
            // Whether the object is used is known only after all records and the references from the root have been read: rare, so not done for every
            // body.
            state.Clear();
            return new LegacyReader(body, _map, state, Limits, isSecondRun: true).ReadBody();
        }
    }
}

using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using ProtoBuf;
using ProtoBuf.Meta;

namespace Formatters;

/// <summary>protobuf bodies by protobuf-net, for types that carry its attributes or that a model describes.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The bytes are those of <c>Serializer.Serialize</c>. The format has no end and no mark: a body that was cut between two members is a good
/// body with fewer members, and a body of another type may be read without an error.</para>
/// <para>Limits: body size and depth, in both directions. <see cref="FormatterLimits.MaxElementCount"/>,
/// <see cref="FormatterLimits.MaxAllocationFactor"/> and
/// <see cref="FormatterLimits.RefuseInvalidText"/> do not apply. Null is not written.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ProtobufNetFormatter&lt;Order&gt;();             // [ProtoContract] class Order
/// var registry = new FormatterRegistry(formatter, new XmlFormatter&lt;Order&gt;());
/// </code></example>
public sealed class ProtobufNetFormatter<[DynamicallyAccessedMembers(ContractMembers)] T> : MessageFormatter<T>
{
    /// <summary>The members that protobuf-net asks for.</summary>
    private const DynamicallyAccessedMemberTypes ContractMembers =
        DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors
        | DynamicallyAccessedMemberTypes.PublicMethods | DynamicallyAccessedMemberTypes.NonPublicMethods
        | DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields
        | DynamicallyAccessedMemberTypes.PublicNestedTypes | DynamicallyAccessedMemberTypes.NonPublicNestedTypes
        | DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.NonPublicProperties;

    private const string RuntimeModel = "A model that is made at run time finds contracts by reflection and emits code: pass a compiled model.";

    private readonly TypeModel _model;

    /// <summary>Writes through streams: there the library counts depth. Into a buffer writer it first measures, without counting, and a cycle ends
    /// the process.</summary>
    private readonly DelegateFormatter<T> _streams;

    /// <summary>Creates a formatter over a model of its own, made at run time, whose depth is that of the limits.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentException">protobuf-net has no contract for <typeparamref name="T"/>.</exception>
    /// <remarks>The model is compiled when it is first used, which takes milliseconds: keep the formatter.</remarks>
    [RequiresDynamicCode(RuntimeModel)]
    [RequiresUnreferencedCode(RuntimeModel)]
    public ProtobufNetFormatter(FormatterLimits? limits = null)
        : this(MakeModel(limits ?? FormatterLimits.Default), limits)
    {
    }

    /// <summary>Creates a formatter over a model: <c>RuntimeTypeModel.Default</c>, one with surrogates and types of your own, or a compiled
    /// one.</summary>
    /// <param name="model">The model. Its own <see cref="TypeModel.MaxDepth"/> holds (512 unless set), and not that of the limits: others may use the
    /// model, so it is left as it is.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="model"/> is null.</exception>
    /// <exception cref="ArgumentException">The model has no contract for <typeparamref name="T"/>.</exception>
    public ProtobufNetFormatter(TypeModel model, FormatterLimits? limits = null)
        : base(ContentTypes.Protobuf, BodyTypes.Protobuf, limits)
    {
        ArgumentNullException.ThrowIfNull(model);
        if (!model.CanSerialize(typeof(T)))
            throw new ArgumentException($"The model of protobuf-net has no contract for {typeof(T)}.", nameof(model));
        _model = model;
        _streams = DelegateFormatter.FromStreams<T>(
            ContentType, BodyType, (stream, value) => model.Serialize(stream, value), stream => model.Deserialize<T>(stream), Limits);
    }

    /// <inheritdoc/>
    public override int GetSizeHint(T value) => _streams.GetSizeHint(value);

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">
    /// Beyond a limit; a cycle; or what the library throws, as <see cref="MessageFormatErrorCode.BadValue"/> with the cause inside.
    /// </exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(value);
        try
        {
            _streams.Write(destination, value);
        }
        catch (Exception e) when (IsTooDeep(e))
        {
            throw TooDeep("The object graph is deeper than the model allows (FormatterLimits.MaxDepth), or has a cycle.", e);
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw LibraryFault.Writing(e, typeof(T));
        }
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body) => MergeCore(body, default);

    /// <inheritdoc/>
    /// <remarks>Nothing is copied.</remarks>
    public override T Read(in ReadOnlySequence<byte> body)
    {
        CheckBodyByteCount(body.Length);
        try
        {
            return _model.Deserialize<T>(body);
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw ReadError(e, body.Length);
        }
    }

    /// <summary>Reads a body on top of an object, as the format has it: members that the body has replace the object's, sub-messages are merged, and
    /// elements come after those that are there.</summary>
    /// <param name="body">The body, all of it.</param>
    /// <param name="value">The object to change. On an exception its content is undefined.</param>
    /// <returns>The object; another one where the body says that it is of a derived type.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    /// <remarks>Not what <see cref="MessageFormatter{T}.Read(ReadOnlySpan{byte}, ref T)"/> promises, which leaves nothing of the old content: here
    /// that one reads a new object.</remarks>
    public T Merge(ReadOnlySpan<byte> body, T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return MergeCore(body, value);
    }

    /// <inheritdoc/>
    /// <remarks>By content type if the body has one (also <c>application/protobuf</c> and <c>application/vnd.google.protobuf</c>), else by body
    /// type.</remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) || body.HasContentType("application/protobuf") || body.HasContentType("application/vnd.google.protobuf");

    private T MergeCore(ReadOnlySpan<byte> body, T? existing)
    {
        CheckBodyByteCount(body.Length);
        try
        {
            return _model.Deserialize(body, existing)!;
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw ReadError(e, body.Length);
        }
    }

    private static MessageFormatException ReadError(Exception e, long bodyByteCount) => IsTooDeep(e)
        ? TooDeep("The body is deeper than the model allows (FormatterLimits.MaxDepth).", e)
        : LibraryFault.Reading(e, typeof(T), -1, bodyByteCount);

    /// <summary>The library has no exception of its own for that, but names the property.</summary>
    private static bool IsTooDeep(Exception e) =>
        e is InvalidOperationException or ProtoException && e.Message.Contains(nameof(TypeModel.MaxDepth), StringComparison.Ordinal);

    private static MessageFormatException TooDeep(string what, Exception e) =>
        new(MessageFormatErrorCode.DepthExceeded, what, memberPath: typeof(T).Name, innerException: e);

    [RequiresDynamicCode(RuntimeModel)]
    [RequiresUnreferencedCode(RuntimeModel)]
    private static RuntimeTypeModel MakeModel(FormatterLimits limits)
    {
        RuntimeTypeModel model = RuntimeTypeModel.Create(typeof(T).Name);
        model.MaxDepth = limits.MaxDepth;
        return model;
    }
}

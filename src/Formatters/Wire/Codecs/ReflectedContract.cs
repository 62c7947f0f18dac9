using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Buffers;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>A contract found by reflection, compiled to emitted code if the runtime supports it.</summary>
/// <remarks>An error is explained by <see cref="WireWalk{TFormat}"/>, which takes the same path and tracks the member path.</remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ReflectedContract<TFormat, T> : TraversedContract<T>
    where TFormat : struct, IWireFormat
{
    private readonly ValueContract _contract;
#if NET
    private readonly WriteBody? _write;
    private readonly ReadBody? _read;
    private readonly OverwriteBody? _overwrite;
#endif

    internal ReflectedContract(ValueContract contract)
    {
        _contract = contract;
#if NET
        if (!System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeCompiled)
            return;
        var compiler = new TraversalCompiler<TFormat>();
        _write = compiler.CompileWrite<WriteBody>(contract);
        _read = compiler.CompileRead<ReadBody>(contract);
        _overwrite = compiler.CompileOverwrite<OverwriteBody>(contract);
#endif
    }

    internal override bool KnowsPath => true;

    internal override void WriteTraced(ref WireWriter writer, T value) => Write(ref writer, value);

    internal override T ReadTraced(ref WireReader reader) => Read(ref reader, default);

#if NET
    private delegate void WriteBody(ref WireWriter writer, T value);

    private delegate T ReadBody(ref WireReader reader);

    private delegate T OverwriteBody(ref WireReader reader, T existing);

    internal override void Write(ref WireWriter writer, T value)
    {
        if (_write is null)
        {
            WireWalk<TFormat>.Write(ref writer, _contract, value);
            return;
        }

        MessageFormatException? error = null;
        try
        {
            _write(ref writer, value);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        // Emitted code accesses the constants at their addresses.
        GC.KeepAlive(this);

        // Outside the catch block, in which the first run still occupies the stack.
        if (error is not null)
            Explain(error, value, writer.Limits);
    }

    internal override T Read(ref WireReader reader, T? existing)
    {
        if (_read is null)
            return (T)WireWalk<TFormat>.Read(ref reader, _contract, existing)!;
        ReadOnlySpan<byte> body = reader.Input.Remaining;
        Exception? error = null;
        try
        {
            T value = existing is null || typeof(T).IsValueType ? _read(ref reader) : _overwrite!(ref reader, existing);
            GC.KeepAlive(this);
            return value;
        }
        catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
        {
            error = e;
        }

        Explain(error, body, reader.ByteOffset, reader.Limits);
        return default;
    }

    /// <summary>Throws the error that the plain engine meets at the same place.</summary>
    /// <remarks>Throws the first error if the second run has another or none, because the type's own code behaves differently.</remarks>
    [DoesNotReturn]
    private void Explain(Exception error, ReadOnlySpan<byte> body, int byteOffset, FormatterLimits limits)
    {
        var first = error as MessageFormatException;
        if (error is OutOfMemoryException)
            throw BodyFault.Refused(byteOffset, error);
        var reader = new WireReader(body, limits);
        try
        {
            WireWalk<TFormat>.Read(ref reader, _contract, null);
        }
        catch (MessageFormatException e) when (first is null || e.Code == first.Code && e.ByteOffset == first.ByteOffset)
        {
            throw;
        }
        catch (Exception e) when (first is not null && e is not OutOfMemoryException)
        {
        }

        throw first ?? BodyFault.Refused(byteOffset, error);
    }

    [DoesNotReturn]
    private void Explain(MessageFormatException first, T value, FormatterLimits limits)
    {
        using var buffer = new PooledBufferWriter();
        var writer = new WireWriter(buffer, limits);
        try
        {
            WireWalk<TFormat>.Write(ref writer, _contract, value);
        }
        catch (Exception e) when (e is not OutOfMemoryException && (e as MessageFormatException)?.Code != first.Code)
        {
        }

        throw first;
    }
#else
    internal override void Write(ref WireWriter writer, T value) => WireWalk<TFormat>.Write(ref writer, _contract, value);

    internal override T Read(ref WireReader reader, T? existing) => (T)WireWalk<TFormat>.Read(ref reader, _contract, existing)!;
#endif
}

using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Contracts;

namespace Formatters;

/// <summary>
/// A contract found by reflection, in the binary or the versioned wire format; compiled to emitted code if the runtime supports it.
/// </summary>
/// <remarks>
/// Emitted code has no reflection and no boxing, and does not track the member path. The plain engine meets the same error at the same place and has
/// the path; it also does all the work if no code can be emitted.
/// </remarks>
internal sealed class ReflectedBinaryContract<T> : BinaryCodec<T>
{
    private readonly ValueContract _contract;
    private readonly bool _isVersioned;
#if NET
    private readonly WriteBody? _write;
    private readonly ReadBody? _read;
    private readonly OverwriteBody? _overwrite;
#endif

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal ReflectedBinaryContract(ContractOptions options)
    {
        _contract = ContractBuilder.Build(typeof(T), options);
        _isVersioned = options.IsVersioned;
#if NET
        if (!options.CompilesCode || !System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeCompiled)
            return;
        var compiler = new BinaryCompiler(_isVersioned);
        _write = compiler.CompileWrite<WriteBody>(_contract);
        _read = compiler.CompileRead<ReadBody>(_contract);
        _overwrite = compiler.CompileOverwrite<OverwriteBody>(_contract);
#endif
    }

#if NET
    private delegate void WriteBody(ref BinaryBodyWriter writer, T value);

    private delegate T ReadBody(ref BinaryBodyReader reader);

    private delegate T OverwriteBody(ref BinaryBodyReader reader, T existing);

    internal override bool KnowsPath => _write is null;
#else
    internal override bool KnowsPath => true;
#endif

    public override int MinByteCount => _contract.MinByteCount;

    public override void Write(ref BinaryBodyWriter writer, T value)
    {
        if (_isVersioned)
            writer.Output.BeginOpen();
#if NET
        if (_write is not null)
            _write(ref writer, value);
        else
#endif
            _contract.Write(ref writer, value);
        if (_isVersioned)
            writer.Output.EndOpen();
    }

    public override T Read(ref BinaryBodyReader reader, T? existing = default)
    {
#if NET
        if (_read is not null)
            return existing is null ? _read(ref reader) : _overwrite!(ref reader, existing);
#endif
        return (T)_contract.Read(ref reader, existing)!;
    }

    internal override void WriteTraced(ref BinaryBodyWriter writer, T value)
    {
        if (_isVersioned)
            writer.Output.BeginOpen();
        _contract.Write(ref writer, value);
        if (_isVersioned)
            writer.Output.EndOpen();
    }

    internal override T ReadTraced(ref BinaryBodyReader reader) => (T)_contract.Read(ref reader, null)!;
}

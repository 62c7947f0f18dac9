#if NET
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>A contract as emitted code. No reflection and no boxing remain in it, and no member path: see <see cref="ReflectionFormatter{T}"/>.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class CompiledContract<T>
{
    internal CompiledContract(ValueContract contract)
    {
        var compiler = new BinaryCompiler();
        Write = compiler.CompileWrite<WriteBody>(contract);
        Read = compiler.CompileRead<ReadBody>(contract);
        Overwrite = compiler.CompileOverwrite<OverwriteBody>(contract);
    }

    internal delegate void WriteBody(ref BinaryBodyWriter writer, T value);

    internal delegate T ReadBody(ref BinaryBodyReader reader);

    internal delegate T OverwriteBody(ref BinaryBodyReader reader, T existing);

    internal WriteBody Write { get; }

    internal ReadBody Read { get; }

    internal OverwriteBody Overwrite { get; }
}
#endif

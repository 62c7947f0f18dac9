using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// The contract of a base library type without methods in the writer and the reader, which <see cref="ContractCode"/> implements:
/// docs/wire/binary.md, "Further values".
/// </summary>
internal abstract class KnownContract(Type type) : ValueContract(type)
{
    internal ScalarType Row { get; } = ScalarTypes.Find((type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!)!;

    internal override int MinByteCount => Row.MinByteCount;

    /// <summary>Returns the static method that writes a value without a position. <see cref="ContractCode"/> has the method that reads it.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal MethodInfo GetWriteMethod() => GetType().GetMethod("WriteValue", BindingFlags.NonPublic | BindingFlags.Static)!;
}

/// <inheritdoc/>
internal sealed class KnownContract<T>(KnownContract<T>.WriteAt write, KnownContract<T>.ReadNext read) : KnownContract(typeof(T))
{
    private static readonly KnownContract<T> Instance = (KnownContract<T>)ContractCode.FindKnown(typeof(T))!;

    private readonly WriteAt _write = write;

    internal delegate ref byte WriteAt(ref BinaryBodyWriter writer, ref byte position, T? value);

    internal delegate T ReadNext(ref BinaryBodyReader reader);

    internal static void WriteValue(ref BinaryBodyWriter writer, T? value) =>
        writer.Output.MoveTo(ref Instance._write(ref writer, ref writer.Output.Position, value));

    internal override void Write(ref BinaryBodyWriter writer, object? value) => WriteValue(ref writer, (T?)value);

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => read(ref reader);
}

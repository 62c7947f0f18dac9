using System;
using System.Collections.Generic;
using System.Numerics;
using Formatters.Generated;

namespace Formatters;

/// <summary>A value of the base library that neither the writer nor the reader has a method for: docs/wire/binary.md, "Further values".</summary>
internal sealed class KnownContract(Type type, Scalar.WriteValue write, Scalar.ReadValue read) : ValueContract(type)
{
    internal ScalarType Row { get; } = ScalarTypes.Find((type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!)!;

    /// <summary>The name in those of its methods: <c>WriteUri</c> of <see cref="KnownMethods"/> and <c>ReadUri</c> of <see cref="ContractCode"/>.</summary>
    internal string Name => Row.Name;

    internal override int MinByteCount => Row.MinByteCount;

    internal static KnownContract? Find(Type type) =>
        type == typeof(Uri) ? new(type, static (ref w, v) => KnownMethods.WriteUri(ref w, (Uri?)v), static (ref r) => ContractCode.ReadUri(ref r))
        : type == typeof(Version) ? new(type, static (ref w, v) => KnownMethods.WriteVersion(ref w, (Version?)v), static (ref r) => ContractCode.ReadVersion(ref r))
        : type == typeof(BigInteger) ? new(type, static (ref w, v) => KnownMethods.WriteBigInteger(ref w, (BigInteger)v), static (ref r) => ContractCode.ReadBigInteger(ref r))
        : type == typeof(Memory<byte>) ? new(type, static (ref w, v) => KnownMethods.WriteMemory(ref w, (Memory<byte>)v), static (ref r) => ContractCode.ReadMemory(ref r))
        : type == typeof(ReadOnlyMemory<byte>)
            ? new(type, static (ref w, v) => KnownMethods.WriteReadOnlyMemory(ref w, (ReadOnlyMemory<byte>)v), static (ref r) => ContractCode.ReadReadOnlyMemory(ref r))
        : null;

    internal override void Write(ref BinaryBodyWriter writer, object? value) => write(ref writer, value!);

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => read(ref reader);
}

/// <summary>The writing methods of <see cref="ContractCode"/> without a position.</summary>
internal static class KnownMethods
{
    internal static void WriteUri(ref BinaryBodyWriter writer, Uri? value) => writer.Output.MoveTo(ref ContractCode.WriteUri(ref writer, ref writer.Output.Position, value));

    internal static void WriteVersion(ref BinaryBodyWriter writer, Version? value) => writer.Output.MoveTo(ref ContractCode.WriteVersion(ref writer, ref writer.Output.Position, value));

    internal static void WriteBigInteger(ref BinaryBodyWriter writer, BigInteger value) => writer.Output.MoveTo(ref ContractCode.WriteBigInteger(ref writer, ref writer.Output.Position, value));

    internal static void WriteMemory(ref BinaryBodyWriter writer, Memory<byte> value) => writer.WriteBytes(value.Span);

    internal static void WriteReadOnlyMemory(ref BinaryBodyWriter writer, ReadOnlyMemory<byte> value) => writer.WriteBytes(value.Span);
}

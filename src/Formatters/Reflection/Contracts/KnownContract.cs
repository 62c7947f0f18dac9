using System;
using System.Net;
using System.Numerics;
using Formatters.Binary;
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

    /// <summary>Returns the contract of one of these types; null for others.</summary>
    internal static KnownContract? Find(Type type) =>
        type == typeof(Uri)
        ? new KnownContract<Uri>(ContractCode.WriteUri, ContractCode.ReadUri)
        : type == typeof(Version)
        ? new KnownContract<Version>(ContractCode.WriteVersion, ContractCode.ReadVersion)
        : type == typeof(IPAddress)
        ? new KnownContract<IPAddress>(ContractCode.WriteIPAddress, ContractCode.ReadIPAddress)
        : type == typeof(BigInteger)
        ? new KnownContract<BigInteger>(ContractCode.WriteBigInteger, ContractCode.ReadBigInteger)
        : type == typeof(Memory<byte>)
        ? new KnownContract<Memory<byte>>(ContractCode.WriteMemory, ContractCode.ReadMemory)
        : type == typeof(ReadOnlyMemory<byte>)
        ? new KnownContract<ReadOnlyMemory<byte>>(ContractCode.WriteReadOnlyMemory, ContractCode.ReadReadOnlyMemory)
        : null;
}

/// <inheritdoc/>
internal sealed class KnownContract<T>(KnownContract<T>.WriteAt write, KnownContract<T>.ReadNext read) : KnownContract(typeof(T))
{
    internal delegate ref byte WriteAt(ref BinaryBodyWriter writer, ref byte position, T? value);

    internal delegate T ReadNext(ref BinaryBodyReader reader);

    internal override void Write(ref BinaryBodyWriter writer, object? value) =>
        writer.Output.MoveTo(ref write(ref writer, ref writer.Output.Position, (T?)value));

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => read(ref reader);
}

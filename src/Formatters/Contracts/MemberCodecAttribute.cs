using System;
using Formatters.Binary;
using Formatters.MessagePack;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>
/// Names the codec that writes and reads a member, or all values of a type, with custom bytes. The attribute of a member takes precedence over that
/// of its type.
/// </summary>
/// <param name="codecType">A class with a public constructor without parameters that derives from <see cref="BinaryCodec{T}"/> of the type: its bytes
/// are used in every format. Or, for bytes of one format, from <see cref="MessagePackCodec{T}"/> or <see cref="ProtobufCodec{T}"/>. Protobuf needs a
/// <see cref="ProtobufCodec{T}"/>.</param>
[AttributeUsage(
    AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface
    | AttributeTargets.Enum,
    Inherited = false)]
public sealed class MemberCodecAttribute(Type codecType) : Attribute
{
    /// <summary>Gets the type of the codec.</summary>
    public Type CodecType { get; } = codecType ?? throw new ArgumentNullException(nameof(codecType));
}

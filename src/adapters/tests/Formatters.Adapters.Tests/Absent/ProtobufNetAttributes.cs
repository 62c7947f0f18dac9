// The attributes of the model, for a build without protobuf-net.
using System;

namespace ProtoBuf;

[AttributeUsage(AttributeTargets.All)]
internal sealed class ProtoContractAttribute : Attribute;

[AttributeUsage(AttributeTargets.All)]
internal sealed class ProtoMemberAttribute(int number) : Attribute
{
    public int Number { get; } = number;
}

[AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
internal sealed class ProtoIncludeAttribute(int tag, Type type) : Attribute
{
    public int Tag { get; } = tag;

    public Type Type { get; } = type;
}

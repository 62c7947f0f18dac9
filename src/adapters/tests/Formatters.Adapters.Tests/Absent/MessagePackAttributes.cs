// The attributes of the model, for a build without MessagePack-CSharp.
using System;

namespace MessagePack;

[AttributeUsage(AttributeTargets.All)]
internal sealed class MessagePackObjectAttribute : Attribute;

[AttributeUsage(AttributeTargets.All)]
internal sealed class KeyAttribute(int number) : Attribute
{
    public int Number { get; } = number;
}

[AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
internal sealed class UnionAttribute(int tag, Type type) : Attribute
{
    public int Tag { get; } = tag;

    public Type Type { get; } = type;
}

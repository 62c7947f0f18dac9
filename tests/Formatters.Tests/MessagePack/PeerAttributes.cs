// The attributes of MessagePack-CSharp by name: that is how they are recognised, so that neither library has to know the other.
using System;

#pragma warning disable CA1019, IDE0130

namespace MessagePack;

[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class MessagePackObjectAttribute(bool keyAsPropertyName = false) : Attribute
{
    public bool KeyAsPropertyName => keyAsPropertyName;
}

[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class KeyAttribute : Attribute
{
    public KeyAttribute(int x) => IntKey = x;

    public KeyAttribute(string x) => StringKey = x;

    public int? IntKey { get; }

    public string? StringKey { get; }
}

[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property)]
public sealed class IgnoreMemberAttribute : Attribute;

[AttributeUsage(AttributeTargets.Class | AttributeTargets.Interface, AllowMultiple = true)]
public sealed class UnionAttribute(int key, Type subType) : Attribute
{
    public int Key => key;

    public Type SubType => subType;
}

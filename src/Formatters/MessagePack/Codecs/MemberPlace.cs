using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;
using System.Text;

namespace Formatters;

/// <summary>A member, and where it stands in the array form and in the map form.</summary>
/// <param name="Info">The field or property.</param>
/// <param name="Type">Its type.</param>
/// <param name="Index">Its place in the array form.</param>
/// <param name="Key">Its name in the map form.</param>
/// <param name="CanSet">Whether it can be set when the object is made.</param>
internal sealed record MemberPlace(MemberInfo Info, AnnotatedType Type, int Index, string Key, bool CanSet)
{
    /// <summary>The number of UTF-8 bytes of the name.</summary>
    internal int KeyByteCount { get; } = Encoding.UTF8.GetByteCount(Key);

    /// <summary>The name as a whole value.</summary>
    internal byte[] EncodedKey { get; } = Encode(Key);

    private static byte[] Encode(string key)
    {
        using var buffer = new PooledBufferWriter();
        var writer = new MessagePackBodyWriter(buffer);
        writer.Write(key);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}

/// <summary>
/// What the attributes of a member say of its number and its name: ours, or, known by their full names, those of MessagePack-CSharp; and
/// <c>[DataMember]</c> in a type with <c>[DataContract]</c>, as MessagePack-CSharp takes it.
/// </summary>
internal readonly record struct MemberMark(int? Index, string? Name, bool IsExplicit)
{
    private const string Key = "MessagePack.KeyAttribute";
    private const string IgnoreMember = "MessagePack.IgnoreMemberAttribute";
    private const string MessagePackObject = "MessagePack.MessagePackObjectAttribute";

    internal static bool IsLeftOut(MemberInfo member) => Find(member.GetCustomAttributesData(), IgnoreMember) is not null;

    /// <summary>
    /// Whether a type asks for the map form, with <c>[MessagePackObject(keyAsPropertyName: true)]</c>; null where its members decide. One without members
    /// and without that is an array.
    /// </summary>
    internal static bool? HasNamedMembers(Type type, int memberCount)
    {
        if (Find(type.GetCustomAttributesData(), MessagePackObject) is not CustomAttributeData attribute)
            return null;
        bool isNamed = attribute.ConstructorArguments.Count > 0 && attribute.ConstructorArguments[0].Value is true;
        return isNamed ? true : memberCount == 0 ? false : null;
    }

    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it: on a positional record it carries the attribute.</param>
    /// <param name="path">The member path for an error.</param>
    internal static MemberMark Of(MemberInfo member, ParameterInfo? parameter, string path)
    {
        MessageMemberAttribute? own = member.GetCustomAttribute<MessageMemberAttribute>() ?? parameter?.GetCustomAttribute<MessageMemberAttribute>();
        if (own is not null)
        {
            if (own.Number < 0)
                throw new ArgumentException($"{path}: the number {own.Number} is negative.");
            return new MemberMark(own.Number > 0 ? own.Number - 1 : null, own.Name, true);
        }

        if (Find(member.GetCustomAttributesData(), Key) is CustomAttributeData { ConstructorArguments.Count: > 0 } attribute)
        {
            object? key = attribute.ConstructorArguments[0].Value;
            if (key is int and < 0)
                throw new ArgumentException($"{path}: the key {key} is negative.");
            return new MemberMark(key as int?, key as string, true);
        }

        if (member.DeclaringType!.IsDefined(typeof(DataContractAttribute), false) && member.GetCustomAttribute<DataMemberAttribute>() is DataMemberAttribute data)
            return new MemberMark(data.Order >= 0 ? data.Order : null, data.Name, true);
        return default;
    }

    private static CustomAttributeData? Find(IEnumerable<CustomAttributeData> attributes, string fullName)
    {
        foreach (CustomAttributeData attribute in attributes)
        {
            if (attribute.AttributeType.FullName == fullName)
                return attribute;
        }

        return null;
    }
}

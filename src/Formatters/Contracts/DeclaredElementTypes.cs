using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>The element types that options declare for <see cref="ArrayList"/> members. Immutable.</summary>
internal sealed class DeclaredElementTypes
{
    internal static readonly DeclaredElementTypes None = new([]);

    private readonly Dictionary<(Type DeclaringType, string MemberName), Type> _types;

    private DeclaredElementTypes(Dictionary<(Type DeclaringType, string MemberName), Type> types) => _types = types;

    internal DeclaredElementTypes With(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
        Type declaringType,
        string memberName,
        Type elementType)
    {
        if (declaringType is null)
            throw new ArgumentNullException(nameof(declaringType));
        if (memberName is null)
            throw new ArgumentNullException(nameof(memberName));
        if (elementType is null)
            throw new ArgumentNullException(nameof(elementType));
        const BindingFlags PublicInstance = BindingFlags.Public | BindingFlags.Instance;
        MemberInfo member = (MemberInfo?)declaringType.GetField(memberName, PublicInstance) ?? declaringType.GetProperty(memberName, PublicInstance)
            ?? throw new ArgumentException($"{TypeNames.Of(declaringType)} has no public field or property {memberName}.", nameof(memberName));
        if ((member is FieldInfo field ? field.FieldType : ((PropertyInfo)member).PropertyType) != typeof(ArrayList))
            throw new ArgumentException($"{TypeNames.Of(declaringType)}.{memberName} is not an ArrayList.", nameof(memberName));
        return new(new(_types) { [(member.DeclaringType!, memberName)] = elementType });
    }

    internal Type? Find(Type declaringType, string memberName) =>
        _types.TryGetValue((declaringType, memberName), out Type? elementType) ? elementType : null;
}

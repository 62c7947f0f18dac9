using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>An attribute, by reflection.</summary>
internal sealed class ReflectedAttribute(CustomAttributeData data) : AttributeView
{
    private string? _name;

    internal override string Name => _name ??= NameOf(data.AttributeType);

    internal override IEnumerable<string> BaseNames
    {
        get
        {
            for (Type? level = data.AttributeType.BaseType; level is not null && level != typeof(Attribute); level = level.BaseType)
                yield return NameOf(level);
        }
    }

    private static string NameOf(Type type) => (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName ?? "";

    internal override object? Argument(int index) => index < data.ConstructorArguments.Count ? ValueOf(data.ConstructorArguments[index].Value) : null;

    internal override object? Named(string name)
    {
        foreach (CustomAttributeNamedArgument argument in data.NamedArguments)
        {
            if (argument.MemberName == name)
                return ValueOf(argument.TypedValue.Value);
        }

        return null;
    }

    internal static IReadOnlyList<AttributeView> Of(IList<CustomAttributeData> attributes)
    {
        var views = new AttributeView[attributes.Count];
        for (int i = 0; i < views.Length; i++)
            views[i] = new ReflectedAttribute(attributes[i]);
        return views;
    }

    private static object? ValueOf(object? value) =>
        value is IReadOnlyCollection<CustomAttributeTypedArgument> items ? items.Select(static item => ValueOf(item.Value)).ToArray() : value;
}

/// <summary>A method or constructor, by reflection.</summary>
internal sealed class ReflectedMethod(MethodBase method) : DeclarationView
{
    private protected override IReadOnlyList<AttributeView> FindAttributes() => ReflectedAttribute.Of(method.GetCustomAttributesData());
}

/// <summary>A class or struct, by reflection.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed class ReflectedType(Type type) : TypeView
{
    private const BindingFlags Constructors = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;

    private protected override IReadOnlyList<AttributeView> FindAttributes() => ReflectedAttribute.Of(type.GetCustomAttributesData());

    private protected override IReadOnlyList<ParameterView> FindConstructorParameters() =>
        [.. type.GetConstructors(Constructors).SelectMany(static constructor => constructor.GetParameters())
            .Select(static parameter => new ReflectedParameter(parameter))];
}

/// <summary>A parameter of a constructor, by reflection.</summary>
internal sealed class ReflectedParameter(ParameterInfo info) : ParameterView
{
    internal override string Name => info.Name ?? "";

    /// <summary>Returns the type of a parameter's value, also if it is passed by <c>in</c>.</summary>
    internal static Type TypeOf(ParameterInfo parameter) =>
        parameter.ParameterType.IsByRef && parameter.IsIn && !parameter.IsOut ? parameter.ParameterType.GetElementType()! : parameter.ParameterType;

    internal override bool Takes(MemberView member) => ((ReflectedMember)member).Type.Type == TypeOf(info);

    private protected override IReadOnlyList<AttributeView> FindAttributes() => ReflectedAttribute.Of(info.GetCustomAttributesData());
}

/// <summary>A field or property, by reflection.</summary>
/// <param name="info">Which.</param>
/// <param name="findType">Its type with its annotations, which are looked up for members only.</param>
/// <param name="declaringType">The type that declares it.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed class ReflectedMember(MemberInfo info, Func<AnnotatedType> findType, ReflectedType declaringType) : MemberView
{
    private AnnotatedType? _type;

    internal MemberInfo Info => info;

    internal AnnotatedType Type => _type ??= findType();

    internal override string Name => info.Name;

    internal override TypeView DeclaringType => declaringType;

    internal override bool IsProperty => info is PropertyInfo;

    internal override bool IsPublic => info is FieldInfo { IsPublic: true } or PropertyInfo { GetMethod.IsPublic: true }
        or PropertyInfo { SetMethod.IsPublic: true };

    internal override bool IsReadable => info is FieldInfo { IsPublic: true } or PropertyInfo { GetMethod.IsPublic: true };

    internal override bool HasSetter => info is FieldInfo { IsInitOnly: false } or PropertyInfo { SetMethod: not null };

    internal override bool HasPublicSetter => info is FieldInfo { IsInitOnly: false } or PropertyInfo { SetMethod.IsPublic: true };

    internal override bool KeepsUnknown => TypeOf(info) == typeof(UnknownMembers);

#pragma warning disable SYSLIB0050 // The flag of [NonSerialized] still says what its author meant.
    internal override bool IsNotSerialized => info is FieldInfo { IsNotSerialized: true };
#pragma warning restore SYSLIB0050

    internal bool CanRead => info is FieldInfo or PropertyInfo { CanRead: true };

    /// <summary>
    /// Gets whether a member that cannot be set stores a value instead of computing it: it is a field, an automatic property or a collection.
    /// </summary>
    internal bool Holds => HasStorage
        || info is PropertyInfo property && property.PropertyType != typeof(string) && typeof(IEnumerable).IsAssignableFrom(property.PropertyType);

    /// <summary>Gets whether it is a field, or an automatic property.</summary>
    internal bool HasStorage => info is not PropertyInfo property
        || property.DeclaringType!.GetField($"<{property.Name}>k__BackingField",
            BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly) is not null;

    /// <summary>Creates a member whose annotations are not needed.</summary>
    internal static ReflectedMember Of(MemberInfo info) =>
        new(info, () => AnnotatedType.Unannotated(TypeOf(info)), new ReflectedType(info.DeclaringType!));

    internal static Type TypeOf(MemberInfo member) => member is FieldInfo field ? field.FieldType : ((PropertyInfo)member).PropertyType;

    private protected override IReadOnlyList<AttributeView> FindAttributes() => ReflectedAttribute.Of(info.GetCustomAttributesData());
}

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>Rejects attributes of other serializers that a contract by reflection would ignore: docs/attributes.md.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class ForeignChecks
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Checks a record.</summary>
    /// <param name="annotated">The type.</param>
    /// <param name="path">The path for an error.</param>
    /// <param name="format">The wire format.</param>
    /// <param name="usesBclTypes">Whether <c>ProtobufOptions.UseBclTypes</c> is set.</param>
    /// <exception cref="ArgumentException">An attribute would be ignored.</exception>
    internal static void Check(AnnotatedType annotated, string path, ForeignFormats format, bool usesBclTypes = false)
    {
        // Most types have no such attributes, and need not load the table.
        if (!NeedsCheck(annotated.Type))
            return;
        var levels = new Stack<AnnotatedType>();
        for (AnnotatedType? level = annotated; level is not null; level = AnnotatedType.OfBase(level))
        {
            if (level.Type != typeof(object) && level.Type != typeof(ValueType))
                levels.Push(level);
        }

        Throw(new ForeignRules(format, usesBclTypes).Check([.. levels.Select(static level => Level(level))]), path);
    }

    /// <summary>Checks a type without members of its own: an enum, an interface or an abstract class.</summary>
    /// <inheritdoc cref="Check"/>
    internal static void CheckAlone(Type type, string path, ForeignFormats format)
    {
        if (HasForeign(type))
            Throw(new ForeignRules(format, false).CheckAlone(Level(type)), path);
    }

    private static bool NeedsCheck(Type type)
    {
        for (Type? level = type; level is not null && level != typeof(object) && level != typeof(ValueType); level = level.BaseType)
        {
            if (HasForeign(level) || IsSerializable(level) && Array.Exists(level.GetFields(Declared), IsLeftOutField))
                return true;
        }

        return false;
    }

    private static bool HasForeign(Type type)
    {
        foreach (CustomAttributeData data in type.GetCustomAttributesData())
        {
            for (Type? attribute = data.AttributeType; attribute is not null && attribute != typeof(Attribute); attribute = attribute.BaseType)
            {
                if (attribute.Namespace is "MessagePack" or "ProtoBuf" or "MemoryPack" || attribute.FullName == AttributeNames.DataContract)
                    return true;
            }
        }

        return false;
    }

#pragma warning disable SYSLIB0050 // The flags of [Serializable] and [NonSerialized] still say what their author meant.
    private static bool IsSerializable(Type type) => type.IsSerializable;

    private static bool IsLeftOutField(FieldInfo field) => field.IsNotSerialized && field.Name[0] == '<';
#pragma warning restore SYSLIB0050

    private static void Throw(IReadOnlyList<ForeignFault> faults, string path)
    {
        if (faults.Count > 0)
            throw new ArgumentException($"{(faults[0].Member.Length == 0 ? path : path + "." + faults[0].Member)}: {faults[0].Text}.");
    }

    /// <summary>Describes a type without its members.</summary>
    private static ForeignType Level(Type type) => new(new ReflectedType(type), type.Name, type)
    {
        AssemblyAttributes = [.. ReflectedAttribute.Of(type.Module.GetCustomAttributesData()), .. ReflectedAttribute.Of(
            type.Assembly.GetCustomAttributesData())],
        IsFormattedBy = formatter => formatter is Type { IsGenericTypeDefinition: false } named && named.GetInterfaces().Any(
            i => i.IsGenericType && i.GetGenericTypeDefinition().FullName == "MessagePack.Formatters.IMessagePackFormatter`1"
                && i.GetGenericArguments()[0] == type),
        IsSerializable = IsSerializable(type),
    };

    private static ForeignType Level(AnnotatedType level)
    {
        Type type = level.Type;
        var view = new ReflectedType(type);
        return Level(type) with
        {
            View = view,
            Members = [.. type.GetFields(Declared).Where(static f => f.Name[0] != '<').Select(Member),
                .. type.GetProperties(Declared).Where(static p => p.GetIndexParameters().Length == 0).Select(Member)],
            Methods = [.. type.GetMethods(Declared).Select(static m => new ForeignMethod(m.Name, new ReflectedMethod(m), m))],
            Constructors = [.. type.GetConstructors(Declared).Select(static c => new ForeignConstructor(new ReflectedMethod(c), c, c.IsPublic,
                [.. c.GetParameters().Select(static p => new ReflectedParameter(p))]))],
            ReceivesCallbacks = type.GetInterfaces().Any(static i => i.FullName == "MessagePack.IMessagePackSerializationCallbackReceiver"),
        };

        ForeignMember Member(MemberInfo info)
        {
            Type declared = ReflectedMember.TypeOf(info);
            AnnotatedType annotated = AnnotatedType.OfMember(info, declared, level);
            Type inner = Nullable.GetUnderlyingType(declared) ?? declared;
            bool isCollection = IsCollection(inner);
            Type? element = inner.IsArray ? inner.GetElementType() : inner.IsGenericType ? inner.GetGenericArguments().Last() : null;
            int last = annotated.Arguments.Length - 1;
            return new ForeignMember(new ReflectedMember(info, () => annotated, view), info)
            {
                IsOverride = info is PropertyInfo property && ReflectedMembers.IsOverride(property),
                IsNullable = annotated.IsNullable,
                IsRequired = RecordMember.IsRequired(info),
                IsNumber = ForeignMember.IsNumberType(inner.FullName ?? "", inner.IsEnum),
                IsCollection = isCollection,
                HasCollectionElements = isCollection && element is not null && element != typeof(byte[]) && IsCollection(element),
                HasEnums = TypesIn(inner).Any(static t => t.IsEnum),
                IsDictionary = isCollection && inner.IsGenericType && inner.GetGenericArguments().Length == 2,
                HasNullableElements = isCollection && last >= 0 && annotated.Arguments[last].IsNullable,
                IsFieldNotSerialized = info is PropertyInfo && type.GetField($"<{info.Name}>k__BackingField", Declared) is FieldInfo field
                    && IsLeftOutField(field),
                TypeNames = [.. TypesIn(inner).Select(static t => t.FullName ?? "")],
            };
        }
    }

    private static bool IsCollection(Type type) => type != typeof(string) && typeof(IEnumerable).IsAssignableFrom(type);

    private static IEnumerable<Type> TypesIn(Type type)
    {
        if (type.HasElementType)
            return TypesIn(type.GetElementType()!);
        if (!type.IsGenericType || !ForeignMember.IsOpen(type.Namespace ?? ""))
            return [type];
        return type.GetGenericArguments().SelectMany(TypesIn);
    }
}

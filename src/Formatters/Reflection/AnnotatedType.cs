// The attributes in which the compiler stores nullable annotations: https://github.com/dotnet/roslyn/blob/main/docs/features/nullable-metadata.md
using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text;
using Formatters.Contracts;

namespace Formatters;

/// <summary>A type as declared by a member, with the nullable annotations of the reference types in it.</summary>
internal sealed class AnnotatedType
{
    private const byte Oblivious = 0;
    private const byte Annotated = 2;
    private static readonly AnnotatedType[] None = [];

    private AnnotatedType(Type type, bool isNullable, AnnotatedType[] arguments, bool unannotatedAllowsNull)
    {
        Type = type;
        IsNullable = isNullable;
        Arguments = arguments;
        UnannotatedAllowsNull = unannotatedAllowsNull;
    }

    internal Type Type { get; }

    /// <summary>
    /// Gets whether null is a value: <c>string?</c> or <c>int?</c>. Code without nullable annotations declares none, unless <see
    /// cref="UnannotatedAllowsNull"/> is set.
    /// </summary>
    internal bool IsNullable { get; }

    /// <summary>
    /// Gets whether members of reference types are nullable if declared by code without nullable annotations; elements, keys and values are not
    /// affected.
    /// </summary>
    private bool UnannotatedAllowsNull { get; }

    /// <summary>Gets the type arguments, or the element type of an array.</summary>
    internal AnnotatedType[] Arguments { get; }

    /// <summary>
    /// Gets a key that distinguishes contracts of one type: <c>List&lt;string&gt;</c> and <c>List&lt;string?&gt;</c>. The nullability of the
    /// outermost type is not part of it.
    /// </summary>
    internal string Key
    {
        get
        {
            var key = new StringBuilder();
            Append(key, this);
            return key.ToString();

            static void Append(StringBuilder key, AnnotatedType type)
            {
                foreach (AnnotatedType argument in type.Arguments)
                {
                    key.Append(argument.IsNullable ? '?' : '.');
                    Append(key, argument);
                }
            }
        }
    }

    /// <summary>Creates a type without known annotations, as the root of a contract: only <see cref="Nullable{T}"/> in it is nullable.</summary>
    /// <param name="type">The type.</param>
    /// <param name="unannotatedAllowsNull">Whether its unannotated members may be null, as with <c>ContractOptions.UnannotatedAllowsNull</c>.</param>
    internal static AnnotatedType Unannotated(Type type, bool unannotatedAllowsNull = false) =>
        new Walk([0], null, unannotatedAllowsNull).Visit(type, type);

    /// <summary>Returns the type of a member.</summary>
    /// <param name="member">The field or property.</param>
    /// <param name="type">Its type.</param>
    /// <param name="owner">The type that declares it, with the annotations of its type arguments.</param>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal static AnnotatedType OfMember(MemberInfo member, Type type, AnnotatedType owner)
    {
        MemberInfo definition = member;
        if (owner.Type.IsGenericType)
        {
            const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;
            Type ownerDefinition = owner.Type.GetGenericTypeDefinition();
            definition = member is FieldInfo ? ownerDefinition.GetField(member.Name, Declared)! : ownerDefinition.GetProperty(member.Name, Declared)!;
        }

        Type definitionType = definition is FieldInfo field ? field.FieldType : ((PropertyInfo)definition).PropertyType;
        byte[] flags = FlagsOf(definition, definition.DeclaringType);
        AnnotatedType annotated = new Walk(flags, owner, owner.UnannotatedAllowsNull).Visit(definitionType, type);
        // Whether the base library has annotations (Tuple's Item1) depends on its version.
        return owner.UnannotatedAllowsNull && flags[0] == Oblivious && !type.IsValueType && owner.Type.Assembly != typeof(object).Assembly
            ? new AnnotatedType(type, true, annotated.Arguments, unannotatedAllowsNull: true) : annotated;
    }

    /// <summary>Returns the base class of a type; null if it is <see cref="object"/> or <see cref="ValueType"/>.</summary>
    internal static AnnotatedType? OfBase(AnnotatedType derived)
    {
        Type? closed = derived.Type.BaseType;
        if (closed is null || closed == typeof(object) || closed == typeof(ValueType))
            return null;
        Type definition = derived.Type.IsGenericType ? derived.Type.GetGenericTypeDefinition() : derived.Type;
        return new Walk(FlagsOf(definition, definition), derived, derived.UnannotatedAllowsNull).Visit(definition.BaseType!, closed);
    }

    /// <summary>Returns one flag for every reference type in the declaration, in source order; or a single one for all.</summary>
    private static byte[] FlagsOf(MemberInfo declaration, Type? scope)
    {
        foreach (CustomAttributeData attribute in declaration.GetCustomAttributesData())
        {
            if (attribute.AttributeType.FullName != "System.Runtime.CompilerServices.NullableAttribute")
                continue;
            object? argument = attribute.ConstructorArguments[0].Value;
            if (argument is byte flag)
                return [flag];
            if (argument is IReadOnlyCollection<CustomAttributeTypedArgument> items)
            {
                var flags = new List<byte>(items.Count);
                foreach (CustomAttributeTypedArgument item in items)
                    flags.Add((byte)item.Value!);
                return flags.ToArray();
            }
        }

        for (; scope is not null; scope = scope.DeclaringType)
        {
            foreach (CustomAttributeData attribute in scope.GetCustomAttributesData())
            {
                if (attribute.AttributeType.FullName == "System.Runtime.CompilerServices.NullableContextAttribute"
                    && attribute.ConstructorArguments[0].Value is byte flag)
                    return [flag];
            }
        }

        return [0];
    }

    /// <summary>Walks a declaration in parallel with its flags: along the generic definition, to which the flags apply.</summary>
    private sealed class Walk(byte[] flags, AnnotatedType? owner, bool unannotatedAllowsNull)
    {
        private int _index;

        internal AnnotatedType Visit(Type definition, Type type)
        {
            if (definition.IsGenericParameter)
            {
                byte flag = definition.IsValueType ? (byte)0 : Next();
                AnnotatedType argument = owner!.Arguments[definition.GenericParameterPosition];
                return flag == Annotated && !type.IsValueType ? New(type, true, argument.Arguments) : argument;
            }

            if (Nullable.GetUnderlyingType(definition) is Type underlying)
                return New(type, true, [Visit(underlying, Nullable.GetUnderlyingType(type)!)]);
            if (!definition.HasElementType && definition.IsValueType && !definition.IsGenericType)
                return New(type, false, None);

            bool isNullable = Next() == Annotated && !definition.IsValueType;
            if (definition.IsArray)
                return New(type, isNullable, [Visit(definition.GetElementType()!, type.GetElementType()!)]);
            if (!definition.IsGenericType)
                return New(type, isNullable, None);
            Type[] definitionArguments = definition.GetGenericArguments();
            Type[] typeArguments = type.GetGenericArguments();
            var arguments = new AnnotatedType[typeArguments.Length];
            for (int i = 0; i < arguments.Length; i++)
                arguments[i] = Visit(definitionArguments[i], typeArguments[i]);
            return New(type, isNullable, arguments);
        }

        private AnnotatedType New(Type type, bool isNullable, AnnotatedType[] arguments) => new(type, isNullable, arguments, unannotatedAllowsNull);

        private byte Next() => flags.Length == 1 ? flags[0] : _index < flags.Length ? flags[_index++] : (byte)0;
    }
}

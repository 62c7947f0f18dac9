using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Binary;

namespace Formatters;

/// <summary>A member of a versioned record, for contracts by reflection.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class VersionedMember
{
    private readonly ValueContract _value;
    private readonly object? _parameterDefault;

    /// <param name="member">The member.</param>
    /// <param name="number">Its number.</param>
    /// <param name="parameter">The constructor parameter for it; null for none.</param>
    internal VersionedMember(RecordMember member, int number, ParameterInfo? parameter)
    {
        Number = number;
        var presence = member.Contract as PresenceContract;
        _value = presence?.Inner ?? member.Contract;
        IsNullable = presence is not null;
        int kind = KindOf(_value);
        Kind = kind + (IsNullable ? MemberKind.Nullable : 0);
        Contract = _value is ScalarContract && kind == MemberKind.Short
            ? new FramedContract(_value, isShort: true)
            : _value is not (ScalarContract or StringContract or BytesContract or KnownContract or VersionedRecordContract or UnionContract)
            ? new FramedContract(_value, isShort: false)
            : _value;
        ValueContract framed = presence is null ? Contract : new PresenceContract(presence.Type, Contract);
        Member = framed == member.Contract ? member : new RecordMember(member, framed);
        IsTaken = parameter is not null;
        IsRequired = RecordMember.IsRequired(member.Info);
        IsInitOnly = IsInit(member);
        if (parameter is { HasDefaultValue: true, DefaultValue: object value })
        {
            Type type = ReflectedParameter.TypeOf(parameter);
            type = Nullable.GetUnderlyingType(type) ?? type;
            _parameterDefault = type.IsEnum ? Enum.ToObject(type, value) : value;
        }
    }

    /// <summary>Gets the member with the contract of its bytes: the presence byte, the byte count, the value.</summary>
    internal RecordMember Member { get; }

    internal int Number { get; }

    /// <summary>Gets the kind of its value.</summary>
    internal int Kind { get; }

    /// <summary>Gets the contract of the value without its presence byte, with its byte count.</summary>
    internal ValueContract Contract { get; }

    internal bool IsNullable { get; }

    /// <summary>Gets whether the constructor takes it.</summary>
    internal bool IsTaken { get; }

    internal bool IsRequired { get; }

    internal bool IsInitOnly { get; }

    /// <summary>Gets whether its type has a null, which the contract does not declare.</summary>
    internal bool CanBeBadNull => !IsNullable && (_value is ConvertedContract || !_value.Type.IsValueType);

    /// <summary>Determines whether it is set after the constructor: as generated code does in an object initializer, or after that.</summary>
    internal bool IsSetAfterwards(bool isInitOnly) => (!IsTaken || IsRequired) && (IsInitOnly || IsRequired) == isInitOnly;

    internal static bool IsInit(RecordMember member)
    {
        foreach (Type modifier in member.Property?.SetMethod?.ReturnParameter.GetRequiredCustomModifiers() ?? [])
        {
            if (modifier.FullName == "System.Runtime.CompilerServices.IsExternalInit")
                return true;
        }

        return false;
    }

    /// <summary>Returns the default of a constructor parameter for a missing member.</summary>
    internal object? GetDefault(ref BinaryBodyReader reader) =>
        _parameterDefault ?? (IsNullable ? null : _value.Type.IsValueType && _value is not ConvertedContract
            ? Activator.CreateInstance(_value.Type)
            : GetEmpty(ref reader));

    /// <summary>Returns an empty string or collection in place of an undeclared null; otherwise throws.</summary>
    internal object GetEmpty(ref BinaryBodyReader reader)
    {
        object? empty = _value.CreateEmpty();
        if (empty is null)
            ThrowHelper.ThrowMissingMember(reader.ByteOffset);
        return empty;
    }

    /// <summary>Determines whether a value is a null that the contract does not declare.</summary>
    internal bool IsBadNull(object? value) => !IsNullable && (_value is ConvertedContract converted ? converted.IsNull(value) : value is null);

    private static int KindOf(ValueContract value) => value switch
    {
        ScalarContract { Scalar: Scalar scalar } => MemberKind.Of(scalar.Row),
        StringContract => MemberKind.Short,
        KnownContract known => MemberKind.Of(known.Row),
        _ => MemberKind.Long,
    };
}

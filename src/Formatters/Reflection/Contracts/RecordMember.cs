using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
#if !NET
using System.Linq.Expressions;
#endif

namespace Formatters;

/// <summary>A field or property of a record.</summary>
internal sealed class RecordMember
{
    private readonly Lazy<MemberSetting> _setting;
#if !NET
    private readonly Func<object, object?> _get;
    private readonly Action<object, object?>? _set;
#endif

    internal RecordMember(FieldInfo? field, PropertyInfo? property, ValueContract contract)
    {
        Field = field;
        Property = property;
        Contract = contract;
        _setting = new Lazy<MemberSetting>(() => MemberSetting.Of(Info, HasFormatter(contract)));
#if !NET
        _get = CompileGet(Info);
        _set = CanSet(Info) ? CompileSet(Info) : null;
#endif
    }

    /// <summary>Creates the same member with another contract of its bytes.</summary>
    internal RecordMember(RecordMember other, ValueContract contract)
    {
        Field = other.Field;
        Property = other.Property;
        Contract = contract;
        _setting = other._setting;
#if !NET
        _get = other._get;
        _set = other._set;
#endif
    }

    internal FieldInfo? Field { get; }

    internal PropertyInfo? Property { get; }

    internal MemberInfo Info => Field ?? (MemberInfo)Property!;

    internal string Name => Info.Name;

    internal ValueContract Contract { get; }

    /// <summary>Gets how it is set after reading.</summary>
    internal MemberSetting Setting => _setting.Value;

    /// <inheritdoc cref="MemberView.CanSet"/>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal static bool CanSet(MemberInfo member) => ReflectedMember.Of(member).CanSet;

    /// <summary>Returns the value of a member to reuse; null if the member gets a new value each time.</summary>
    internal object? GetReusable(object owner) => Setting.IsReplaced ? null : Get(owner);

    /// <summary>Sets the member to the value that was read.</summary>
    /// <param name="owner">The object.</param>
    /// <param name="read">The value that was read.</param>
    /// <param name="isReused">Whether the object existed before.</param>
    /// <param name="byteOffset">The offset of the value's end.</param>
    internal void SetRead(object owner, object? read, bool isReused, int byteOffset) =>
        Set(owner, Setting.IsPlain ? read : Setting.Prepare(read, Get(owner), isReused, byteOffset));

    private static bool HasFormatter(ValueContract contract) =>
        (contract is PresenceContract presence ? presence.Inner : contract) is MemberCodecContract or OwnBodyContract or CodecContract;

    internal static bool IsRequired(MemberInfo member) => HasAttribute(member, "System.Runtime.CompilerServices.RequiredMemberAttribute");

    /// <summary>Determines whether it has an attribute that netstandard2.0 lacks, for which compilers generate their own.</summary>
    internal static bool HasAttribute(MemberInfo member, string fullName)
    {
        foreach (CustomAttributeData attribute in member.GetCustomAttributesData())
        {
            if (attribute.AttributeType.FullName == fullName)
                return true;
        }

        return false;
    }

#if NET
    // Exceptions of the payload's own code are not wrapped.
    internal object? Get(object owner) =>
        Field is not null ? Field.GetValue(owner) : Property!.GetValue(owner, BindingFlags.DoNotWrapExceptions, null, null, null);

    internal void Set(object owner, object? value)
    {
        if (Field is not null)
            Field.SetValue(owner, value);
        else
            Property!.SetValue(owner, value, BindingFlags.DoNotWrapExceptions, null, null, null);
    }
#else
    internal object? Get(object owner) => _get(owner);

    internal void Set(object owner, object? value) => _set!(owner, value);

    // Compiled once per member: on .NET Framework FieldInfo.GetValue and SetValue take a hundred times as long.
    private static Func<object, object?> CompileGet(MemberInfo member)
    {
        ParameterExpression owner = Expression.Parameter(typeof(object));
        Expression value = Expression.MakeMemberAccess(Expression.Convert(owner, member.DeclaringType!), member);
        return Expression.Lambda<Func<object, object?>>(Expression.Convert(value, typeof(object)), owner).Compile();
    }

    private static Action<object, object?> CompileSet(MemberInfo member)
    {
        ParameterExpression owner = Expression.Parameter(typeof(object));
        ParameterExpression value = Expression.Parameter(typeof(object));
        Type ownerType = member.DeclaringType!;
        Expression typedOwner = ownerType.IsValueType ? Expression.Unbox(owner, ownerType) : Expression.Convert(owner, ownerType);
        Expression typedValue = Expression.Convert(value, ReflectedMember.TypeOf(member));
        Expression set = member is PropertyInfo property
            ? Expression.Call(typedOwner, property.GetSetMethod(nonPublic: true)!, typedValue)
            : Expression.Assign(Expression.MakeMemberAccess(typedOwner, member), typedValue);
        return Expression.Lambda<Action<object, object?>>(set, owner, value).Compile();
    }
#endif
}

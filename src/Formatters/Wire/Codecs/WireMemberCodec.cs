using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>A member of a record.</summary>
/// <param name="contract">Where it stands.</param>
internal abstract class WireMemberCodec<TFormat, TOwner>(MemberPlace contract)
    where TFormat : struct, IWireFormat
{
    /// <summary>The name in the source, for errors.</summary>
    internal string Name { get; } = contract.Info.Name;

    /// <summary>Whether it is <c>required</c>.</summary>
    internal bool IsRequired { get; } = RecordMember.IsRequired(contract.Info);

    /// <summary>Whether it is declared nullable.</summary>
    internal bool IsNullable { get; } = contract.Type.IsNullable;

    /// <summary>The place in the array form.</summary>
    internal int Index { get; } = contract.Index;

    /// <summary>The name of the map form.</summary>
    internal string Key { get; } = contract.Key;

    /// <summary>That name as a whole value.</summary>
    internal byte[] EncodedKey { get; } = WireKeys.Encode<TFormat>(contract.Key);

    internal abstract void Write(ref WireWriter writer, ref TOwner owner);

    /// <summary>Reads the member into its owner. One that cannot be set is passed over.</summary>
    internal abstract void Read(ref WireReader reader, ref TOwner owner, bool reuses);

    /// <summary>Reads the member before its owner is made.</summary>
    internal abstract object? ReadBoxed(ref WireReader reader);

    internal abstract void SetBoxed(ref TOwner owner, object? value);

    /// <summary>Gives the member of one owner the value of another's.</summary>
    internal abstract void Copy(ref TOwner from, ref TOwner to);
}

/// <summary>A member of a record, of a type.</summary>
internal sealed class WireMemberCodec<TFormat, TOwner, TMember> : WireMemberCodec<TFormat, TOwner>
    where TFormat : struct, IWireFormat
{
    private readonly WireCodec<TFormat, TMember> _codec;
    private readonly Getter _get;
    private readonly Setter? _set;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    public WireMemberCodec(MemberPlace contract, WireCodec<TFormat, TMember> codec)
        : base(contract)
    {
        _codec = codec;
        ParameterExpression owner = Expression.Parameter(typeof(TOwner).MakeByRefType());
        ParameterExpression value = Expression.Parameter(typeof(TMember));
        var property = contract.Info as PropertyInfo;
        _get = Expression.Lambda<Getter>(Expression.MakeMemberAccess(owner, contract.Info), owner).Compile();
        if (!contract.CanSet)
            return;
        Expression set = property is not null
            ? Expression.Call(owner, property.GetSetMethod(nonPublic: true)!, value)
            : Expression.Assign(Expression.MakeMemberAccess(owner, contract.Info), value);
        _set = Expression.Lambda<Setter>(set, owner, value).Compile();
    }

    private delegate TMember Getter(ref TOwner owner);

    private delegate void Setter(ref TOwner owner, TMember value);

    internal override void Write(ref WireWriter writer, ref TOwner owner) => _codec.Write(ref writer, _get(ref owner));

    internal override void Read(ref WireReader reader, ref TOwner owner, bool reuses)
    {
        if (_set is null)
            default(TFormat).Skip(ref reader);
        else
            _set(ref owner, _codec.Read(ref reader, reuses ? _get(ref owner) : default));
    }

    internal override object? ReadBoxed(ref WireReader reader) => _codec.Read(ref reader);

    internal override void SetBoxed(ref TOwner owner, object? value) => _set?.Invoke(ref owner, (TMember)value!);

    internal override void Copy(ref TOwner from, ref TOwner to) => _set?.Invoke(ref to, _get(ref from));
}

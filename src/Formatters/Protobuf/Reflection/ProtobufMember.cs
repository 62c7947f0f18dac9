using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>A member of a record, or a case of one.</summary>
/// <param name="place">Which, and its number.</param>
internal abstract class ProtobufMember(ProtobufPlace place)
{
    internal MemberInfo Info => place.Info;

    /// <summary>Gets the type of the member.</summary>
    internal Type Type => place.Type.Type;

    internal bool IsNullable => place.Type.IsNullable;

    internal MemberEncoding Encoding => place.Encoding;

    internal bool CanSet => place.CanSet;

    /// <summary>Gets the <see cref="ProtobufField{T}"/>.</summary>
    internal abstract object Field { get; }

    /// <inheritdoc cref="ProtobufField{T}.Scalar"/>
    internal abstract Type? Scalar { get; }

    /// <inheritdoc cref="MemberSetting.IsAutomatic"/>
    internal abstract bool IsAutomatic { get; }

    /// <summary>Gets the tags of the fields that belong to it, starting with the one that is written.</summary>
    internal IEnumerable<uint> Tags => new[]
    {
        ProtobufWireType.LengthDelimited, ProtobufWireType.Varint, ProtobufWireType.Fixed64, ProtobufWireType.Fixed32,
    }.Where(Accepts).OrderBy(wireType => wireType == ProtobufWireType.LengthDelimited && !place.IsPacked)
        .Select(wireType => ProtobufBytes.Tag(Number, wireType));

    internal uint WrittenTag => Tags.First();

    /// <summary>Gets the name in the source, for errors.</summary>
    internal string Name { get; } = place.Info.Name;

    internal int Number { get; } = place.Number;

    /// <summary>Gets the index of the first field of the member: that of the field itself, unless it is a further case of a oneof.</summary>
    internal int Owner { get; } = place.Owner;

    internal abstract bool GathersItems { get; }

    internal abstract bool FinishesItems { get; }

    /// <summary>Gets whether values are collected until the end of the message, and then set once.</summary>
    internal abstract bool IsHeld { get; }

    internal abstract bool Accepts(ProtobufWireType wireType);

    /// <summary>Gets the name of the oneof that the field is a case of in a <c>.proto</c> file; null if it is of none.</summary>
    internal string? Oneof { get; } =
        place.Case is not null ? place.SchemaName : place.Oneof is null ? null : SchemaNames.ToSnakeCase(place.Oneof);

    /// <summary>Gets the name of the oneof whose cases are members, one each; null if it is a case of none.</summary>
    internal string? OneofOfMembers { get; } = place.Oneof;

    internal abstract void Describe(SchemaBuilder schema, SchemaMessage message);
}

/// <inheritdoc cref="ProtobufMember"/>
internal abstract class ProtobufMember<TOwner>(ProtobufPlace place) : ProtobufMember(place)
{
    /// <summary>Reads a field of a member whose values are collected.</summary>
    internal abstract void ReadHeld(
        ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TOwner owner, ref object? held, ref int count, ref object? items,
            FieldMode mode);

    /// <inheritdoc cref="Finish"/>
    internal abstract bool FinishHeld(ref ProtobufBodyReader reader, ref TOwner owner, object? held, int count, object? items, FieldMode mode);

    internal abstract void Write(ref ProtobufBodyWriter writer, ref TOwner owner);

    /// <summary>Reads a field into the owner. A field of a member that cannot be set is skipped.</summary>
    internal abstract void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TOwner owner, ref int count, ref object? items,
        FieldMode mode);

    /// <summary>Reads a field before the owner is created.</summary>
    internal abstract void ReadBoxed(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref object? value, ref int count, ref object? items,
        FieldMode mode);

    /// <summary>Completes the member at the end of the message.</summary>
    /// <returns><see langword="false"/> if it must get the value that a new owner has.</returns>
    internal abstract bool Finish(ref ProtobufBodyReader reader, ref TOwner owner, int count, object? items, FieldMode mode);

    /// <inheritdoc cref="Finish"/>
    internal abstract bool FinishBoxed(ref ProtobufBodyReader reader, ref object? value, int count, object? items, FieldMode mode);

    internal abstract object? GetBoxed(ref TOwner owner);

    internal abstract bool HasValue(ref TOwner owner);

    internal abstract void SetBoxed(ref TOwner owner, object? value);

    /// <summary>Sets a member of an object that was made of other ones.</summary>
    internal abstract void SetMade(ref TOwner owner, object? value, int byteOffset);

    /// <summary>Copies the member's value from one owner to another.</summary>
    /// <returns>Whether that is a value: not a null, which the contract does not declare.</returns>
    internal abstract bool Copy(ref TOwner from, ref TOwner to);
}

/// <summary>A member of a record, with its type.</summary>
internal sealed class ProtobufMember<TOwner, TMember> : ProtobufMember<TOwner>
{
    private readonly ProtobufField<TMember> _field;
    private readonly string _schemaName;
    private readonly Lazy<Getter> _getter;
    private readonly Lazy<Setter> _setter;
    private readonly MemberSetting _setting;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public ProtobufMember(ProtobufPlace place, ProtobufField<TMember> field)
        : base(place)
    {
        _field = field;
        _setting = MemberSetting.Of(place.Info, hasFormatter: false);
        _schemaName = place.Case?.SchemaName ?? place.SchemaName;
        ParameterExpression owner = Expression.Parameter(typeof(TOwner).MakeByRefType());
        ParameterExpression value = Expression.Parameter(typeof(TMember));
        _getter = new(() => Expression.Lambda<Getter>(Expression.MakeMemberAccess(owner, place.Info), owner).Compile());
        _setter = new(() => Expression.Lambda<Setter>(
            place.Info is PropertyInfo property
                ? Expression.Call(owner, property.GetSetMethod(nonPublic: true)!, value)
                : Expression.Assign(Expression.MakeMemberAccess(owner, place.Info), value),
            owner,
            value).Compile());
    }

    private delegate TMember Getter(ref TOwner owner);

    private delegate void Setter(ref TOwner owner, TMember value);

    internal override object Field => _field;

    internal override Type? Scalar => _field.Scalar;

    internal override bool IsAutomatic => _setting.IsAutomatic;

    internal override bool GathersItems => _field.GathersItems;

    internal override bool FinishesItems => _field.FinishesItems;

    internal override bool IsHeld => CanSet && !_setting.IsPlain;

    internal override void Write(ref ProtobufBodyWriter writer, ref TOwner owner) => _field.Write(ref writer, Get(ref owner));

    internal override bool Accepts(ProtobufWireType wireType) => _field.Accepts(wireType);

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TOwner owner, ref int count, ref object? items,
        FieldMode mode)
    {
        if (!CanSet)
        {
            reader.Skip(Number, wireType);
            return;
        }

        TMember value = Get(ref owner);
        _field.Read(ref reader, wireType, ref value, ref count, ref items, mode);
        Set(ref owner, value);
    }

    internal override void ReadHeld(
        ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TOwner owner, ref object? held, ref int count, ref object? items,
            FieldMode mode)
    {
        TMember value = count >= 0 ? (TMember)held! : Begin(ref owner, mode);
        _field.Read(ref reader, wireType, ref value, ref count, ref items, mode);
        held = value;
    }

    internal override bool FinishHeld(ref ProtobufBodyReader reader, ref TOwner owner, object? held, int count, object? items, FieldMode mode)
    {
        if (mode == FieldMode.Merge && count < 0)
            return true;
        TMember value = count >= 0 ? (TMember)held! : Begin(ref owner, mode);
        if (!_field.Finish(ref reader, ref value, count, items, mode))
            return false;
        object? current = Get(ref owner);
        if (mode == FieldMode.Merge && ReferenceEquals(current, value))
            return true;
        Set(ref owner, (TMember)_setting.Prepare(value, current, mode != FieldMode.New, reader.ByteOffset)!);
        return true;
    }

    private TMember Begin(ref TOwner owner, FieldMode mode) =>
        mode == FieldMode.New || mode == FieldMode.Reuse && _setting.IsReplaced
        ? default!
        : mode == FieldMode.Merge && _setting.IsReplaced ? _field.Copy(Get(ref owner)) : Get(ref owner);

    internal override void ReadBoxed(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref object? value, ref int count, ref object? items,
        FieldMode mode)
    {
        TMember typed = value is TMember present ? present : default!;
        _field.Read(ref reader, wireType, ref typed, ref count, ref items, mode);
        value = typed;
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref TOwner owner, int count, object? items, FieldMode mode)
    {
        if (!CanSet || mode == FieldMode.Merge && count < 0)
            return true;
        TMember value = Get(ref owner);
        if (!_field.Finish(ref reader, ref value, count, items, mode))
            return false;
        Set(ref owner, value);
        return true;
    }

    internal override bool FinishBoxed(ref ProtobufBodyReader reader, ref object? value, int count, object? items, FieldMode mode)
    {
        TMember typed = value is TMember present ? present : default!;
        bool isFinished = _field.Finish(ref reader, ref typed, count, items, mode);
        value = typed;
        return isFinished;
    }

    internal override object? GetBoxed(ref TOwner owner) => Get(ref owner);

    internal override bool HasValue(ref TOwner owner) => Get(ref owner) is not null;

    internal override void SetBoxed(ref TOwner owner, object? value) => Set(ref owner, (TMember)value!);

    internal override void SetMade(ref TOwner owner, object? value, int byteOffset) =>
        SetBoxed(ref owner, _setting.Prepare(value, Get(ref owner), isReused: false, byteOffset));

    internal override bool Copy(ref TOwner from, ref TOwner to)
    {
        TMember value = Get(ref from);
        if (value is null)
            return false;
        Set(ref to, value);
        return true;
    }

    private TMember Get(ref TOwner owner) => _getter.Value(ref owner);

    private void Set(ref TOwner owner, TMember value)
    {
        if (CanSet)
            _setter.Value(ref owner, value);
    }

    internal override void Describe(SchemaBuilder schema, SchemaMessage message) =>
        message.AddField(_field.GetSchemaType(schema, message.Name + "_" + _schemaName), _schemaName, Number, _field.SchemaOptions);
}

using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>A location for a value: a member of an object, an element of an array, or a value of a record that is not an object yet.</summary>
internal abstract class LegacySlot
{
    /// <summary>Gets the location's name in errors: <c>Order.Date</c>, <c>LineItem[]</c>.</summary>
    internal abstract string Path { get; }

    /// <summary>Gets whether values are collected here before objects are created from them, as by <see cref="LegacyBagContract"/>.</summary>
    internal virtual bool IsBag => false;

    /// <summary>Gets whether the value itself is here, not a reference to another record.</summary>
    internal abstract bool IsValue { get; }

    /// <summary>Gets the maker of a list for this location from an ArrayList; null if it is not a list.</summary>
    internal virtual LegacyListMaker? ListMaker => null;

    /// <summary>Sets a value that was read late, or in another form than usual.</summary>
    /// <param name="target">The object, boxed struct or array.</param>
    /// <param name="index">The index of an element, in memory order; 0 for members.</param>
    /// <param name="value">The value; checked here.</param>
    /// <param name="byteOffset">The offset in the body, for errors.</param>
    internal abstract void Set(object target, int index, object? value, int byteOffset);

    /// <summary>Converts a value to the type of the location: unchanged, or a number of a narrower type widened without loss.</summary>
    internal object? Convert(object? value, LegacyType type, int byteOffset)
    {
        if (value is null)
        {
            if (!type.IsNullable)
                throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A value type cannot be null.", byteOffset, Path,
                    isPoison: true);
            return null;
        }

        Type own = value.GetType();
        if (own == type.ValueType)
            return value;
        if (own == typeof(LegacyPlaceholder))
            NrbfThrow.TypeNotAllowed(byteOffset, Path, ((LegacyPlaceholder)value).TypeName);
        if (!type.ValueType.IsValueType)
        {
            // The runtime considers a uint[] an int[]; in a body they are different.
            if (type.ValueType.IsInstanceOfType(value) && (!type.ValueType.IsArray || !type.ValueType.GetElementType()!.IsValueType))
                return value;
        }
        else if (Widening.TryConvert(value, type.ValueType, out object? wider))
        {
            return wider;
        }

        Refuse(own, type, byteOffset);
        return null;
    }

    [DoesNotReturn]
    private void Refuse(Type own, LegacyType type, int byteOffset) => throw new MessageFormatException(
        MessageFormatErrorCode.BadValue,
        $"The record is of the type {TypeNames.Of(own)}; {TypeNames.Of(type.Type)} is declared.",
        byteOffset,
        Path,
        isPoison: true);
}

/// <summary>A member, by its name in bodies.</summary>
internal abstract class LegacyMember : LegacySlot
{
    private readonly string _path;

    protected LegacyMember(string declaringName, string name, LegacyType type)
    {
        _path = declaringName + "." + SourceNameOf(name);
        Name = name;
        EncodedName = LegacyName.Encode(name);
        Utf8Name = System.Text.Encoding.UTF8.GetBytes(name);
        Type = type;
    }

    internal override string Path => _path;

    internal override bool IsValue => Type.Type.IsValueType;

    internal override LegacyListMaker? ListMaker => Type.Contract?.ListMaker;

    internal string Name { get; }

    /// <summary>Gets the length-prefixed name, as in a body.</summary>
    internal byte[] EncodedName { get; }

    /// <summary>Gets the name without its length.</summary>
    internal byte[] Utf8Name { get; }

    /// <summary>Gets the declared type.</summary>
    internal LegacyType Type { get; }

    /// <summary>Gets or sets the index among the members of the contract.</summary>
    internal int Index { get; set; }

    /// <summary>Gets or sets whether a body may lack the member when all members are required.</summary>
    internal bool IsOptional { get; set; }

    /// <summary>Reads the member's value in its own form: untyped if it is primitive, otherwise a record.</summary>
    internal abstract void Read(ref LegacyReader reader, object target);

    /// <summary>Gets the value.</summary>
    internal abstract object? Get(object target);

    /// <summary>Writes the member's value.</summary>
    internal abstract void Write(ref LegacyWriter writer, object target);

    /// <summary>
    /// Returns the name in the source: bodies have <c>Base+_number</c> for a private field of a base class and <c>&lt;Number&gt;k__BackingField</c>
    /// for a property.
    /// </summary>
    private static string SourceNameOf(string name)
    {
        name = name.Substring(name.LastIndexOf('+') + 1);
        int end = name.Length > 0 && name[0] == '<' ? name.IndexOf('>') : -1;
        return end > 1 ? name.Substring(1, end - 1) : name;
    }
}

/// <summary>A field of a primitive type.</summary>
internal sealed class LegacyPrimitiveField<T>(string declaringName, string name, LegacyType type, LegacyAccess<T> access)
    : LegacyMember(declaringName, name, type)
{
    internal override void Read(ref LegacyReader reader, object target) => access.Set(target, NrbfValues.Read<T>(ref reader.Body));

    internal override void Set(object target, int index, object? value, int byteOffset) => access.Set(target, (T)Convert(value, Type, byteOffset)!);

    internal override object? Get(object target) => access.Get(target);

    internal override void Write(ref LegacyWriter writer, object target) => NrbfValues.Write(ref writer.Body, access.Get(target));
}

/// <summary>A string field of a class.</summary>
internal sealed class LegacyStringField(string declaringName, string name, LegacyType type, LegacyAccess<string?> access)
    : LegacyMember(declaringName, name, type)
{
    internal override void Read(ref LegacyReader reader, object target)
    {
        string? text = reader.TryReadString();
        if (text is not null)
            access.Set(target, text);
        else
            reader.ReadInto(this, target, 0);
    }

    internal override void Set(object target, int index, object? value, int byteOffset) =>
        access.Set(target, (string?)Convert(value, Type, byteOffset));

    internal override object? Get(object target) => access.Get(target);

    internal override void Write(ref LegacyWriter writer, object target) => writer.WriteString(access.Get(target));
}

/// <summary>A field of any other type, whose value is a record.</summary>
/// <remarks><c>T</c> is the field's type, or <see cref="object"/>.</remarks>
internal sealed class LegacyObjectField<T>(string declaringName, string name, LegacyType type, LegacyAccess<T> access)
    : LegacyMember(declaringName, name, type)
{
    internal override void Read(ref LegacyReader reader, object target) => reader.ReadInto(this, target, 0);

    internal override void Set(object target, int index, object? value, int byteOffset) => access.Set(target, (T)Convert(value, Type, byteOffset)!);

    internal override object? Get(object target) => access.Get(target);

    internal override void Write(ref LegacyWriter writer, object target) => writer.WriteMember(access.Get(target), Type);
}

/// <summary>The only field of an enum, or of a boxed primitive.</summary>
internal sealed class LegacyBoxField<TBox, TField>(string declaringName, string name, LegacyType type) : LegacyMember(declaringName, name, type)
    where TBox : struct
    where TField : struct
{
    internal override void Read(ref LegacyReader reader, object target) => Field(target) = NrbfValues.Read<TField>(ref reader.Body);

    internal override void Set(object target, int index, object? value, int byteOffset) => Field(target) = (TField)Convert(value, Type, byteOffset)!;

    internal override object? Get(object target) => Field(target);

    internal override void Write(ref LegacyWriter writer, object target) => NrbfValues.Write(ref writer.Body, Field(target));

    private static ref TField Field(object target) =>
        ref System.Runtime.CompilerServices.Unsafe.As<TBox, TField>(ref System.Runtime.CompilerServices.Unsafe.Unbox<TBox>(target));
}

/// <summary>A value of a record that is not an object yet; the target is an array of them.</summary>
internal class LegacyBagMember(string declaringName, string name, LegacyType type, int bagIndex) : LegacyMember(declaringName, name, type)
{
    internal override bool IsBag => true;

    internal override void Read(ref LegacyReader reader, object target)
    {
        if (Type.Primitive is NrbfPrimitive primitive)
            Value(target) = primitive.ReadBoxed(ref reader.Body);
        else
            reader.ReadInto(this, target, 0);
    }

    internal override void Set(object target, int index, object? value, int byteOffset) => Value(target) = Convert(value, Type, byteOffset);

    internal override object? Get(object target) => Value(target);

    internal override void Write(ref LegacyWriter writer, object target)
    {
        object? value = Get(target);
        if (Type.Primitive is NrbfPrimitive primitive)
            primitive.WriteBoxed(ref writer.Body, value!);
        else if (Type.Type == typeof(string))
            writer.WriteString((string?)value);
        else
            writer.WriteMember(value, Type);
    }

    protected ref object? Value(object target) => ref ((object?[])target)[bagIndex];
}

/// <summary>A value of a class whose members vary by body. A value of an undeclared class is not an error until it is used.</summary>
internal sealed class LegacyOpenMember(string declaringName, string name, LegacyType type, int bagIndex)
    : LegacyBagMember(declaringName, name, type, bagIndex)
{
    internal override void Set(object target, int index, object? value, int byteOffset) =>
        Value(target) = value is LegacyPlaceholder { Contract: null } ? value : Convert(value, Type, byteOffset);
}

/// <summary>A member of a body that the type does not have, or has in another form.</summary>
/// <param name="member">The member of the type; null if there is none, and the value is skipped.</param>
/// <param name="primitive">The primitive type in the body; null for a record.</param>
/// <param name="anyType">The type that takes every record.</param>
internal sealed class LegacyForeignMember(LegacyMember? member, NrbfPrimitive? primitive, LegacyType anyType) : LegacyMember("", "", anyType)
{
    /// <summary>Gets the member of the type, or null.</summary>
    internal LegacyMember? Member => member;

    internal override string Path => member?.Path ?? "(ignored)";

    internal override bool IsValue => member is { IsValue: true };

    internal override bool IsBag => member is { IsBag: true };

    internal override LegacyListMaker? ListMaker => member?.ListMaker;

    internal override void Read(ref LegacyReader reader, object target)
    {
        int offset = reader.Body.ByteOffset;
        if (primitive is not null)
            Set(target, 0, primitive.ReadBoxed(ref reader.Body), offset);
        else if (member is not null)
            reader.ReadInto(member, target, 0);
        else
            reader.PassOver();
    }

    internal override void Set(object target, int index, object? value, int byteOffset) => member?.Set(target, index, value, byteOffset);

    internal override object? Get(object target) => throw new NotSupportedException();

    internal override void Write(ref LegacyWriter writer, object target) => throw new NotSupportedException();
}

/// <summary>A placeholder for an object that is created later, or cannot be created.</summary>
internal sealed class LegacyPlaceholder
{
    /// <summary>The placeholder for arrays of undeclared types.</summary>
    internal static readonly LegacyPlaceholder Undeclared = new();

    /// <summary>Gets the name in the body of an undeclared class; null for anything else.</summary>
    internal string? TypeName { get; init; }

    /// <summary>Gets the contract that creates the object; null if there is none.</summary>
    internal LegacyBagContract? Contract { get; init; }

    /// <summary>Gets the values from which to create it.</summary>
    internal object?[] Bag { get; init; } = [];

    /// <summary>Gets the members in the body.</summary>
    internal LegacyMember[] Members { get; init; } = [];

    /// <summary>Gets or sets the values that must be created first.</summary>
    internal List<(LegacySlot Slot, LegacyPlaceholder Value, int ByteOffset)>? Awaited { get; set; }

    /// <summary>Gets or sets whether the object is being created.</summary>
    internal bool IsBeingMade { get; set; }

    /// <summary>Gets the offset of its record.</summary>
    internal int ByteOffset { get; init; }

    /// <summary>Gets or sets the object, after it was created.</summary>
    internal object? Value { get; set; }
}

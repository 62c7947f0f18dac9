using System;
using System.Collections.Generic;
using System.ComponentModel;
using Formatters.Protobuf;

namespace Formatters.Generated;

/// <summary>The methods that generated code of protobuf calls. Not for direct use.</summary>
/// <remarks>Here, the components of members without inlined code; contracts found by reflection use the same ones.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class ProtobufCode
{
    /// <summary>Creates a scalar value of a field.</summary>
    /// <typeparam name="T">A type of docs/wire/protobuf.md, "Values".</typeparam>
    /// <param name="encoding">The encoding, if it applies to the type.</param>
    /// <returns>The value.</returns>
    public static ProtobufValue<T> ScalarValue<T>(MemberEncoding encoding) =>
        (ProtobufValue<T>)(ProtobufScalars.Find(typeof(T), encoding) ?? ProtobufScalars.Find(typeof(T), MemberEncoding.Default))!;

    /// <summary>Creates an enum value of a field.</summary>
    /// <typeparam name="TEnum">The enum.</typeparam>
    /// <typeparam name="TInteger">Its underlying type.</typeparam>
    /// <param name="encoding">The encoding, if it applies to the type.</param>
    /// <returns>The value.</returns>
    public static ProtobufValue<TEnum> EnumValue<TEnum, TInteger>(MemberEncoding encoding)
        where TEnum : struct
        where TInteger : struct => new ProtobufEnum<TEnum, TInteger>(ScalarValue<TInteger>(encoding));

    /// <summary>Creates a message value of a field.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="codec">Its fields.</param>
    /// <returns>The value.</returns>
    public static ProtobufValue<T> MessageValue<T>(ProtobufCodec<T> codec) => new ProtobufMessage<T>(codec);

    /// <summary>Creates a message value with a custom codec.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The value.</returns>
    public static ProtobufCodec<T> OwnCodec<TCodec, T>()
        where TCodec : ProtobufCodec<T>, new() => SharedInstance<TCodec>.Value;

    /// <summary>Returns the codec of a generated contract in another assembly.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="contract">The contract.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<T> ContractCodec<TMode, T>(MessageContract<T> contract)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? new TracedProtobufCodec<T>((ProtobufContract<T>)contract.Protobuf) : contract.Protobuf;

    /// <summary>Creates the codec of a message whose field 1 is a value that is not a message.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="field">The field, of number 1.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<T> WrapperCodec<T>(ProtobufField<T> field) => new global::Formatters.WrapperCodec<T>(field, "");

    /// <summary>Creates the codec of a multidimensional array.</summary>
    /// <typeparam name="TArray">The type of the array.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="element">An element.</param>
    /// <param name="allocation">The approximate size of an element in memory.</param>
    /// <param name="rank">The number of dimensions.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<TArray> GridCodec<TArray, T>(ProtobufValue<T> element, int allocation, int rank)
        where TArray : class =>
        new global::Formatters.MultidimensionalArrayCodec<TArray, T>(
            ArrayField(global::Formatters.MultidimensionalArrayCodec<TArray, T>.LengthsNumber, ScalarValue<int>(MemberEncoding.Default), sizeof(int),
                isNullable: false)!,
            ArrayField(global::Formatters.MultidimensionalArrayCodec<TArray, T>.ElementsNumber, element, allocation, isNullable: false)!,
            rank,
            "");

    /// <summary>Creates the codec of a union.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="makeUnknown">Creates an object that stores a case with an unknown tag; null if there is none.</param>
    /// <param name="cases">Its cases.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<T> UnionCodec<T>(Func<IUnknownCase>? makeUnknown, params ProtobufCase<T>[] cases)
        where T : class
    {
        var union = new ProtobufUnion<T>();
        foreach (ProtobufCase<T> unionCase in cases)
            union.Add(unionCase);
        if (makeUnknown is not null)
            union.SetUnknown(makeUnknown);
        return union;
    }

    /// <summary>Creates a case of a union.</summary>
    /// <typeparam name="T">The union.</typeparam>
    /// <typeparam name="TCase">The type.</typeparam>
    /// <param name="tag">Its tag.</param>
    /// <param name="codec">Its fields.</param>
    /// <returns>The case.</returns>
    public static ProtobufCase<T> UnionCase<T, TCase>(int tag, ProtobufCodec<TCase> codec)
        where T : class
        where TCase : T => new ProtobufCase<T, TCase>(tag, new ProtobufMessage<TCase>(codec));

    /// <summary>Creates the field of a member that cannot be null.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="number">The number of the field.</param>
    /// <param name="value">The value's codec.</param>
    /// <returns>The field.</returns>
    public static ProtobufField<T> SingleField<T>(int number, ProtobufValue<T> value) => new SingleField<T>(number, value);

    /// <summary>Creates the field of a structure that may be null.</summary>
    /// <inheritdoc cref="SingleField{T}"/>
    public static ProtobufField<T?> OptionalField<T>(int number, ProtobufValue<T> value)
        where T : struct => new OptionalField<T>(number, value);

    /// <summary>Creates the field of an object that may be null.</summary>
    /// <inheritdoc cref="SingleField{T}"/>
    public static ProtobufField<T?> OptionalObjectField<T>(int number, ProtobufValue<T> value)
        where T : class => new OptionalObjectField<T>(number, value);

    /// <summary>Creates the fields of a union whose cases are fields of the containing message.</summary>
    /// <typeparam name="T">The union.</typeparam>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <param name="cases">Its cases in the order of their tags, which are the numbers of the fields.</param>
    /// <returns>The fields.</returns>
    public static ProtobufField<T?>[] OneofFields<T>(bool isNullable, params ProtobufCase<T>[] cases)
        where T : class
    {
        var fields = new ProtobufField<T?>[cases.Length];
        for (int i = 0; i < fields.Length; i++)
            fields[i] = new OneofField<T>(cases, i, isNullable);
        return fields;
    }

    /// <summary>Returns a value that is repeated with one field per element (<c>[packed = false]</c>).</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="element">An element.</param>
    /// <returns>The element.</returns>
    public static ProtobufValue<T> Unpacked<T>(ProtobufValue<T> element) => element.Unpacked();

    /// <summary>Creates the field of a list, or of an interface of one.</summary>
    /// <typeparam name="TList">Its type.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="number">The number of the field.</param>
    /// <param name="element">An element.</param>
    /// <param name="allocation">The approximate size of an element in memory.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <returns>The field.</returns>
    public static ProtobufField<TList> ListField<TList, T>(int number, ProtobufValue<T> element, int allocation, bool isNullable)
        where TList : class, IEnumerable<T> => new ListField<TList, T>(new RepeatedItems<T>(number, element, allocation), isNullable);

    /// <summary>Creates the field of an array.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <inheritdoc cref="ListField{TList, T}"/>
    public static ProtobufField<T[]?> ArrayField<T>(int number, ProtobufValue<T> element, int allocation, bool isNullable) =>
        new GatheredField<T[], T>(new RepeatedItems<T>(number, element, allocation), isNullable, isSet: false, ToArray, static items => items)!;

    /// <summary>Creates the field of a collection that is created from all its elements.</summary>
    /// <typeparam name="TCollection">Its type.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <inheritdoc cref="ListField{TList, T}"/>
    /// <param name="number">The number of the field.</param>
    /// <param name="element">An element.</param>
    /// <param name="allocation">The approximate size of an element in memory.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <param name="make">Makes it.</param>
    public static ProtobufField<TCollection> SequenceField<TCollection, T>(
        int number, ProtobufValue<T> element, int allocation, bool isNullable, Func<T[], TCollection> make)
        where TCollection : IEnumerable<T> =>
        new GatheredField<TCollection, T>(new RepeatedItems<T>(number, element, allocation), isNullable, isSet: false, ElementsOf<TCollection, T>,
            make);

    /// <summary>Creates the field of a set.</summary>
    /// <typeparam name="TSet">Its type.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <inheritdoc cref="SequenceField{TCollection, T}"/>
    public static ProtobufField<TSet> SetField<TSet, T>(int number, ProtobufValue<T> element, int allocation, bool isNullable,
        Func<HashSet<T>, TSet> make)
        where TSet : IEnumerable<T>
        where T : notnull =>
        new GatheredField<TSet, T>(
            new RepeatedItems<T>(number, element, allocation), isNullable, isSet: true, DistinctElementsOf<TSet, T>,
                items => make(new HashSet<T>(items, typeof(T) == typeof(string) ? null : KeyedComparer<T>.Instance)));

    /// <summary>Creates the field of a dictionary, or of an interface of one.</summary>
    /// <typeparam name="TDictionary">Its type.</typeparam>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="number">The number of the field.</param>
    /// <param name="key">A key.</param>
    /// <param name="value">A value.</param>
    /// <param name="entryAllocation">The approximate size of an entry in memory.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <param name="make">Creates the collection from a dictionary; null if it is one.</param>
    /// <returns>The field.</returns>
    public static ProtobufField<TDictionary> MapField<TDictionary, TKey, TValue>(
        int number, ProtobufValue<TKey> key, ProtobufValue<TValue> value, int entryAllocation, bool isNullable,
            Func<Dictionary<TKey, TValue>, TDictionary>? make)
        where TDictionary : class, IEnumerable<KeyValuePair<TKey, TValue>>
        where TKey : notnull =>
        new MapField<TDictionary, TKey, TValue>(number, key, value, entryAllocation, isNullable, make is null
            ? null
            : static entries => ContractCode.ToDictionary(entries), make);

    /// <summary>Writes a member.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="field">The member.</param>
    /// <param name="value">The member's value.</param>
    /// <returns>The position after it.</returns>
    public static ref byte PutField<T>(ref ProtobufBodyWriter writer, ref byte position, ProtobufField<T> field, T value)
    {
        writer.End(ref position);
        field.Write(ref writer, value);
        return ref writer.Begin();
    }

    /// <summary>Reads a field of a member.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="reader">The reader, after the tag.</param>
    /// <param name="field">The member.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="value">The member's current value.</param>
    /// <param name="state">The state of the member.</param>
    /// <param name="mode">The member's initial value: 0 none, 1 a value to be filled, 2 the first part of the message.</param>
    /// <returns>The member's new value.</returns>
    public static T GetField<T>(ref ProtobufBodyReader reader, ProtobufField<T> field, uint tag, T value, ref FieldState state, int mode)
    {
        int count = state.ElementCount - 1;
        field.Read(ref reader, (ProtobufWireType)(tag & 7), ref value, ref count, ref state.Items, (FieldMode)mode);
        state.ElementCount = count + 1;
        return value;
    }

    /// <summary>Completes a member at the end of the message.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="field">The member.</param>
    /// <param name="value">The member's current value.</param>
    /// <param name="state">The state of the member.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    /// <returns>The member's new value.</returns>
    public static T FinishField<T>(ref ProtobufBodyReader reader, ProtobufField<T> field, T value, in FieldState state, int mode)
    {
        field.Finish(ref reader, ref value, state.ElementCount - 1, state.Items, (FieldMode)mode);
        return value;
    }

    private static T[] ElementsOf<TCollection, T>(TCollection values)
        where TCollection : IEnumerable<T>
    {
        // The default of a struct, an ImmutableArray<T>, has no elements.
        if (values is null || typeof(TCollection).IsValueType && EqualityComparer<TCollection>.Default.Equals(values, default!))
            ContractMethods.ThrowUnexpectedNull();
        return [.. values];
    }

    private static T[] DistinctElementsOf<TSet, T>(TSet values)
        where TSet : IEnumerable<T>
        where T : notnull
    {
        T[] elements = ElementsOf<TSet, T>(values);
        ContractCode.CheckElements(values);
        return elements;
    }

    private static T[] ToArray<T>(T[]? items)
    {
        if (items is null)
            ContractMethods.ThrowUnexpectedNull();
        return items;
    }

    /// <summary>A contract of another assembly, used in traced mode.</summary>
    private sealed class TracedProtobufCodec<T>(ProtobufContract<T> contract) : ProtobufCodec<T>
    {
        internal override bool ReadsParts => true;

        public override void Write(ref ProtobufBodyWriter writer, T value) => contract.WriteTraced(ref writer, value);

        public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false) =>
            merges ? contract.Read(ref reader, existing, merges) : contract.ReadTraced(ref reader);
    }
}

using System;
using System.Collections.Generic;

namespace Formatters.Generated;

// protobuf: the parts that a member is put together of, where no code of its own is generated for it. The same ones as for contracts found by reflection.
public static partial class ContractCode
{
    /// <summary>A scalar in a field.</summary>
    /// <typeparam name="T">A type of docs/wire/protobuf.md, "Values".</typeparam>
    /// <param name="encoding">How it lies there, if it can lie so.</param>
    /// <returns>The value.</returns>
    public static ProtobufValue<T> ScalarValue<T>(MemberEncoding encoding) =>
        (ProtobufValue<T>)(ProtobufScalars.Find(typeof(T), encoding) ?? ProtobufScalars.Find(typeof(T), MemberEncoding.Default))!;

    /// <summary>An enum in a field.</summary>
    /// <typeparam name="TEnum">The enum.</typeparam>
    /// <typeparam name="TInteger">Its underlying type.</typeparam>
    /// <param name="encoding">How it lies there, if it can lie so.</param>
    /// <returns>The value.</returns>
    public static ProtobufValue<TEnum> EnumValue<TEnum, TInteger>(MemberEncoding encoding)
        where TEnum : struct
        where TInteger : struct => new ProtobufEnum<TEnum, TInteger>(ScalarValue<TInteger>(encoding));

    /// <summary>A message in a field.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="codec">Its fields.</param>
    /// <returns>The value.</returns>
    public static ProtobufValue<T> MessageValue<T>(ProtobufCodec<T> codec) => new ProtobufMessage<T>(codec);

    /// <summary>A message in a field, by a codec of one's own.</summary>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The value.</returns>
    public static ProtobufCodec<T> OwnCodec<TCodec, T>()
        where TCodec : ProtobufCodec<T>, new() => MemberFormatter<TCodec>.Instance;

    /// <summary>The generated contract of another assembly as a codec.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="contract">The contract.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<T> ContractCodec<TMode, T>(MessageContract<T> contract)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? new TracedProtobufCodec<T>((ProtobufContract<T>)contract.Protobuf) : contract.Protobuf;

    /// <summary>A message whose field 1 is what is no message itself.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="field">The field, of number 1.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<T> WrapperCodec<T>(ProtobufField<T> field) => new global::Formatters.WrapperCodec<T>(field, "");

    /// <summary>An array of several dimensions.</summary>
    /// <typeparam name="TArray">The type of the array.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="element">An element.</param>
    /// <param name="allocation">About how many bytes an element takes in memory.</param>
    /// <param name="rank">The number of dimensions.</param>
    /// <returns>The codec.</returns>
    public static ProtobufCodec<TArray> GridCodec<TArray, T>(ProtobufValue<T> element, int allocation, int rank)
        where TArray : class =>
        new global::Formatters.GridCodec<TArray, T>(
            ArrayField(global::Formatters.GridCodec<TArray, T>.LengthsNumber, ScalarValue<int>(MemberEncoding.Default), sizeof(int), isNullable: false)!,
            ArrayField(global::Formatters.GridCodec<TArray, T>.ElementsNumber, element, allocation, isNullable: false)!,
            rank,
            "");

    /// <summary>A union.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="makeUnknown">Makes an object that keeps a case of unknown tag; null where there is none.</param>
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

    /// <summary>A case of a union.</summary>
    /// <typeparam name="T">The union.</typeparam>
    /// <typeparam name="TCase">The type.</typeparam>
    /// <param name="tag">Its tag.</param>
    /// <param name="codec">Its fields.</param>
    /// <returns>The case.</returns>
    public static ProtobufCase<T> UnionCase<T, TCase>(int tag, ProtobufCodec<TCase> codec)
        where T : class
        where TCase : T => new ProtobufCase<T, TCase>(tag, new ProtobufMessage<TCase>(codec));

    /// <summary>A member that may not be null.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="number">The number of the field.</param>
    /// <param name="value">What it holds.</param>
    /// <returns>The field.</returns>
    public static ProtobufField<T> SingleField<T>(int number, ProtobufValue<T> value) => new SingleField<T>(number, value);

    /// <summary>A structure that may be null.</summary>
    /// <inheritdoc cref="SingleField{T}"/>
    public static ProtobufField<T?> OptionalField<T>(int number, ProtobufValue<T> value)
        where T : struct => new OptionalField<T>(number, value);

    /// <summary>An object that may be null.</summary>
    /// <inheritdoc cref="SingleField{T}"/>
    public static ProtobufField<T?> OptionalObjectField<T>(int number, ProtobufValue<T> value)
        where T : class => new OptionalObjectField<T>(number, value);

    /// <summary>A union whose cases are fields of the containing message.</summary>
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

    /// <summary>What is repeated with a field for each element (<c>[packed = false]</c>).</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="element">An element.</param>
    /// <returns>The element.</returns>
    public static ProtobufValue<T> Unpacked<T>(ProtobufValue<T> element) => element.Unpacked();

    /// <summary>A list, or an interface of one.</summary>
    /// <typeparam name="TList">Its type.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="number">The number of the field.</param>
    /// <param name="element">An element.</param>
    /// <param name="allocation">About how many bytes an element takes in memory.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <returns>The field.</returns>
    public static ProtobufField<TList> ListField<TList, T>(int number, ProtobufValue<T> element, int allocation, bool isNullable)
        where TList : class, IEnumerable<T> => new ListField<TList, T>(new RepeatedItems<T>(number, element, allocation), isNullable);

    /// <summary>An array.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <inheritdoc cref="ListField{TList, T}"/>
    public static ProtobufField<T[]?> ArrayField<T>(int number, ProtobufValue<T> element, int allocation, bool isNullable) =>
        new GatheredField<T[], T>(new RepeatedItems<T>(number, element, allocation), isNullable, isSet: false, ToArray, static items => items)!;

    /// <summary>A collection that is made of its elements at once.</summary>
    /// <typeparam name="TCollection">Its type.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <inheritdoc cref="ListField{TList, T}"/>
    /// <param name="number">The number of the field.</param>
    /// <param name="element">An element.</param>
    /// <param name="allocation">About how many bytes an element takes in memory.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <param name="make">Makes it.</param>
    public static ProtobufField<TCollection> SequenceField<TCollection, T>(
        int number, ProtobufValue<T> element, int allocation, bool isNullable, Func<T[], TCollection> make)
        where TCollection : IEnumerable<T> =>
        new GatheredField<TCollection, T>(new RepeatedItems<T>(number, element, allocation), isNullable, isSet: false, ElementsOf<TCollection, T>, make);

    /// <summary>A set.</summary>
    /// <typeparam name="TSet">Its type.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <inheritdoc cref="SequenceField{TCollection, T}"/>
    public static ProtobufField<TSet> SetField<TSet, T>(int number, ProtobufValue<T> element, int allocation, bool isNullable, Func<HashSet<T>, TSet> make)
        where TSet : IEnumerable<T>
        where T : notnull =>
        new GatheredField<TSet, T>(
            new RepeatedItems<T>(number, element, allocation), isNullable, isSet: true, DistinctElementsOf<TSet, T>, items => make(new HashSet<T>(items, typeof(T) == typeof(string) ? null : KeyedComparer<T>.Instance)));

    /// <summary>A dictionary, or an interface of one.</summary>
    /// <typeparam name="TDictionary">Its type.</typeparam>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="number">The number of the field.</param>
    /// <param name="key">A key.</param>
    /// <param name="value">A value.</param>
    /// <param name="entryAllocation">About how many bytes an entry takes in memory.</param>
    /// <param name="isNullable">Whether it may be null.</param>
    /// <param name="make">Makes it of a dictionary; null where it is one.</param>
    /// <returns>The field.</returns>
    public static ProtobufField<TDictionary> MapField<TDictionary, TKey, TValue>(
        int number, ProtobufValue<TKey> key, ProtobufValue<TValue> value, int entryAllocation, bool isNullable, Func<Dictionary<TKey, TValue>, TDictionary>? make)
        where TDictionary : class, IEnumerable<KeyValuePair<TKey, TValue>>
        where TKey : notnull =>
        new MapField<TDictionary, TKey, TValue>(number, key, value, entryAllocation, isNullable, make is null ? null : static entries => ToDictionary(entries), make);

    /// <summary>Writes a member.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="field">The member.</param>
    /// <param name="value">What it holds.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte PutField<T>(ref ProtobufBodyWriter writer, ref byte position, ProtobufField<T> field, T value)
    {
        writer.End(ref position);
        field.Write(ref writer, value);
        return ref writer.Begin();
    }

    /// <summary>Reads a field of a member.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="reader">The reader, behind the tag.</param>
    /// <param name="field">The member.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="value">What the member holds, and is going to hold.</param>
    /// <param name="state">What was read of it before.</param>
    /// <param name="mode">What the member held at first: 0 nothing, 1 what may be filled, 2 what came first in the body.</param>
    public static void GetField<T>(ref ProtobufBodyReader reader, ProtobufField<T> field, uint tag, ref T value, ref FieldState state, int mode)
    {
        int count = state.ElementCount - 1;
        field.Read(ref reader, (ProtobufWireType)(tag & 7), ref value, ref count, ref state.Items, (FieldMode)mode);
        state.ElementCount = count + 1;
    }

    /// <summary>Completes a member at the end of the message.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="field">The member.</param>
    /// <param name="value">What the member holds, and is going to hold.</param>
    /// <param name="state">What was read of it.</param>
    /// <param name="mode">As in <see cref="GetField"/>.</param>
    public static void FinishField<T>(ref ProtobufBodyReader reader, ProtobufField<T> field, ref T value, in FieldState state, int mode) =>
        field.Finish(ref reader, ref value, state.ElementCount - 1, state.Items, (FieldMode)mode);

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
        CheckElements(values);
        return elements;
    }

    private static T[] ToArray<T>(T[]? items)
    {
        if (items is null)
            ContractMethods.ThrowUnexpectedNull();
        return items;
    }

    /// <summary>A contract of another assembly, while account is kept of the member path.</summary>
    private sealed class TracedProtobufCodec<T>(ProtobufContract<T> contract) : ProtobufCodec<T>
    {
        internal override bool ReadsParts => true;

        public override void Write(ref ProtobufBodyWriter writer, T value) => contract.WriteTraced(ref writer, value);

        public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false) =>
            merges ? contract.Read(ref reader, existing, merges) : contract.ReadTraced(ref reader);
    }
}

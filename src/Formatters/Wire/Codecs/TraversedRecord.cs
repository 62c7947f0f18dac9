using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Binary;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// The contract of a class or struct in the traversal formats: an array in which each member is at its number, or a map of their names.
/// </summary>
/// <param name="type">The type.</param>
/// <param name="plan">The members in the order in which they are written.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed class TraversedRecord(Type type, RecordPlan plan) : RecordContract(type)
{
    /// <summary>Gets whether it has the map form.</summary>
    internal bool IsMap => plan.IsMap;

    /// <summary>Gets whether a body with fewer or more members is rejected: for tuples and pairs.</summary>
    internal bool IsExact => plan.IsExact;

    /// <summary>Gets the positions of the members.</summary>
    internal IReadOnlyList<MemberPlace> Places => plan.Members;

    /// <summary>Gets the index of the member at each position of the array form, or -1.</summary>
    internal int[] MemberAt { get; private set; } = [];

    /// <summary>Gets the names of the map form.</summary>
    internal WireKeys Keys { get; private set; } = new();

    /// <summary>Gets the constructor arguments for members that the body lacks.</summary>
    internal object?[] MissingArguments { get; private set; } = [];

    /// <summary>
    /// Gets whether it contains no further nesting, so that its own depth only needs a check; computed as in generated code, so that both count
    /// alike.
    /// </summary>
    internal bool IsLeaf { get; private set; }

    /// <summary>Sets the members.</summary>
    /// <exception cref="ArgumentException">A callback cannot be called, or the member that stores unknown ones cannot be set.</exception>
    internal void Complete(RecordMember[] members, string path)
    {
        Complete(members, plan.Maker);
        Keys = new WireKeys(Array.ConvertAll([.. plan.Members], static place => place.Key));
        if (!IsMap)
        {
            MemberAt = new int[members.Length == 0 ? 0 : plan.Members[members.Length - 1].Index + 1];
            MemberAt.AsSpan().Fill(-1);
            for (int i = 0; i < members.Length; i++)
                MemberAt[plan.Members[i].Index] = i;
        }

        if (plan.Maker.Constructor is ConstructorInfo constructor)
            MissingArguments = Array.ConvertAll(constructor.GetParameters(), DefaultOf);
        if (!IsExact)
            FindCallbacksAndUnknown(path);

        IsLeaf = Unknown is null && Array.TrueForAll(members, static member =>
            (member.Contract is PresenceContract presence ? presence.Inner : member.Contract) is StringContract or BytesContract or KnownContract
            or CodecContract { Own: null } or ScalarContract { Scalar.Type.Name: not nameof(DateTimeOffset) });
    }

    /// <summary>Determines whether a member is required: it is declared so, or the constructor takes it without a default.</summary>
    internal bool IsNeeded(int index)
    {
        if (RecordMember.IsRequired(Members[index].Info))
            return true;
        for (int i = 0; i < Maker.MemberIndexes.Count; i++)
        {
            if (Maker.MemberIndexes[i] == index)
                return !Maker.Constructor!.GetParameters()[i].HasDefaultValue && !plan.Members[index].Type.IsNullable;
        }

        return false;
    }

    private static object? DefaultOf(ParameterInfo parameter)
    {
        Type type = ReflectedParameter.TypeOf(parameter);
        return parameter.HasDefaultValue && parameter.DefaultValue is object value
            ? value
            : type.IsValueType
            ? Expression.Lambda<Func<object?>>(Expression.Convert(Expression.Default(type), typeof(object))).Compile()()
            : null;
    }
}

/// <summary>The contract of a value that only traversal formats have: with a codec of the application, or a scalar.</summary>
internal sealed class CodecContract(Type type, object? codec) : ValueContract(type)
{
    internal override int MinByteCount => 0;

    /// <summary>Gets the codec of the application; null for a scalar.</summary>
    internal object? Own { get; } = codec;

    internal override void Write(ref BinaryBodyWriter writer, object? value) => throw new NotSupportedException();

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => throw new NotSupportedException();
}

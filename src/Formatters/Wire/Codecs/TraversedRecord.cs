using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>A class or struct in the formats of the traversal: an array in which each member stands at its number, or a map of their names.</summary>
/// <param name="type">The type.</param>
/// <param name="plan">The members in the order in which they are written.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed class TraversedRecord(Type type, RecordPlan plan) : RecordContract(type)
{
    /// <summary>Whether it has the map form.</summary>
    internal bool IsMap => plan.IsMap;

    /// <summary>Whether a body with fewer or more members is refused: tuples and pairs.</summary>
    internal bool IsExact => plan.IsExact;

    /// <summary>Where the members stand.</summary>
    internal IReadOnlyList<MemberPlace> Places => plan.Members;

    /// <summary>The index of the member at each place of the array form, or -1.</summary>
    internal int[] MemberAt { get; private set; } = [];

    /// <summary>The names of the map form.</summary>
    internal WireKeys Keys { get; private set; } = new();

    /// <summary>What the constructor gets for members that the body lacks.</summary>
    internal object?[] MissingArguments { get; private set; } = [];

    /// <summary>The member that keeps unknown ones.</summary>
    internal RecordMember? Unknown { get; private set; }

    /// <summary>Whether nothing in it counts as a further level of nesting, so that its own need only be checked: as in generated code, so that both count alike.</summary>
    internal bool IsLeaf { get; private set; }

    /// <summary>Sets the members.</summary>
    /// <exception cref="ArgumentException">A callback cannot be called, or the member that keeps unknown ones cannot be set.</exception>
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
        {
            FindCallbacks(path);
            Unknown = NumberedMembers.FindUnknown(Type, path);
        }

        IsLeaf = Unknown is null && Array.TrueForAll(members, static member =>
            (member.Contract is PresenceContract presence ? presence.Inner : member.Contract) is TextContract or BytesContract or KnownContract
            or CodecContract { Own: null } or ScalarContract { Scalar.Type.Name: not nameof(DateTimeOffset) });
    }

    /// <summary>Whether nothing stands for a member that the body lacks: it is required, or the constructor takes it and declares no default.</summary>
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
        return parameter.HasDefaultValue && parameter.DefaultValue is object value ? value
            : type.IsValueType ? Expression.Lambda<Func<object?>>(Expression.Convert(Expression.Default(type), typeof(object))).Compile()()
            : null;
    }
}

/// <summary>A value that only formats of the traversal have: by a codec of the application, or a scalar.</summary>
internal sealed class CodecContract(Type type, object? codec) : ValueContract(type)
{
    internal override int MinByteCount => 0;

    /// <summary>The codec of the application; null for a scalar.</summary>
    internal object? Own { get; } = codec;

    internal override void Write(ref BinaryBodyWriter writer, object? value) => throw new NotSupportedException();

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => throw new NotSupportedException();
}

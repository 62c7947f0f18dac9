using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.Serialization;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>Finds members that are fields, by reflection.</summary>
internal static class LegacyFields
{
    private const int MaxAllocationByteCount = 1 << 20;

    /// <summary>Adds the serialized fields to a contract, with their names in bodies.</summary>
    /// <param name="contract">The contract.</param>
    /// <param name="types">The set of types.</param>
    /// <param name="ownFields">The fields that the class sees, in the order of reflection.</param>
    /// <param name="inheritedFields">The fields of base classes, with the prefixes of their names.</param>
    internal static void AddTo(
        LegacyClassContract contract, LegacyTypeMapBuilder types, IEnumerable<FieldInfo> ownFields,
            IEnumerable<(FieldInfo Field, string Prefix)> inheritedFields)
    {
        var members = new LegacyFieldList(contract, types);
        foreach (FieldInfo field in ownFields)
            Add(members, field, "", TypeNames.Of(contract.Type.Type), types);
        foreach ((FieldInfo field, string prefix) in inheritedFields)
            Add(members, field, prefix, TypeNames.Of(contract.Type.Type), types);
        members.Finish();
    }

    private static void Add(LegacyFieldList members, FieldInfo field, string prefix, string declaringName, LegacyTypeMapBuilder types)
    {
#pragma warning disable SYSLIB0050 // [NonSerialized] is obsolete with the formatter that we stand in for.
        if ((field.Attributes & FieldAttributes.NotSerialized) != 0)
            return;
#pragma warning restore SYSLIB0050
        LegacyType type = types.Get(field.FieldType);
        members.Add(
            field.DeclaringType!,
            field.Name,
            prefix,
            field.GetCustomAttribute<LegacyBinaryNameAttribute>()?.Name ?? OfProperty(field)?.Name,
            field.IsDefined(typeof(OptionalFieldAttribute), inherit: false),
            name => Create(declaringName, name, type, field));
    }

    private static LegacyMember Create(string declaringName, string name, LegacyType type, FieldInfo field) =>
        type.Primitive?.CreateField(declaringName, name, type, field)
            ?? (field.FieldType == typeof(string)
                ? new LegacyStringField(declaringName, name, type, new LegacyAccess<string?>(field))
                : new LegacyObjectField<object?>(declaringName, name, type, new LegacyAccess<object?>(field)));

    /// <summary>Returns the attribute on the auto-property of a backing field.</summary>
    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage("Trimming", "IL2075",
        Justification = "Types of the runtime, which have no such attribute; others by methods that say so.")]
    private static LegacyBinaryNameAttribute? OfProperty(FieldInfo field)
    {
        const string Suffix = ">k__BackingField";
        if (field.Name[0] != '<' || !field.Name.EndsWith(Suffix, StringComparison.Ordinal))
            return null;
        string name = field.Name.Substring(1, field.Name.Length - 1 - Suffix.Length);
        foreach (PropertyInfo property in field.DeclaringType!.GetProperties(
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
        {
            if (property.Name == name)
                return property.GetCustomAttribute<LegacyBinaryNameAttribute>();
        }

        return null;
    }

    /// <summary>Limits the memory with which an object is charged.</summary>
    internal static int Limit(long byteCount) => (int)Math.Min(byteCount, MaxAllocationByteCount);
}

/// <summary>Collects the fields of a contract and their names: the one to write, and others under which they are read.</summary>
internal sealed class LegacyFieldList(LegacyClassContract contract, LegacyTypeMapBuilder types)
{
    private readonly List<LegacyMember> _members = [];
    private readonly List<(string Name, LegacyMember Member)> _otherNames = [];
    private long _byteCount = 24;

    /// <summary>Adds a field.</summary>
    /// <param name="declaringType">The class or struct that declares it.</param>
    /// <param name="fieldName">Its name there.</param>
    /// <param name="prefix">The prefix of the name in bodies, for a field of a base class.</param>
    /// <param name="attributeName">Its name in bodies by attribute; null: its own.</param>
    /// <param name="isOptional">Whether a body may lack it when all members are required.</param>
    /// <param name="create">Makes the member of the name in bodies.</param>
    internal void Add(Type declaringType, string fieldName, string prefix, string? attributeName, bool isOptional, Func<string, LegacyMember> create)
    {
        IReadOnlyList<string> given = types.Options.FindMemberNames(declaringType, fieldName);
        string written = given.Count > 0 ? given[given.Count - 1] : attributeName ?? fieldName;
        List<string> prefixes = PrefixesOf(prefix);
        LegacyMember member = create(prefixes[0] + written);
        member.IsOptional = isOptional;
        _members.Add(member);
        foreach (string before in prefixes)
        {
            _otherNames.Add((before + fieldName, member));
            if (attributeName is not null)
                _otherNames.Add((before + attributeName, member));
            foreach (string name in given)
                _otherNames.Add((before + name, member));
        }

        _byteCount += member.Type.Type.IsValueType && member.Type.HasArrayElements ? member.Type.ArrayElements.ElementByteCount : 8;
    }

    /// <summary>Returns the possible prefixes for a field of a base class, which may have other names in bodies; the first is written.</summary>
    private List<string> PrefixesOf(string prefix)
    {
        for (Type? level = prefix.Length == 0 ? null : contract.Type.Type.BaseType; level is not null; level = level.BaseType)
        {
            bool isFull = prefix == level.FullName + "+";
            if (!isFull && prefix != level.Name + "+")
                continue;
            var prefixes = new List<string> { LegacyName.OfBase(level, isFull, types.Options) + "+", prefix };
            for (int generation = 0; generation < types.Options.MaxNameCount; generation++)
                prefixes.Add(LegacyName.OfBase(level, isFull, types.Options, generation) + "+");
            return prefixes;
        }

        return [prefix];
    }

    internal void Finish()
    {
        contract.SetMembers(_members);
        contract.AllocationByteCount = LegacyFields.Limit(_byteCount);
        foreach ((string name, LegacyMember member) in _otherNames)
            contract.AddName(name, member);
    }
}

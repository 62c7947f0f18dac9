using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters;

/// <summary>Finds attributes of other serializers that a contract would ignore: docs/attributes.md.</summary>
/// <param name="format">The wire format of the contract.</param>
/// <param name="usesBclTypes">Whether dates, durations, decimals and GUIDs are protobuf-net's messages of level 200.</param>
internal sealed class ForeignRules(ForeignFormats format, bool usesBclTypes)
{
    private const string MessageFormatter = "Formatters.MemberCodecAttribute";
    private const string AllowDerived = "Formatters.AllowDerivedAttribute";
    private const string Callbacks = "MessagePack.IMessagePackSerializationCallbackReceiver";

    // The callbacks of other libraries, and those that are called.
    private static readonly Dictionary<string, string> CallbackNames = new()
    {
        ["ProtoBuf.ProtoBeforeSerializationAttribute"] = "OnSerializing",
        ["ProtoBuf.ProtoAfterSerializationAttribute"] = "OnSerialized",
        ["ProtoBuf.ProtoBeforeDeserializationAttribute"] = "OnDeserializing",
        ["ProtoBuf.ProtoAfterDeserializationAttribute"] = "OnDeserialized",
        ["MemoryPack.MemoryPackOnSerializingAttribute"] = "OnSerializing",
        ["MemoryPack.MemoryPackOnSerializedAttribute"] = "OnSerialized",
        ["MemoryPack.MemoryPackOnDeserializingAttribute"] = "OnDeserializing",
        ["MemoryPack.MemoryPackOnDeserializedAttribute"] = "OnDeserialized",
    };

    private readonly List<ForeignFault> _faults = [];
    private bool _isNonPublicKeyed;
    private bool _isOfOtherLibrary;

    /// <summary>Determines whether an attribute belongs to one of the libraries.</summary>
    internal static bool IsForeign(AttributeView attribute) =>
        IsOfLibrary(attribute.Name) || attribute.Name == AttributeNames.DataContract || attribute.BaseNames.Any(IsOfLibrary);

    /// <summary>Checks a type without members of its own: an enum, an interface or an abstract class.</summary>
    internal IReadOnlyList<ForeignFault> CheckAlone(ForeignType type)
    {
        // The attributes of the library that writes this format describe the type; those of MemoryPack do not.
        _isOfOtherLibrary = Counts(ForeignFormats.Packed) && Has(type, AttributeNames.MessagePackObject)
            || Counts(ForeignFormats.Protobuf) && type.View.IsFieldOptIn;
        CheckAttributes(type.View, type.Handle, "", null);
        CheckAssembly(type);
        CheckUnion(type);
        return _faults;
    }

    /// <summary>Checks a record.</summary>
    /// <param name="levels">Its classes, the most general first.</param>
    internal IReadOnlyList<ForeignFault> Check(IReadOnlyList<ForeignType> levels)
    {
        ForeignType type = levels[levels.Count - 1];
        CheckAlone(type);
        foreach (ForeignType level in levels)
        {
            if (level != type && Counts(ForeignFormats.Protobuf) && level.View.Find(AttributeNames.ProtoInclude) is AttributeView include)
                Add(TextOf(AttributeNames.ProtoInclude, ""), "", level.Handle, include);
            foreach (ForeignMethod method in level.Methods)
                CheckAttributes(method.View, method.Handle, method.Name, null);
            foreach (ForeignMember member in level.Members)
            {
                if (member.IsOverride)
                    CheckOverride(member, levels);
                else
                    CheckMember(member, level, type);
            }
        }

        CheckConstructors(type, [.. levels.SelectMany(static l => l.Members)]);
        if (Counts(ForeignFormats.Packed))
            CheckHidden(levels);
        if (Counts(ForeignFormats.Packed) && levels.Any(static l => l.ReceivesCallbacks) && !HasCallbacks(levels))
            Add("IMessagePackSerializationCallbackReceiver " + ForeignAttributes.Of(Callbacks)[0].Text, "", type.Handle, null);
        return _faults;
    }

    private static bool IsOfLibrary(string name) => name.StartsWith(ForeignAttributes.MessagePack, StringComparison.Ordinal)
        || name.StartsWith(ForeignAttributes.ProtobufNet, StringComparison.Ordinal)
        || name.StartsWith(ForeignAttributes.MemoryPack, StringComparison.Ordinal);

    private static bool IsOfMemoryPack(AttributeView attribute) =>
        attribute.BaseNames.Prepend(attribute.Name).Any(static name => name.StartsWith(ForeignAttributes.MemoryPack, StringComparison.Ordinal));

    private bool Counts(ForeignFormats formats) => (format & formats) != 0;

    private void Add(string text, string member, object handle, AttributeView? attribute) => _faults.Add(new(text, member, handle, attribute));

    private static string TextOf(string attribute, string argument)
    {
        ForeignAttribute row = ForeignAttributes.Of(attribute).First(row => row.Argument == argument);
        return row.Display + " " + row.Text;
    }

    /// <summary>Reports the attributes of a declaration that the table rejects.</summary>
    private void CheckAttributes(DeclarationView declaration, object handle, string member, MemberView? view)
    {
        foreach (AttributeView attribute in declaration.Attributes)
        {
            if (_isOfOtherLibrary && IsOfMemoryPack(attribute))
                continue;
            IReadOnlyList<ForeignAttribute> rows = ForeignAttributes.Of(attribute.Name);
            if (rows.Count == 0)
            {
                CheckDerived(attribute, declaration, handle, member);
                continue;
            }

            foreach (ForeignAttribute row in rows)
            {
                if (row.Status != ForeignStatus.Rejected || !Counts(row.Formats) || IsAnswered(row, declaration, view))
                    continue;
                bool isGiven = row.Argument switch
                {
                    "" => true,
                    "generateType" => attribute.Argument(0) is 2 or 3,
                    _ => !rows.Any(static r => r is { Argument: "", Status: ForeignStatus.Rejected }) && IsSet(attribute.Named(row.Argument)),
                };
                if (isGiven)
                    Add(row.Display + " " + row.Text, member, handle, attribute);
            }

            CheckOptions(attribute, handle, member);
        }
    }

    /// <summary>Reports an attribute that is derived from one of a library: the library recognizes it, and a contract does not.</summary>
    private void CheckDerived(AttributeView attribute, DeclarationView declaration, object handle, string member)
    {
        string? known = attribute.BaseNames.FirstOrDefault(static name => IsOfLibrary(name) && ForeignAttributes.Of(name).Count > 0);
        if (known is null || !ForeignAttributes.Of(known).Any(row => Counts(row.Formats)))
            return;
        string shown = ForeignAttribute.Show(attribute.Name);
        if (!known.StartsWith("MemoryPack.MemoryPackCustomFormatterAttribute`", StringComparison.Ordinal))
            Add($"{shown} derives from {ForeignAttribute.Show(known)}, and is not recognized; use {ForeignAttribute.Show(known)} itself", member,
                handle, attribute);
        else if (!declaration.Has(MessageFormatter))
            Add(shown + " " + ForeignAttributes.Of(known)[0].Text, member, handle, attribute);
    }

    private void CheckOptions(AttributeView attribute, object handle, string member)
    {
        // MemberSerializationOptions: AsReference, DynamicType, AsReferenceHasValue.
        const int NotSupported = 4 | 8 | 32;
        if (!Counts(ForeignFormats.Protobuf) || attribute.Name != AttributeNames.ProtoMember)
            return;
        if (attribute.Named("Options") is int options && (options & NotSupported) != 0)
            Add("[ProtoMember(Options)] has AsReference or DynamicType, which is not obeyed; remove it", member, handle, attribute);
        if (attribute.Named("DataFormat") is FieldMark.GroupFormat)
            Add("[ProtoMember(DataFormat)] " + TextOf("ProtoBuf.ProtoContractAttribute", "IsGroup").Split([' '], 2)[1], member, handle, attribute);
    }

    /// <summary>Determines whether the declaration also has what the contract obeys instead of an attribute.</summary>
    private bool IsAnswered(ForeignAttribute row, DeclarationView declaration, MemberView? member) => row.Attribute switch
    {
        "MessagePack.MessagePackFormatterAttribute" or "MemoryPack.OrdinalIgnoreCaseStringDictionaryFormatter`1" =>
            declaration.Has(MessageFormatter),
        "ProtoBuf.ProtoContractAttribute" => row.Argument == "IgnoreUnknownSubTypes" && declaration.Has(AllowDerived),
        "MemoryPack.MemoryPackIgnoreAttribute" => member is null || member.IsMarked || !IsIn(member),
        "MemoryPack.MemoryPackIncludeAttribute" => member is null || IsIn(member),
        _ => CallbackNames.TryGetValue(row.Attribute, out string? name)
            && declaration.Has(ForeignAttributes.Serialization + name + "Attribute"),
    };

    /// <summary>Determines whether a member is in the contract of this format.</summary>
    private bool IsIn(MemberView member) => member.IsMember
        && !(Counts(ForeignFormats.Packed) && PackedMark.IsLeftOut(member))
        && !(Counts(ForeignFormats.Protobuf)
            && (FieldMark.IsLeftOut(member) || member.DeclaringType.IsFieldOptIn && !FieldMark.HasNumber(member)));

    private static bool IsSet(object? argument) => argument is not (null or false or 0);

    /// <summary>Reports attributes on an override, which is the member that its base class declares.</summary>
    private void CheckOverride(ForeignMember member, IReadOnlyList<ForeignType> levels)
    {
        MemberView? declared = levels.SelectMany(static l => l.Members).FirstOrDefault(
            m => !m.IsOverride && m.View.Name == member.View.Name)?.View;
        foreach (AttributeView own in member.View.Attributes)
        {
            bool isSeen = own.Name is AttributeNames.DataMember or AttributeNames.IgnoreDataMember
                ? declared?.Find(own.Name) is AttributeView same && Equals(same.Named("Order"), own.Named("Order"))
                : own.Name.StartsWith("System.", StringComparison.Ordinal) || _isOfOtherLibrary && IsOfMemoryPack(own)
                    || !ForeignAttributes.Of(own.Name).Any(row => Counts(row.Formats));
            if (!isSeen)
                Add($"{ForeignAttribute.Show(own.Name)} is on an override, where it is not seen; put it on the property of the base class",
                    member.View.Name, member.Handle, own);
        }
    }

    private void CheckMember(ForeignMember member, ForeignType level, ForeignType type)
    {
        MemberView view = member.View;
        if (IsIn(view) || view.Has("MemoryPack.MemoryPackIncludeAttribute") && !_isOfOtherLibrary)
            CheckAttributes(view, member.Handle, view.Name, view);
        if (!_isOfOtherLibrary && Has(level, "MemoryPack.MemoryPackableAttribute") && !view.Has("MemoryPack.MemoryPackIgnoreAttribute")
            && view is { IsProperty: true, IsReadable: true, HasSetter: true, HasPublicSetter: false, IsMember: true, IsOptedIn: false }
            && !type.Constructors.Any(c => c.Parameters.Any(p => string.Equals(p.Name, view.Name, StringComparison.OrdinalIgnoreCase))))
            Add("MemoryPack sets the property by its setter that is not public, which a contract does not do; write [MessageMember] as well",
                view.Name, member.Handle, null);
        if (level.IsSerializable && member.IsFieldNotSerialized && view is { IsMember: true, IsOptedIn: false } && IsIn(view))
            Add("[field: NonSerialized] does not leave the property out; add [IgnoreDataMember], or [MessageMember] to keep it", view.Name,
                member.Handle, null);
        if (Counts(ForeignFormats.Evolving) && IsIn(view) && view.Find(AttributeNames.DataMember) is AttributeView data
            && data.Named("IsRequired") is true)
            CheckRequired(member, data, "[DataMember(IsRequired)]");
        if (Counts(ForeignFormats.Packed) && (Has(level, AttributeNames.MessagePackObject) || Has(type, AttributeNames.MessagePackObject)))
            CheckKeyed(member, type.View.Find(AttributeNames.MessagePackObject) ?? level.View.Find(AttributeNames.MessagePackObject)!);
        if (Counts(ForeignFormats.Protobuf) && (level.View.IsFieldOptIn || type.View.IsFieldOptIn))
            CheckField(member, level, type);
    }

    private static bool Has(ForeignType type, string attribute) => type.View.Has(attribute);

    private void CheckRequired(ForeignMember member, AttributeView attribute, string shown)
    {
        if (Counts(ForeignFormats.Protobuf) && member is { IsNumber: true, IsNullable: false })
            Add($"{shown} makes protobuf-net write 0, which has no field here; declare the member nullable, or remove it", member.View.Name,
                member.Handle, attribute);
        else if (!Counts(ForeignFormats.Protobuf) && !member.IsRequired)
            Add($"{shown} does not refuse a body without the member; declare the member 'required', or remove it", member.View.Name, member.Handle,
                attribute);
    }

    /// <summary>Checks a member of a contract of MessagePack-CSharp.</summary>
    private void CheckKeyed(ForeignMember member, AttributeView contract)
    {
        MemberView view = member.View;
        if (view.Has(AttributeNames.MessagePackIgnore) || view.Has(AttributeNames.IgnoreDataMember))
            return;
        bool isNamed = contract.Argument(0) is true;
        AttributeView? key = view.Find(AttributeNames.MessagePackKey);
        if (isNamed && contract.Named("AllowPrivate") is true && !_isNonPublicKeyed)
        {
            _isNonPublicKeyed = true;
            Add("[MessagePackObject(AllowPrivate)] with keyAsPropertyName adds the private members, which are not in the contract; remove it", "",
                member.Handle, null);
        }

        if (key is not null && isNamed)
            Add("[Key] is ignored by MessagePack-CSharp beside keyAsPropertyName; remove one of the two", view.Name, member.Handle, key);
        else if (key is not null && !view.IsMember)
            Add(view.IsPublic
                ? "[Key] is on a member that another attribute leaves out of the contract; remove [Key], or write [MessageMember] as well"
                : "[Key] is on a member that is not public, and so is not in the contract; write [MessageMember] as well", view.Name, member.Handle,
                key);
        else if (isNamed && view is { IsReadable: true, IsMember: false, KeepsUnknown: false })
            Add("MessagePack-CSharp writes the member, which another attribute leaves out of the contract; add [IgnoreMember] or [MessageMember]",
                view.Name, member.Handle, null);
    }

    /// <summary>Checks a member of a contract of protobuf-net.</summary>
    private void CheckField(ForeignMember member, ForeignType level, ForeignType type)
    {
        MemberView view = member.View;
        if (view.Has(AttributeNames.ProtoIgnore))
            return;
        if (view.Find(AttributeNames.ProtoMember) is not AttributeView field)
        {
            CheckOtherNumber(member, level, type);
            return;
        }

        if (!view.IsMember)
        {
            Add(view.IsPublic
                ? "[ProtoMember] is on a member that another attribute leaves out of the contract; write [MessageMember] as well, or [ProtoIgnore]"
                : "[ProtoMember] is on a member that is not public, and so is not in the contract; write [MessageMember] as well", view.Name,
                member.Handle, field);
            return;
        }

        if (level != type && !view.IsMarked)
            Add($"[ProtoMember] is in a base class of '{type.Name}', whose members protobuf-net does not write without [ProtoInclude], which is not "
                + "supported; declare the member in the class itself, or write [MessageMember] as well", view.Name, member.Handle, field);
        CheckEncoding(member, field);
        CheckLevel(member, level, field);
        CheckPresence(member, level, field);
    }

    private void CheckOtherNumber(ForeignMember member, ForeignType level, ForeignType type)
    {
        MemberView view = member.View;
        bool usesOnlyOwn = Is(level.View.Find(AttributeNames.ProtoContract), "UseProtoMembersOnly");
        if (!usesOnlyOwn && level == type && Has(level, "System.Xml.Serialization.XmlTypeAttribute") && !view.Has(AttributeNames.XmlIgnore)
            && !FieldMark.HasNumber(view)
            && (view.Find(AttributeNames.XmlElement) ?? view.Find(AttributeNames.XmlArray)) is AttributeView xml && xml.Named("Order") is int and > 0)
            Add("protobuf-net takes the Order of [XmlElement] as the number of the member, since the type has [XmlType]; write [ProtoMember] or "
                + "[ProtoIgnore], or UseProtoMembersOnly", view.Name, member.Handle, xml);
        if (view.IsMarked || !IsIn(view))
            return;
        if ((usesOnlyOwn || !type.View.IsOptIn) && view.Find(AttributeNames.DataMember) is AttributeView data && data.Named("Order") is int and > 0)
            Add("[DataMember] has a number, which protobuf-net reads only in a type with [DataContract] and without UseProtoMembersOnly; write "
                + "[ProtoMember]", view.Name, member.Handle, data);
    }

    private static bool Is(AttributeView? attribute, string argument) => attribute?.Named(argument) is true;

    private void CheckEncoding(ForeignMember member, AttributeView field)
    {
        string name = member.View.Name;
        object? dataFormat = field.Named("DataFormat");
        if (member.IsDictionary && dataFormat is FieldMark.ZigZagFormat or FieldMark.FixedSizeFormat or FieldMark.WellKnownFormat)
            Add("[ProtoMember(DataFormat)] of a dictionary is ignored by protobuf-net, and would apply to keys and values here; remove it", name,
                member.Handle, field);
        else if (member.HasEnums && dataFormat is FieldMark.ZigZagFormat or FieldMark.FixedSizeFormat)
            Add("[ProtoMember(DataFormat)] of an enum is ignored by protobuf-net, and would apply here; remove it", name, member.Handle, field);
        if (member is { IsDictionary: true, HasCollectionElements: true })
            Add("the values of the dictionary are collections, which protobuf-net writes without a message of their own; put each into a class with "
                + "[ProtoContract]", name, member.Handle, field);
        if (member is { IsCollection: true, IsDictionary: false } && field.Named("IsPacked") is not false
            && member.TypeNames.Any(static t => t is "System.DateOnly" or "System.TimeOnly"))
            Add("protobuf-net does not read a packed list of DateOnly or TimeOnly; write IsPacked = false", name, member.Handle, field);
        AttributeView? wrapped = member.View.Find("ProtoBuf.NullWrappedValueAttribute");
        if (member is { IsDictionary: true, HasNullableElements: true })
            Add("protobuf-net writes a null value of a dictionary as 0 or empty, also with [NullWrappedValue]; declare the values not nullable", name,
                member.Handle, wrapped ?? field);
        else if (wrapped is null && member.HasNullableElements)
            Add("protobuf-net does not write null elements without [NullWrappedValue]; add it, or declare the elements not nullable", name,
                member.Handle, field);
        else if (wrapped is not null && !member.HasNullableElements)
            Add("[NullWrappedValue] is on a member that is not a collection with nullable elements; remove it, or declare the elements nullable",
                name, member.Handle, wrapped);
    }

    /// <summary>Compares the level of compatibility with the form in which dates, durations, decimals and GUIDs are written.</summary>
    private void CheckLevel(ForeignMember member, ForeignType level, AttributeView field)
    {
        const int Dates = 240;
        const int Texts = 300;
        AttributeView? attribute = Find(member.View.Attributes) ?? Find(level.View.Attributes) ?? Find(level.AssemblyAttributes);
        int compatibility = attribute?.Argument(0) is int given and > 0 ? given : 200;
        int ofDates = field.Named("DataFormat") is FieldMark.WellKnownFormat ? Math.Max(compatibility, Dates) : compatibility;
        foreach (string type in member.TypeNames)
        {
            bool? isBcl = type switch
            {
                "System.DateTime" or "System.TimeSpan" => ofDates < Dates,
                "System.Decimal" or "System.Guid" => compatibility < Texts,
                _ => null,
            };
            if (isBcl is not bool wants || wants == usesBclTypes)
                continue;
            string shown = type.Substring(type.LastIndexOf('.') + 1);
            string at = compatibility.ToString(CultureInfo.InvariantCulture);
            Add(wants
                ? $"protobuf-net writes a {shown} as a message of its own at the compatibility level {at}; write "
                    + "[CompatibilityLevel(CompatibilityLevel.Level300)] on the type or its assembly, or read it by reflection with "
                    + "ProtobufOptions.UseBclTypes"
                : $"protobuf-net writes a {shown} in the standard form at the compatibility level {at}; do not set ProtobufOptions.UseBclTypes",
                member.View.Name, member.Handle, attribute ?? field);
            return;
        }

        static AttributeView? Find(IEnumerable<AttributeView> attributes) =>
            attributes.FirstOrDefault(static a => a.Name == "ProtoBuf.CompatibilityLevelAttribute" && a.Argument(0) is int and > 0);
    }

    /// <summary>Checks what determines whether protobuf-net writes a field.</summary>
    private void CheckPresence(ForeignMember member, ForeignType level, AttributeView field)
    {
        // MemberSerializationOptions.Required
        const int Required = 2;
        string name = member.View.Name;
        if (Is(field, "IsRequired") || field.Named("Options") is int options && (options & Required) != 0)
            CheckRequired(member, field, "[ProtoMember(IsRequired)]");
        if (member.View.Find("System.ComponentModel.DefaultValueAttribute") is AttributeView initial
            && (member.IsNullable ? initial.Argument(0) is not null : !IsZero(initial.Argument(0)) || initial.Argument(1) is not null))
            Add("[DefaultValue] makes protobuf-net leave out that value, and a member without a field is "
                + (member.IsNullable ? "null here; remove it" : "0 or empty here; remove it"), name, member.Handle, initial);
        ForeignMember? specified = level.Members.FirstOrDefault(
            other => other.View.Name == name + "Specified" && other.TypeNames.Count == 1 && other.TypeNames[0] == "System.Boolean");
        if (specified is not null)
            Add($"protobuf-net writes '{name}' only if '{name}Specified' is true, which is not obeyed; declare the member nullable, and remove "
                + "the other", specified.View.Name, specified.Handle, null);
        if (level.Methods.FirstOrDefault(m => m.Name == "ShouldSerialize" + name) is ForeignMethod method)
            Add($"protobuf-net calls '{method.Name}' to decide whether '{name}' is written, which is not obeyed; declare the member nullable",
                method.Name, method.Handle, null);
    }

    private static bool IsZero(object? value) => value switch
    {
        null or "" or false or '\0' => true,
        string => false,
        IConvertible number => number is not (bool or char) && Convert.ToDecimal(number, CultureInfo.InvariantCulture) == 0,
        _ => false,
    };

    private void CheckAssembly(ForeignType type)
    {
        foreach (AttributeView attribute in type.AssemblyAttributes)
        {
            bool names = attribute.Name switch
            {
                "ProtoBuf.ProtoSubTypeAttribute" => Equals(attribute.Argument(0), type.Handle) || Equals(attribute.Argument(1), type.Handle),
                "ProtoBuf.ProtoSurrogateAttribute" => Equals(attribute.Argument(0), type.Handle),
                "MessagePack.MessagePackKnownFormatterAttribute" => attribute.Argument(0) is object formatter && type.IsFormattedBy(formatter),
                _ => false,
            };
            if (names && ForeignAttributes.Of(attribute.Name)[0] is ForeignAttribute row && Counts(row.Formats))
                Add(row.Display + " " + row.Text, "", type.Handle, null);
        }
    }

    private void CheckUnion(ForeignType type)
    {
        foreach (AttributeView attribute in type.View.Attributes)
        {
            if (Counts(ForeignFormats.Packed) && attribute.Name == AttributeNames.MessagePackUnion && attribute.Argument(1) is string)
                Add("[Union] names the type of a case as a string, which is never loaded; use typeof", "", type.Handle, attribute);
        }
    }

    /// <summary>Checks that the constructor which another library calls is the one that the contract calls, with the same arguments.</summary>
    private void CheckConstructors(ForeignType type, IReadOnlyList<ForeignMember> members)
    {
        foreach (ForeignConstructor constructor in type.Constructors)
        {
            AttributeView? marked = constructor.View.Find("MemoryPack.MemoryPackConstructorAttribute")
                ?? (Counts(ForeignFormats.Packed) ? constructor.View.Find("MessagePack.SerializationConstructorAttribute") : null);
            if (marked is not null && !IsChosen(constructor, type.Constructors))
                Add(ForeignAttribute.Show(marked.Name) + " is on a constructor that is not called: the public one without parameters is, otherwise "
                    + "the public one with the most parameters; make the others private", "", constructor.Handle, marked);
            if (Counts(ForeignFormats.Packed) && Has(type, AttributeNames.MessagePackObject) && constructor.IsPublic
                && FindSwapped(constructor, members) is ParameterView swapped)
                Add($"MessagePack-CSharp passes the member with the key of its position to the parameter '{swapped.Name}', which has another name; "
                    + "order the parameters by the keys", "", constructor.Handle, null);
        }
    }

    private static bool IsChosen(ForeignConstructor constructor, IReadOnlyList<ForeignConstructor> all) => constructor.IsPublic
        && all.Where(c => c.IsPublic && c != constructor)
            .All(c => c.Parameters.Count > 0 && (constructor.Parameters.Count == 0 || c.Parameters.Count < constructor.Parameters.Count));

    /// <summary>Finds a parameter that MessagePack-CSharp gives another member than its name says: it matches keys and positions.</summary>
    private static ParameterView? FindSwapped(ForeignConstructor constructor, IReadOnlyList<ForeignMember> members)
    {
        ParameterView? swapped = null;
        for (int i = 0; i < constructor.Parameters.Count; i++)
        {
            ParameterView parameter = constructor.Parameters[i];
            MemberView? keyed = members.Select(static m => m.View).FirstOrDefault(
                m => m.Find(AttributeNames.MessagePackKey)?.Argument(0) is int key && key == i);
            if (keyed is null || !parameter.Takes(keyed))
                return null;
            if (!HasName(keyed, parameter) && members.Any(m => HasName(m.View, parameter)))
                swapped ??= parameter;
        }

        return swapped;

        static bool HasName(MemberView member, ParameterView parameter) =>
            string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Reports members with keys that a derived class hides: MessagePack-CSharp writes both.</summary>
    private void CheckHidden(IReadOnlyList<ForeignType> levels)
    {
        var keyed = new List<ForeignMember>();
        foreach (ForeignType level in levels)
        {
            foreach (ForeignMember member in level.Members.Where(m => !m.IsOverride))
            {
                if (keyed.Find(other => other.View.Name == member.View.Name) is not null)
                    Add("hides a member with a [Key] of a base class, which MessagePack-CSharp writes as well; rename it", member.View.Name,
                        member.Handle, null);
            }

            keyed.AddRange(level.Members.Where(static m => m.View.Find(AttributeNames.MessagePackKey)?.Argument(0) is int));
        }
    }

    private static bool HasCallbacks(IReadOnlyList<ForeignType> levels)
    {
        return Calls("OnBeforeSerialize", "OnSerializing") && Calls("OnAfterDeserialize", "OnDeserialized");

        bool Calls(string method, string attribute) => levels.SelectMany(static l => l.Methods)
            .Any(m => m.Name == method && m.View.Has(ForeignAttributes.Serialization + attribute + "Attribute"));
    }
}

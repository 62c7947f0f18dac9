using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>
/// All diagnostics. FMT0xx: usage of the attributes; FMT1xx: the contract; FMT2xx: changes of it; FMT3xx: other serializers. An id is never reused;
/// each has a page in docs/diagnostics.
/// </summary>
internal static class Descriptors
{
    internal static readonly DiagnosticDescriptor NotPartial = Error(
        "FMT001", "The type is not partial", "'{0}' has [MessageContract], but {1} is not partial, so no code can be added to it");

    internal static readonly DiagnosticDescriptor BadContext = Error(
        "FMT003", "The context is generic, not partial, or a contract itself", "'{0}' has [MessageContractFor], but {1}");

    internal static readonly DiagnosticDescriptor NameTaken = Error(
        "FMT004", "Two contracts of a context have the same name", "'{0}' cannot have a contract named '{1}': {2}; set Name");

    internal static readonly DiagnosticDescriptor MemberTaken = Error(
        "FMT005", "A member has a name that generated code needs", "'{0}' {1} '{2}', which is the name of a generated member; give it another name");

    internal static readonly DiagnosticDescriptor BadMap = Error(
        "FMT006", "A contract map that cannot be generated", "'{0}' has [MessageContractMap], but {1}");

    internal static readonly DiagnosticDescriptor Unsupported = Error(
        "FMT101", "A type without a contract", "{0}: '{1}' has no contract: {2}");

    internal static readonly DiagnosticDescriptor NoConstructor = Error(
        "FMT102", "No usable constructor", "{0}: '{1}' {2}");

    internal static readonly DiagnosticDescriptor Endless = Error(
        "FMT103", "A contract that contains itself through a non-nullable member",
            "{0}: a '{1}' contains another one in a member that cannot be null, so a body would never end; declare the member nullable");

    internal static readonly DiagnosticDescriptor StateLost = Error(
        "FMT104", "State that no contract would keep",
            "{0}: '{1}' has state, but no public member that can be set; its values would be lost: give members public setters, or [MessageMember]");

    internal static readonly DiagnosticDescriptor ElementType = Error(
        "FMT105", "A collection of objects without one declared element type", "{0}: {1}");

    internal static readonly DiagnosticDescriptor KeyType = Error(
        "FMT106", "Unsupported dictionary key type", "{0}: '{1}' cannot be a dictionary key; keys are strings, numbers, dates, GUIDs and enums");

    internal static readonly DiagnosticDescriptor NotAnnotated = Warning(
        "FMT107",
        "A reference declared without nullable annotations",
        "{0} declared without nullable annotations, so writing null fails; enable nullable annotations");

    internal static readonly DiagnosticDescriptor CutOut = Warning(
        "FMT109",
        "Members of a data contract that a reference assembly may hide",
        "{0} has [DataContract] and is in another project, of which the compiler sees only public members: other members with [DataMember], and "
        + "callbacks, would be lost; put [MessageContract] on the type");

    internal static readonly DiagnosticDescriptor LeftOut = Warning(
        "FMT108",
        "A public member that is left out",
        "{0} is not in the contract, because it has no public setter or another member hides it, so its value is lost; give it a public setter or "
        + "init, "
            + "rename it, or exclude it with [IgnoreDataMember]");

    internal static readonly DiagnosticDescriptor ChangedByConstructor = Warning(
        "FMT134",
        "A constructor that changes a member's value",
        "{0} is read by passing its value to the constructor, which changes it, and is not set again, so a value that was set later is lost; let the "
        + "constructor store its parameter, or add a constructor that does not take it");

    internal static readonly DiagnosticDescriptor NumberMissing = Error(
        "FMT110", "A member without a number", "{0} no number: set one with [MessageMember(n)], or leave the member out; [Key] is a "
        + "number in MessagePack, CBOR and compact only");

    internal static readonly DiagnosticDescriptor NumberTwice = Error(
        "FMT111", "Two members have the same number", "{0} has the number {1}, which {2} also has");

    internal static readonly DiagnosticDescriptor NumberOutOfRange = Error(
        "FMT112", "A number out of range", "{0} has the number {1}; numbers are 1 to {2}");

    internal static readonly DiagnosticDescriptor NumberRetired = Error(
        "FMT113", "A retired number is used again",
            "{0} has the number {1}, which is retired: bodies with the former member may still be in a queue");

    internal static readonly DiagnosticDescriptor FormatMissing = Error(
        "FMT114", "A nested contract without the wire format", "{0}: the contract of '{1}' is not generated for {2}: add {3} to its Formats");

    internal static readonly DiagnosticDescriptor UnknownMembers = Error(
        "FMT115", "A member that cannot keep unknown members", "{0} keeps the unknown members: {1}");

    internal static readonly DiagnosticDescriptor NoFormat = Error(
        "FMT116", "No wire format, or an unknown one", "'{0}': {1} is not a set of ContractFormats; name one or several of its values");

    internal static readonly DiagnosticDescriptor NameTwice = Error(
        "FMT118", "Two members have the same name", "{0} has the name '{1}', which {2} also has");

    internal static readonly DiagnosticDescriptor Encoding = Error(
        "FMT119", "A setting for protobuf that does not apply to the member", "{0} has {1}, which does not apply to it");

    internal static readonly DiagnosticDescriptor NoUnion = Error(
        "FMT120", "A union that is not abstract", "{0}: '{1}' has [MessageUnion], but is not an abstract class or interface");

    internal static readonly DiagnosticDescriptor NotInUnion = Error(
        "FMT121", "A type that does not belong to its union", "the union '{0}' lists '{1}', which is not derived from '{0}', or cannot be created");

    internal static readonly DiagnosticDescriptor UnionTag = Error(
        "FMT122", "A union lists a tag or a type twice", "the union '{0}' lists '{1}' {2}");

    internal static readonly DiagnosticDescriptor UnknownCase = Error(
        "FMT123",
        "A type that cannot keep unknown tags",
        "'{1}' is to keep the unknown tags of the union '{0}', but is not a class with IUnknownCase and a public constructor without parameters, or "
        + "has required members");

    internal static readonly DiagnosticDescriptor OutOfReach = Error(
        "FMT124", "A member that generated code cannot reach", "{0} is not accessible: it {1}");

    internal static readonly DiagnosticDescriptor CannotSet = Error(
        "FMT125", "A member that cannot be read or set", "{0} has an attribute that makes it a member, but {1}");

    internal static readonly DiagnosticDescriptor NoFormatter = Error(
        "FMT126",
        "The codec does not match the member type",
        "{0}: '{1}' is not a codec for '{2}': it {3}");

    internal static readonly DiagnosticDescriptor BadCallback = Error(
        "FMT127",
        "A callback that cannot be called",
        "{0} is a callback, but it is static, virtual, generic or async, implements an interface explicitly, returns something, or takes something "
        + "other than a StreamingContext by value");

    internal static readonly DiagnosticDescriptor Derived = Warning(
        "FMT128",
        "A member of a class that others derive from",
        "{0} is declared as '{1}', from which '{2}' derives: writing an object of a derived class fails; declare a union ([MessageUnion]), or allow "
        + "it with [AllowDerived] if the members that it adds may be lost");

    internal static readonly DiagnosticDescriptor BadOneof = Error(
        "FMT129", "A oneof that does not fit its union", "{0} has {1}");

    internal static readonly DiagnosticDescriptor LegacyNotPartial = Error(
        "FMT130", "A legacy contract that cannot be generated here", "'{0}' has [LegacyBinaryContract], but {1}");

    internal static readonly DiagnosticDescriptor LegacyUnsupported = Error(
        "FMT131", "A type without a legacy contract", "{0}: '{1}' has no legacy contract: {2}");

    internal static readonly DiagnosticDescriptor ByXmlSerializer = Info(
        "FMT140", "XML by XmlSerializer", "The XML bodies of '{0}' are written and read by XmlSerializer, not by generated code. {1}");

    internal static readonly DiagnosticDescriptor XmlLost = Error(
        "FMT141", "A value that XML loses",
            "{0}: XmlSerializer does not write the value of a '{1}', and reads its default; exclude it ([XmlIgnore]), put its value in another "
            + "member, or allow the loss ([AllowXmlLoss])");

    internal static readonly DiagnosticDescriptor XmlNotRead = Error(
        "FMT142", "A collection that XML cannot read back",
            "{0}: XmlSerializer writes a '{1}' and cannot read it back, as nothing can be added to it; use an array or List<T>, leave it out "
            + "([XmlIgnore]), or allow the loss ([AllowXmlLoss])");

    internal static readonly DiagnosticDescriptor SchemaBroken = Create(
        "FMT201", "A contract has changed incompatibly",
            "formatters.schema.json: {0} {1}; existing bodies would be read wrongly or not at all, and so would new bodies by existing readers",
                DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor SchemaOutdated = Warning(
        "FMT202", "The schema snapshot is not up to date", "formatters.schema.json: {0} {1}; build with -p:UpdateFormattersSchema=true");

    internal static readonly DiagnosticDescriptor SchemaUnreadable = Create(
        "FMT203", "The schema snapshot cannot be read", "{0}: {1}; build with -p:UpdateFormattersSchema=true to write it again",
            DiagnosticSeverity.Error);

    internal static readonly DiagnosticDescriptor Contradiction = Error(
        "FMT132", "The attributes of two serializers contradict each other", "{0}: {1}");

    internal static readonly DiagnosticDescriptor ForeignAttribute = Error(
        "FMT133", "An attribute of another serializer that is not obeyed", "{0}: {1}");

    internal static readonly DiagnosticDescriptor LegacyFormatter = Warning(
        "FMT301",
        "A payload is written by the legacy formatter",
        "{0} is written by {1}, which lets a body choose the types that its reader loads and is no longer part of .NET; give the type "
        + "[MessageContract] and use {2}");

    internal static readonly DiagnosticDescriptor DataContract = Info(
        "FMT302", "A data contract with ordered members",
            "'{0}' has [DataContract]; its members can keep their order as numbers of a [MessageContract]");

    internal static readonly DiagnosticDescriptor MessagePackContract = Info(
        "FMT303", "A contract of MessagePack-CSharp",
            "'{0}' has [MessagePackObject]; its members can keep their keys as numbers of a [MessageContract]");

    internal static readonly DiagnosticDescriptor ProtoContract = Info(
        "FMT304", "A contract of protobuf-net", "'{0}' has [ProtoContract]; its members can keep their numbers in a [MessageContract]");

    internal static readonly DiagnosticDescriptor MemoryPackContract = Info(
        "FMT305", "A contract of MemoryPack", "'{0}' has [MemoryPackable]; its members can keep their order as numbers of a [MessageContract]");

    private static DiagnosticDescriptor Info(string id, string title, string message) => Create(id, title, message, DiagnosticSeverity.Info);

    private static DiagnosticDescriptor Warning(string id, string title, string message) => Create(id, title, message, DiagnosticSeverity.Warning);

    /// <summary>
    /// Creates an error of a contract that is then not generated. It cannot be disabled, because the compiled code would write and read nothing.
    /// </summary>
    private static DiagnosticDescriptor Error(string id, string title, string message) =>
        Create(id, title, message, DiagnosticSeverity.Error, WellKnownDiagnosticTags.NotConfigurable);

    private static DiagnosticDescriptor Create(string id, string title, string message, DiagnosticSeverity severity, params string[] tags) =>
        new(id, title, message, "Formatters", severity, isEnabledByDefault: true, helpLinkUri: HelpLink(id), customTags: tags);

    /// <summary>Returns the page in the repository; the package contains it as well, in <c>docs/diagnostics</c>.</summary>
    private static string HelpLink(string id) => $"{RepositoryAddress.Url}/blob/main/docs/diagnostics/{id}.md";
}

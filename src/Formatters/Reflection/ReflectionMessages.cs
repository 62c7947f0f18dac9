namespace Formatters;

/// <summary>What the trimming and ahead-of-time compilation analyzers say about reflection.</summary>
internal static class ReflectionMessages
{
    internal const string Trimming = "The contract comes from the members of the type and of the types of its members, which trimming may remove.";
    internal const string DynamicCode = "Collections of the member types are made at run time, and code is emitted where the runtime can.";
}

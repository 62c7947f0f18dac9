namespace Formatters.Generator;

// Members of a base class that a contract cannot access: the generated class of the base class has methods for them.
internal abstract partial class WireEmitter
{
    private protected static string Get(MemberModel member, string owner) =>
        member.Accessor.Length > 0
        ? $"{member.Accessor}.Get_{member.Name}({owner})"
        : member.HiddenIn.Length > 0
        ? $"(({member.HiddenIn}){owner}).{member.Access}"
        : $"{owner}.{member.Access}";

    private protected static string Set(MemberModel member, string owner, string value) =>
        member.IsSetByAccessor ? $"{member.Accessor}.Set_{member.Name}({owner}, {value});" : $"{Get(member, owner)} = {value};";

    private protected void EmitCallbacks(RecordShape record, CallbackKind kind, string target = "value")
    {
        foreach (CallbackModel callback in record.Callbacks)
        {
            if (callback.Kind == kind)
            {
                string owner = callback.HiddenIn.Length == 0 ? target : $"(({callback.HiddenIn}){target})";
                Out.Line(callback.Accessor.Length == 0
                    ? $"{owner}.{callback.Name}({Context(callback.TakesContext)});"
                    : $"{callback.Accessor}.Call_{callback.Name.TrimStart('@')}({target});");
            }
        }
    }

    private void EmitAccessor(AccessorModel accessor)
    {
        string owner = accessor.Owner;
        string name = accessor.Name.TrimStart('@');
        Out.Line();
        Out.Line(accessor.Kind switch
        {
            AccessorKind.Field => $"internal static ref {accessor.Type} Get_{name}({owner} value) => ref value.{accessor.Name};",
            AccessorKind.Callback => $"internal static void Call_{name}({owner} value) => value.{accessor.Name}({Context(accessor.HasMore)});",
            _ => $"internal static {accessor.Type} Get_{name}({owner} value) => value.{accessor.Name};",
        });
        if (accessor.Kind != AccessorKind.Property || !accessor.HasMore)
            return;
        Out.Line();
        Out.Line($"internal static void Set_{name}({owner} value, {accessor.Type} item) => value.{accessor.Name} = item;");
    }

    private static string Context(bool isTaken) => isTaken ? "default(global::System.Runtime.Serialization.StreamingContext)" : "";
}

namespace Formatters.Generated;

/// <summary>The one instance of a member formatter or codec that generated code uses.</summary>
internal static class SharedInstance<T>
    where T : new()
{
    internal static readonly T Value = new();
}

namespace Formatters.Generated;

/// <summary>The one instance of a codec that generated code uses.</summary>
internal static class SharedInstance<T>
    where T : new()
{
    internal static readonly T Value = new();
}

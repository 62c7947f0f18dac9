#if NET
using Formatters.Contracts;

using System.Diagnostics.CodeAnalysis;
#endif

namespace Formatters;

#if NET
/// <summary>Describes JSON.</summary>
internal sealed class JsonWireFormat() : WireFormat("json", "JSON", ContentTypes.Json, BodyTypes.Json, JsonOptions.Default)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Json;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new JsonFormatter<T>((JsonOptions)options);
}

public abstract partial class MessageInspector
{
    /// <summary>Gets the inspector of JSON, which it prints indented.</summary>
    /// <remarks>Not on netstandard2.0, like <c>JsonFormatter</c>.</remarks>
    public static MessageInspector Json { get; } = new JsonInspector();
}
#endif

public static partial class ContentTypes
{
    /// <summary>JSON as System.Text.Json writes it, UTF-8.</summary>
    public const string Json = "application/json";
}

public static partial class BodyTypes
{
    /// <summary>JSON (<see cref="ContentTypes.Json"/>).</summary>
    public const int Json = 0x4605;
}

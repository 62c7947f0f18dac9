using System.Collections;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Formatters.Bench.CommandLine;
using Formatters.Tools.Migrate;

namespace Formatters.Bench.Own;

/// <summary>Gets the objects that are measured.</summary>
internal static class OwnSamples<T>
{
    private static readonly JsonSerializerOptions Json = new()
    {
        IncludeFields = true,
        PropertyNameCaseInsensitive = true,
        ReadCommentHandling = JsonCommentHandling.Skip,
        AllowTrailingCommas = true,
        Converters = { new JsonStringEnumConverter() },
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { UsePrivateSetters } },
    };

    /// <summary>Reads a file: one object, or an array of them where the type is not a collection itself.</summary>
    /// <exception cref="UsageException">The file does not hold the type.</exception>
    internal static IReadOnlyList<T> OfFile(FileInfo file)
    {
        if (!file.Exists)
            throw CommonOptions.Missing(file);
        try
        {
            using FileStream stream = file.OpenRead();
            using JsonDocument document = JsonDocument.Parse(
                stream, new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
            bool isList = document.RootElement.ValueKind == JsonValueKind.Array
                && (typeof(T) == typeof(string) || !typeof(IEnumerable).IsAssignableFrom(typeof(T)));
            IReadOnlyList<T?> samples = isList ? document.RootElement.Deserialize<List<T?>>(Json)! : [document.RootElement.Deserialize<T>(Json)];
            return Check(samples, $"'{file.FullName}'");
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or InvalidOperationException or ArgumentException
            or TargetInvocationException)
        {
            throw new UsageException($"'{file.FullName}' is not JSON of {typeof(T)}: {OwnReasons.Of(e)} A static method can make the samples "
                + $"instead: --samples Namespace.Type.Method.");
        }
    }

    /// <summary>Calls a method: it gives an object, or several.</summary>
    /// <exception cref="UsageException">There is no such method, or it fails, or gives something else.</exception>
    internal static IReadOnlyList<T> OfMethod(string name, UserAssemblies assemblies)
    {
        int dot = name.LastIndexOf('.');
        if (dot <= 0)
            throw new UsageException($"'{name}' is not of the form Namespace.Type.Method.");
        Type type = assemblies.GetType(name[..dot]);
        MethodInfo method = type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .Where(candidate => candidate.Name == name[(dot + 1)..] && !candidate.ContainsGenericParameters
                && candidate.GetParameters().All(static parameter => parameter.IsOptional))
            .MinBy(static candidate => candidate.GetParameters().Length)
            ?? throw new UsageException($"'{type}' has no static method '{name[(dot + 1)..]}' without parameters, or with only optional parameters.");
        try
        {
            return method.Invoke(null, BindingFlags.OptionalParamBinding, null, [.. method.GetParameters().Select(static _ => Type.Missing)],
                null) switch
            {
                T sample => Check([sample], name),
                IEnumerable<T> samples => Check([.. samples], name),
                var other =>
                    throw new UsageException($"'{name}' gives {(other is null ? "null" : other.GetType())}, not {typeof(T)} or a sequence of them."),
            };
        }
        catch (Exception e) when (e is not (UsageException or OutOfMemoryException))
        {
            throw new UsageException($"'{name}' failed: {OwnReasons.Of(e)}");
        }
    }

    private static IReadOnlyList<T> Check(IReadOnlyList<T?> samples, string source)
    {
        if (samples.Count == 0 || samples.Any(static sample => sample is null))
            throw new UsageException($"{source} gives {(samples.Count == 0 ? "no samples" : "null for a sample")}.");
        return samples!;
    }

    /// <summary>A sample fills every member that can be set, whoever may set it.</summary>
    private static void UsePrivateSetters(JsonTypeInfo info)
    {
        foreach (JsonPropertyInfo property in info.Properties)
        {
            if (property.Set is null && property.AttributeProvider is PropertyInfo { SetMethod: not null } member)
                property.Set = (target, value) => member.SetValue(target, value);
        }
    }
}

/// <summary>Describes a failure in a line.</summary>
internal static class OwnReasons
{
    internal static string Of(Exception exception)
    {
        Exception e = exception;
        while (e is TargetInvocationException or TypeInitializationException && e.InnerException is { } inner)
            e = inner;
        string text = e.Message;
        // XmlSerializer says what is wrong only in the innermost exception.
        for (Exception? inner = e.InnerException; inner is not null; inner = inner.InnerException)
        {
            if (inner.InnerException is null && !text.Contains(inner.Message, StringComparison.Ordinal))
                text = $"{text} {inner.Message}";
        }

        if (e is FileNotFoundException or FileLoadException or TypeLoadException)
            text += " Is that assembly in the same folder as yours? 'dotnet publish' puts everything it needs into one folder.";
        return string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
    }
}

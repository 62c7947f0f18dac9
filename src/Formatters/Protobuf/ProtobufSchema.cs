using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters.Protobuf;

/// <summary>
/// Prints the schema for <see cref="ProtobufFormatter{T}"/> as a <c>.proto</c> file, for protoc and for programs in other languages.
/// </summary>
/// <remarks>The names of types and members are described in docs/wire/protobuf.md, "Schema".</remarks>
public static class ProtobufSchema
{
    /// <summary>Prints the messages of a type and of all types in it.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="package">The package; null for none.</param>
    /// <param name="options">The options under which the type is written; null means <see cref="ProtobufOptions.Default"/>.</param>
    /// <returns>A file with proto3 syntax and LF line endings. The message of the type comes first.</returns>
    /// <exception cref="ArgumentException">The type has no contract.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public static string Export<T>(string? package = null, ProtobufOptions? options = null) => Export([typeof(T)], package, options);

    /// <summary>Prints the messages of several types and of all types in them.</summary>
    /// <param name="types">The types of the payloads.</param>
    /// <param name="package">The package; null for none.</param>
    /// <param name="options">The options under which the types are written; null means <see cref="ProtobufOptions.Default"/>.</param>
    /// <returns>A file with proto3 syntax and LF line endings. The message of the first type comes first.</returns>
    /// <exception cref="ArgumentException">A type has no contract.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="types"/> is null.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public static string Export(Type[] types, string? package = null, ProtobufOptions? options = null)
    {
        var codecs = new ProtobufCodecBuilder(options ?? ProtobufOptions.Default);
        var schema = new SchemaBuilder();
        MethodInfo add = typeof(SchemaBuilder).GetMethod(nameof(SchemaBuilder.AddMessage), BindingFlags.Instance | BindingFlags.NonPublic)!;
        foreach (Type type in types ?? throw new ArgumentNullException(nameof(types)))
            add.MakeGenericMethod(type).Invoke(schema, [codecs.GetRoot(type)]);
        return schema.Print(package);
    }
}

#if NET
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Formatters;

/// <summary>
/// Reads stacks in the order in which they are written, from the top: System.Text.Json pushes the top first, which reverses the stack.
/// </summary>
[RequiresUnreferencedCode("System.Text.Json reflects over the members of the type, which trimming may remove.")]
[RequiresDynamicCode("System.Text.Json may generate code at run time.")]
internal sealed class JsonStacks : JsonConverterFactory
{
    /// <summary>Gets a single instance for all options, so that System.Text.Json shares its metadata.</summary>
    internal static JsonStacks Instance { get; } = new();

    public override bool CanConvert(Type typeToConvert) =>
        typeToConvert.Namespace?.StartsWith("System.Collections", StringComparison.Ordinal) == true && typeToConvert.IsGenericType
        && JsonContracts.IsStack(typeToConvert);

    public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options) =>
        (JsonConverter)Activator.CreateInstance(
            typeof(StackConverter<,>).MakeGenericType(typeToConvert, typeToConvert.GetGenericArguments()[0]), options)!;

    /// <summary>Marks the converters of this factory, to the contracts of whose elements the rules of contracts apply.</summary>
    internal interface IStackConverter;

    /// <summary>Converts a stack as an array of its elements from the top.</summary>
    [RequiresUnreferencedCode("System.Text.Json reflects over the members of the type, which trimming may remove.")]
    [RequiresDynamicCode("System.Text.Json may generate code at run time.")]
    private sealed class StackConverter<TStack, T>(JsonSerializerOptions options) : JsonConverter<TStack>, IStackConverter
        where TStack : IEnumerable<T>
    {
        private readonly JsonConverter<T> _element = (JsonConverter<T>)options.GetConverter(typeof(T));

        public override TStack Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            if (reader.TokenType != JsonTokenType.StartArray)
                throw new JsonException();
            var items = new List<T>();
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                bool isNull = reader.TokenType == JsonTokenType.Null && !_element.HandleNull;
                if (isNull && default(T) is not null)
                    throw new JsonException();
                items.Add(isNull ? default! : _element.Read(ref reader, typeof(T), options)!);
            }

            items.Reverse();
            object stack = typeof(TStack) == typeof(Stack<T>)
                ? new Stack<T>(items)
                : typeof(TStack) == typeof(ConcurrentStack<T>) ? new ConcurrentStack<T>(items) : ImmutableStack.CreateRange(items);
            return (TStack)stack;
        }

        public override void Write(Utf8JsonWriter writer, TStack value, JsonSerializerOptions options)
        {
            writer.WriteStartArray();
            foreach (T item in value)
            {
                if (item is null && !_element.HandleNull)
                    writer.WriteNullValue();
                else
                    _element.Write(writer, item, options);
            }

            writer.WriteEndArray();
        }
    }
}
#endif

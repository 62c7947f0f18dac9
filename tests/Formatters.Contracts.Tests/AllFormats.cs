using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using OwnFormat;

namespace Formatters.Contracts.Tests;

/// <summary>The formatters of a type in every wire format of contracts for which it has a generated one: that, and one by reflection.</summary>
/// <remarks>A new wire format is a row here; every rule of contracts is then tested in it.</remarks>
internal static class AllFormats
{
    private const string ByReflectionSuffix = ", reflection";

    /// <summary>Creates the formatters of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="contracts">The class that has the generated contracts; null for <typeparamref name="T"/> itself.</param>
    internal static (string Name, MessageFormatter<T> Formatter)[] Of<T>(Type? contracts = null)
    {
        var all = new List<(string, MessageFormatter<T>)>();
        if (Find<T>(contracts ?? typeof(T)) is not MessageContract<T> contract)
            return [];
        Add(ContractFormats.Binary, "binary", static contract => new BinaryBodyFormatter<T>(contract), static () => new BinaryBodyFormatter<T>(ByReflection.Binary));
        Add(ContractFormats.Versioned, "versioned", static contract => new VersionedFormatter<T>(contract), static () => new VersionedFormatter<T>(ByReflection.Versioned));
        Add(
            ContractFormats.MessagePack,
            "MessagePack",
            static contract => new MessagePackFormatter<T>(contract),
            static () => new MessagePackFormatter<T>(ByReflection.MessagePack));
        Add(ContractFormats.Cbor, "CBOR", static contract => new CborFormatter<T>(contract), static () => new CborFormatter<T>(ByReflection.Cbor));
        Add(ContractFormats.Compact, "compact", static contract => new CompactFormatter<T>(contract), static () => new CompactFormatter<T>(ByReflection.Compact));
        // A format of the application, which uses the contract for MessagePack.
        Add(
            ContractFormats.MessagePack,
            "RESP3",
            static contract => new CustomFormatter<T, Resp3>(contract),
            static () => new CustomFormatter<T, Resp3>(ByReflection.Custom));
        Add(ContractFormats.Protobuf, "protobuf", static contract => new ProtobufFormatter<T>(contract), static () => new ProtobufFormatter<T>(ByReflection.Protobuf));
        return [.. all];

        void Add(ContractFormats format, string name, Func<MessageContract<T>, MessageFormatter<T>> create, Func<MessageFormatter<T>> reflect)
        {
            if ((contract.Formats & format) == 0)
                return;
            all.Add((name, create(contract)));
            all.Add((name + ByReflectionSuffix, reflect()));
        }
    }

    /// <summary>Finds the formatter of one name.</summary>
    internal static MessageFormatter<T> Of<T>(string name) => Of<T>().Single(row => row.Name == name).Formatter;

    /// <summary>Gets the names of the formatters of a type.</summary>
    internal static IEnumerable<string> NamesOf<T>() => Of<T>().Select(static row => row.Name);

    private static MessageContract<T>? Find<T>(Type holder) =>
        holder.GetProperties(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .FirstOrDefault(static property => property.PropertyType == typeof(MessageContract<T>))?.GetValue(null) as MessageContract<T>;
}

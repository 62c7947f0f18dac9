using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

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
        Add<MessageContract<T>>("binary", static contract => new ContractFormatter<T>(contract), static () => new ReflectionFormatter<T>());
        Add<VersionedContract<T>>(
            "versioned",
            static contract => new VersionedFormatter<T>(contract),
            static () => new ReflectionFormatter<T>(null, ReflectionOptions.Default with { Format = ContractFormats.Versioned }));
        Add<MessagePackContract<T>>("MessagePack", static contract => new MessagePackFormatter<T>(contract), static () => new MessagePackFormatter<T>(null, ByReflection.MessagePack));
        Add<CborContract<T>>("CBOR", static contract => new CborFormatter<T>(contract), static () => new CborFormatter<T>(null, ByReflection.Cbor));
        Add<CompactContract<T>>("compact", static contract => new CompactFormatter<T>(contract), static () => new CompactFormatter<T>(null, ByReflection.Compact));
        Add<ProtobufContract<T>>("protobuf", static contract => new ProtobufFormatter<T>(contract), static () => new ProtobufFormatter<T>(null, ByReflection.Protobuf));
        return [.. all];

        void Add<TContract>(string name, Func<TContract, MessageFormatter<T>> create, Func<MessageFormatter<T>> reflect)
            where TContract : class
        {
            if (Find<TContract>(contracts ?? typeof(T)) is not TContract contract)
                return;
            all.Add((name, create(contract)));
            all.Add((name + ByReflectionSuffix, reflect()));
        }
    }

    /// <summary>Finds the formatter of one name.</summary>
    internal static MessageFormatter<T> Of<T>(string name) => Of<T>().Single(row => row.Name == name).Formatter;

    /// <summary>Gets the names of the formatters of a type.</summary>
    internal static IEnumerable<string> NamesOf<T>() => Of<T>().Select(static row => row.Name);

    private static TContract? Find<TContract>(Type holder)
        where TContract : class =>
        holder.GetProperties(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .FirstOrDefault(static property => property.PropertyType == typeof(TContract))?.GetValue(null) as TContract;
}

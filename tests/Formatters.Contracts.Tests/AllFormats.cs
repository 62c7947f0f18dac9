using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using OwnFormat;

namespace Formatters.Contracts.Tests;

/// <summary>The formatters of a type in every wire format of contracts for which it has a generated one: that, and one by reflection.</summary>
/// <remarks>They come from <see cref="WireFormat.All"/>: every rule of contracts is tested in a new wire format, too.</remarks>
internal static class AllFormats
{
    private const string ByReflectionSuffix = ", reflection";

    /// <summary>The formats of contracts, with one of the application, which uses the contract for MessagePack.</summary>
    private static readonly WireFormat[] s_formats =
        [.. WireFormat.All.Where(static format => format.DefaultOptions is ContractOptions), WireFormat.Custom<Resp3>()];

    /// <summary>Gets how many formatters a type has whose contract is generated for every format.</summary>
    internal static int Count => 2 * s_formats.Length;

    /// <summary>Creates the formatters of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="contracts">The class that has the generated contracts; null for <typeparamref name="T"/> itself.</param>
    /// <param name="limits">The limits; null for the default ones.</param>
    internal static (string Name, MessageFormatter<T> Formatter)[] Of<T>(Type? contracts = null, FormatterLimits? limits = null) =>
        [.. Rows<T>(contracts, limits).Select(static row => (row.Name, row.Create()))];

    /// <summary>Creates the formatter of one name.</summary>
    internal static MessageFormatter<T> Of<T>(string name, FormatterLimits? limits = null) => Rows<T>(limits: limits).Single(row => row.Name == name).Create();

    /// <summary>Gets the names of the formatters of a type.</summary>
    internal static IEnumerable<string> NamesOf<T>() => Rows<T>().Select(static row => row.Name);

    /// <summary>Gets the names of the formatters of a type with what creates them.</summary>
    internal static IEnumerable<(string Name, Func<MessageFormatter<T>> Create)> Rows<T>(Type? contracts = null, FormatterLimits? limits = null)
    {
        if (ContractOf<T>(contracts ?? typeof(T)) is not MessageContract<T> contract)
            yield break;
        foreach (WireFormat format in s_formats.Where(format => (contract.Formats & format.ContractFormat) != 0))
        {
            string name = format == WireFormat.Custom<Resp3>() ? "RESP3" : format.DisplayName;
            yield return (name, () => MessageFormatter.Create(contract, format, limits));
            yield return (name + ByReflectionSuffix, () => MessageFormatter.Create<T>(format, ByReflection.Of(format, limits)));
        }
    }

    /// <summary>Gets the generated contract of a type from the class that has it; null if there is none.</summary>
    internal static MessageContract<T>? ContractOf<T>(Type holder) =>
        holder.GetProperties(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .FirstOrDefault(static property => property.PropertyType == typeof(MessageContract<T>))?.GetValue(null) as MessageContract<T>;
}

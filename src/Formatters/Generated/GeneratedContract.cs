using System;
using Formatters.Generated;

namespace Formatters;

/// <summary>The contract that the generator adds to a type.</summary>
internal static class GeneratedContract
{
    /// <summary>The name of the static property that the generator adds to a type.</summary>
    internal const string PropertyName = "MessageContract";

    internal static InvalidOperationException NotGenerated(Type type, ContractFormats format) => new(
        $"{TypeNames.Of(type)} has no generated contract for {format}. Declare it partial, with [MessageContract(Formats = "
        + $"ContractFormats.{format})], "
        + "or pass a contract of a class with [MessageContractFor]; or find the contract by reflection: new(options) instead of Create."
        + (format == ContractFormats.Xml
            ? " What the generator does not cover in XML (FMT140) is written by XmlSerializer, also with new(options)."
            : ""));
}

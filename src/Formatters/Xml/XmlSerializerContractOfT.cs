using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Xml;
using Formatters.Generated;

namespace Formatters;

/// <summary>The contract of a type with XmlSerializer.</summary>
[RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
[RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
internal sealed class XmlSerializerContract<T> : XmlContract<T>
{
    private static XmlSerializerContract<T>? _default;

    private readonly XmlSerializerContract[] _contract;

    private XmlSerializerContract(IReadOnlyCollection<Type> allowedLosses)
    {
        try
        {
            _contract = [XmlSerializerContract.For(typeof(T), [.. allowedLosses], nameof(T))];
        }
        catch (ArgumentException e)
        {
            throw new NotSupportedException(e.InnerException is null
                ? e.Message
                : $"XmlSerializer cannot map {typeof(T)}: {e.InnerException.Message}", e.InnerException);
        }
    }

    internal static XmlSerializerContract<T> Get(IReadOnlyCollection<Type> allowedLosses) =>
        allowedLosses.Count > 0 ? new(allowedLosses) : _default ??= new([]);

    internal override int Write(IBufferWriter<byte> destination, T value, XmlBodyStyle style, FormatterLimits limits) =>
        XmlBody.Write(destination, value!, _contract[0], style, limits);

    internal override T? Read(ReadOnlySpan<byte> body, FormatterLimits limits) => (T?)XmlBody.Read(body, _contract, limits);

    internal override string Root => "{" + _contract[0].Mapping.Namespace + "}" + _contract[0].Mapping.XsdElementName;

    internal override bool IsRoot(XmlReader reader) => _contract[0].IsRoot(reader);
}

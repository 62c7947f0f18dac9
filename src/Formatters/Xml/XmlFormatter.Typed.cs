using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;
using Formatters.Xml;

namespace Formatters;

/// <summary>
/// A formatter of XML bodies of one type, as System.Messaging's <c>XmlMessageFormatter</c> writes and reads them; see <see cref="XmlFormatter"/>.
/// </summary>
/// <typeparam name="T">The type of the payload, which <c>XmlSerializer</c> must support.</typeparam>
/// <remarks>
/// <para>A generated contract writes the same bytes and reads the same bodies as XmlSerializer, but several times as fast, without reflection, and
/// safe for trimming and ahead-of-time compilation. XmlSerializer is used for all other types.</para>
/// <para>A generated contract reads the XML that formatters write in one pass. All other XML (comments, CDATA, other prefixes and encodings, elements
/// that the type does not have) is first converted by an XmlReader. An error has the member path with the names in the source; to find it, a body
/// with an error is processed a second time, so setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new XmlFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class XmlFormatter<T> : MessageFormatter<T>
{
    private readonly XmlContract<T> _contract;
    private readonly XmlBodyStyle _style;

    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for XML, otherwise with XmlSerializer. The first of these for a
    /// type is slow: XmlSerializer generates its code.
    /// </summary>
    /// <param name="options">The options; null means <see cref="XmlOptions.Default"/>.</param>
    /// <exception cref="NotSupportedException"><c>XmlSerializer</c> does not support <typeparamref name="T"/>, or does not keep the values of a type
    /// in it (<see cref="AllowXmlLossAttribute"/>).</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter(XmlOptions? options = null)
        : this(GetContract(options ?? XmlOptions.Default), options ?? XmlOptions.Default)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="XmlOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require XmlSerializer.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include XML, or the generator does not cover the type in XML.</exception>
    public XmlFormatter(MessageContract<T> contract, XmlOptions? options = null)
        : this(GetContract(contract, options), options ?? XmlOptions.Default)
    {
    }

    private XmlFormatter(XmlContract<T> contract, XmlOptions options)
        : base(options.Limits, ContentTypes.Xml, BodyTypes.Xml)
    {
        _contract = contract;
        _style = options.Style;
    }

    /// <summary>Gets the root element.</summary>
    private protected override string PayloadMark => _contract.Root;

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">A cycle, depth beyond the limit, a string with half a surrogate pair, an object that the contract
    /// does not name.</exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        NoteByteCount(_contract.Write(destination, value, _style, Limits));
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">Also if the root is <c>xsi:nil</c>.</exception>
    public override T Read(ReadOnlySpan<byte> body) =>
        _contract.Read(body, Limits) ?? throw new MessageFormatException(
            MessageFormatErrorCode.UnexpectedNull, "The root element is xsi:nil.", isPoison: true);

    /// <inheritdoc/>
    /// <remarks>By the root element; content type and body type do not count, as in System.Messaging.</remarks>
    public override bool CanRead(MessageBody body) => XmlBody.HasRootOf(body ?? throw new ArgumentNullException(nameof(body)), _contract.IsRoot);

    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    private static XmlContract<T> GetContract(XmlOptions options) =>
        (options.IsPlain ? MessageContract<T>.OfType()?.Find(ContractFormats.Xml) as XmlContract<T> : null)
        ?? XmlSerializerContract<T>.Get(options.AllowedLosses);

    private static XmlContract<T> GetContract(MessageContract<T> contract, XmlOptions? options)
    {
        if (contract is null)
            throw new ArgumentNullException(nameof(contract));
        if (options is { IsPlain: false })
            throw new ArgumentException("The options ask for XmlSerializer: create the formatter with options alone.", nameof(options));
        return contract.Get<XmlContract<T>>(ContractFormats.Xml);
    }
}

using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>XML bodies of one type, as System.Messaging's <c>XmlMessageFormatter</c> writes and reads them; see <see cref="XmlFormatter"/>.</summary>
/// <typeparam name="T">The type of the payload: one that <c>XmlSerializer</c> can map.</typeparam>
/// <remarks>
/// <para>Uses XmlSerializer, or a generated contract: the same bytes are written and the same bodies are read, but several times as fast, without reflection,
/// and safe for trimming and ahead-of-time compilation.</para>
/// <para>A generated contract reads the XML that formatters write in one go. All other XML (comments, CDATA, other prefixes and encodings, elements that the
/// type does not have) goes through an XmlReader first. An error has the member path, made of the names in the source; to find it, a body with an error is
/// processed a second time, so setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new XmlFormatter&lt;Order&gt;();                          // by XmlSerializer
/// var fast = new XmlFormatter&lt;Order&gt;(Order.XmlContract);               // [MessageContract(Formats = ContractFormats.Xml)]
/// byte[] body = fast.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class XmlFormatter<T> : MessageFormatter<T>
{
    private readonly XmlContract<T> _contract;
    private readonly XmlBodyStyle _style;

    /// <summary>Creates a formatter by XmlSerializer. The first for a type is slow: XmlSerializer generates its code.</summary>
    /// <param name="style">How the bytes look.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>. <see cref="FormatterLimits.MaxElementCount"/> does not apply.</param>
    /// <exception cref="NotSupportedException">
    /// <c>XmlSerializer</c> cannot map <typeparamref name="T"/>, or takes a type in it whose values it does not keep (<see cref="AllowXmlLossAttribute"/>).
    /// </exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter(XmlBodyStyle style = XmlBodyStyle.Framework, FormatterLimits? limits = null)
        : this(XmlContract.OfXmlSerializer<T>(), style, limits)
    {
    }

    /// <summary>Creates a formatter by a contract.</summary>
    /// <param name="contract">The contract: <c>Order.XmlContract</c>, or a property of a class with <see cref="MessageContractForAttribute"/>.</param>
    /// <param name="style">How the bytes look.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>. <see cref="FormatterLimits.MaxElementCount"/> does not apply.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public XmlFormatter(XmlContract<T> contract, XmlBodyStyle style = XmlBodyStyle.Framework, FormatterLimits? limits = null)
        : base(limits, ContentTypes.Xml, BodyTypes.Xml)
    {
        _contract = contract ?? throw new ArgumentNullException(nameof(contract));
        _style = style;
    }

    /// <summary>The root element.</summary>
    private protected override string PayloadMark => _contract.Root;

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">A cycle, depth beyond the limit, a string with half a surrogate pair, an object that the contract does not
    /// name.</exception>
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
        _contract.Read(body, Limits) ?? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The root element is xsi:nil.", isPoison: true);

    /// <inheritdoc/>
    /// <remarks>By the root element; content type and body type do not count, as in System.Messaging.</remarks>
    public override bool CanRead(MessageBody body) => XmlBody.HasRootOf(body ?? throw new ArgumentNullException(nameof(body)), _contract.IsRoot);
}

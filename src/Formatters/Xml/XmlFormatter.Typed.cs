using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>XML bodies of one type, as System.Messaging's <c>XmlMessageFormatter</c> writes and reads them; see <see cref="XmlFormatter"/>.</summary>
/// <typeparam name="T">The type of the payload: one that <c>XmlSerializer</c> can map.</typeparam>
/// <example><code>
/// var formatter = new XmlFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
[RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
[RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
public sealed class XmlFormatter<T> : MessageFormatter<T>
{
    private readonly XmlSerializerContract[] _contract;
    private readonly XmlBodyStyle _style;

    /// <summary>Makes a formatter. The first for a type is slow: XmlSerializer generates its code.</summary>
    /// <param name="style">How the bytes look.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>. <see cref="FormatterLimits.MaxElementCount"/> does not apply.</param>
    /// <exception cref="NotSupportedException"><c>XmlSerializer</c> cannot map <typeparamref name="T"/>.</exception>
    public XmlFormatter(XmlBodyStyle style = XmlBodyStyle.Framework, FormatterLimits? limits = null)
        : base(ContentTypes.Xml, BodyTypes.Xml, limits)
    {
        _style = style;
        try
        {
            _contract = [XmlSerializerContract.For(typeof(T), nameof(T))];
        }
        catch (ArgumentException e)
        {
            throw new NotSupportedException($"XmlSerializer cannot map {typeof(T)}: {e.InnerException?.Message}", e.InnerException);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">A cycle, depth beyond the limit, a text with half a surrogate pair, an object that the contract does not name.</exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        NoteByteCount(XmlBody.Write(destination, value, _contract[0], _style, Limits));
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">Also for a root that is <c>xsi:nil</c>.</exception>
    public override T Read(ReadOnlySpan<byte> body) => XmlBody.Read(body, _contract, Limits) switch
    {
        T value => value,
        _ => throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The root element is xsi:nil.", isPoison: true),
    };

    /// <inheritdoc/>
    /// <remarks>By the root element; content type and body type do not count, as in System.Messaging.</remarks>
    public override bool CanRead(MessageBody body) => XmlBody.HasRootOf(body ?? throw new ArgumentNullException(nameof(body)), _contract);
}

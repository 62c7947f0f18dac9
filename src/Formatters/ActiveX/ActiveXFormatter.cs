using System;
using System.Buffers;
using System.Text;
using Formatters.ActiveX;
using Formatters.Buffers;

namespace Formatters;

/// <summary>
/// The bodies of System.Messaging's <c>ActiveXMessageFormatter</c>, bit for bit: single values, tagged by a VARTYPE as the body type.
/// </summary>
/// <remarks>
/// <para>Writes null (<c>VT_NULL</c>, no bytes), <see cref="short"/>, <see cref="ushort"/>, <see cref="int"/>, <see cref="uint"/>, <see
/// cref="long"/>, <see cref="ulong"/>, <see cref="byte"/>, <see cref="float"/>, <see cref="double"/>, <see cref="bool"/> (one byte), <see
/// cref="decimal"/> (currency), <see cref="DateTime"/> (ticks), <see cref="string"/> and <c>char[]</c> (UTF-16), <see cref="char"/> (as a <see
/// cref="ushort"/>, which it reads back as), <c>byte[]</c>, and, as WCF does, <see cref="Guid"/>. Other types are rejected, as in
/// System.Messaging.</para>
/// <para>Reads the same, and what COM senders write: Booleans of two bytes, OLE dates, <c>VT_BSTR</c>, <c>VT_LPSTR</c>, <c>VT_ARRAY | VT_UI1</c>.
/// <c>VT_I1</c> reads as a <see cref="byte"/>, as in System.Messaging. COM objects that persist themselves (<c>VT_STREAMED_OBJECT</c>) are read by
/// <see cref="PersistStreamFormatter{T}"/>; <c>VT_STORED_OBJECT</c> is not read.</para>
/// <para>A body of type 0 (<c>VT_EMPTY</c>) reads as bytes, as COM does it. But 0 is also the number of XML and of every message without one, so <see
/// cref="CanRead"/> accepts it only if the content type is <see cref="ContentTypes.ActiveX"/>.</para>
/// </remarks>
public sealed class ActiveXFormatter : IMessageFormatter, IFormatterTags
{
    private readonly Encoding? _codePage;

    /// <summary>Creates a formatter.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>. Of them, the size of the body and
    /// <see cref="FormatterLimits.RefuseInvalidText"/> apply.</param>
    /// <param name="codePage">The encoding of <c>VT_LPSTR</c> strings, which the body does not state. Null: ASCII, and bytes above 127 are an error.
    /// <see cref="Encoding.ASCII"/> replaces each of those with a question mark, as System.Messaging does.</param>
    public ActiveXFormatter(FormatterLimits? limits = null, Encoding? codePage = null)
    {
        Limits = limits ?? FormatterLimits.Default;
        _codePage = codePage;
    }

    /// <summary>Gets the limits for reading and writing.</summary>
    public FormatterLimits Limits { get; }

    string? IFormatterTags.ContentType => ContentTypes.ActiveX;

    int? IFormatterTags.BodyType => null;

    Type? IFormatterTags.PayloadType => null;

    string? IFormatterTags.PayloadMark => null;

    IFormatterTags? IFormatterTags.Inner => null;

    bool IFormatterTags.ShowsInner => false;

    /// <inheritdoc/>
    public bool CanRead(MessageBody body) =>
        HasFormat(body) && (body.BodyType == VarTypes.Null || ActiveXContract.ForVarType(body.BodyType) is not null)
            && (body.BodyType != VarTypes.Empty || body.HasContentType(ContentTypes.ActiveX));

    /// <inheritdoc/>
    /// <returns>The value, in the type that the table above gives for the body type.</returns>
    /// <exception cref="MessageFormatException">
    /// The body type is not one of the table (<see cref="MessageFormatErrorCode.UnknownFormat"/>), or the bytes are not a valid value of it.
    /// </exception>
    public object? Read(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        ReadOnlySpan<byte> bytes = body.GetSpan(Limits);
        if (body.BodyType == VarTypes.Null)
        {
            if (!bytes.IsEmpty)
                ThrowHelper.ThrowTrailingBytes(0, bytes.Length);
            return null;
        }

        ActiveXContract? contract = ActiveXContract.ForVarType(body.BodyType);
        if (contract is null)
            VarTypes.ThrowUnknown(body.BodyType);
        return contract.ReadObject(bytes, body.BodyType, _codePage);
    }

    /// <inheritdoc/>
    public void Write(MessageBody body, object? value)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        int varType = VarTypes.Null;
        byte[] bytes = [];
        if (value is not null)
        {
            ActiveXContract contract = ActiveXContract.ForType(value.GetType())
                ?? throw new ArgumentException($"An ActiveX body carries a single value, not {value.GetType()}.", nameof(value));
            using var buffer = new PooledBufferWriter();
            contract.WriteObject(buffer, value, Limits);
            bytes = buffer.WrittenSpan.ToArray();
            varType = contract.VarType;
        }

        body.Bytes = new ReadOnlySequence<byte>(bytes);
        body.BodyType = varType;
        body.ContentType = ContentTypes.ActiveX;
    }

    /// <summary>Returns this instance, which is immutable.</summary>
    /// <returns>This instance.</returns>
    public object Clone() => this;

    /// <summary>Determines whether the content type allows an ActiveX body; the body type decides then.</summary>
    internal static bool HasFormat(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        return body.ContentType is null || body.HasContentType(ContentTypes.ActiveX) || body.HasContentType(ContentTypes.OctetStream);
    }
}

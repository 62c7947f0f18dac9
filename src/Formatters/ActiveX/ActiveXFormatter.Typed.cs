using System;
using System.Buffers;
using System.Text;
using Formatters.ActiveX;

namespace Formatters;

/// <summary>ActiveX bodies of one type, without boxing; see <see cref="ActiveXFormatter"/> for the table.</summary>
/// <typeparam name="T"> A type of the table: <see cref="short"/>, <see cref="ushort"/>, <see cref="char"/>, <see cref="int"/>, <see cref="uint"/>,
/// <see cref="long"/>, <see cref="ulong"/>, <see cref="byte"/>, <see cref="float"/>, <see cref="double"/>, <see cref="bool"/>, <see cref="decimal"/>,
/// <see cref="DateTime"/>, <see cref="Guid"/>, <see cref="string"/>, <c>char[]</c> or <c>byte[]</c>. </typeparam>
/// <remarks>
/// Bytes without a body type are read as those of the type's own vartype (<see cref="MessageFormatter{T}.BodyType"/>). A <see cref="MessageBody"/>
/// has its body type: then a <see cref="string"/> is also read from <c>VT_BSTR</c> and <c>VT_LPSTR</c>, a <see cref="byte"/> from <c>VT_I1</c>, and
/// bytes from <c>VT_ARRAY | VT_UI1</c> and <c>VT_EMPTY</c>.
/// </remarks>
public sealed class ActiveXFormatter<T> : MessageFormatter<T>
{
    private static readonly ActiveXContract<T>? Contract = (ActiveXContract<T>?)ActiveXContract.ForType(typeof(T));

    private readonly ActiveXContract<T> _contract;
    private readonly Encoding? _codePage;

    /// <summary>Creates a formatter.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="codePage">The encoding of <c>VT_LPSTR</c> strings; null: ASCII, and bytes above 127 are an error.</param>
    /// <exception cref="NotSupportedException"><typeparamref name="T"/> is not in the table.</exception>
    public ActiveXFormatter(FormatterLimits? limits = null, Encoding? codePage = null)
        : base(limits, ContentTypes.ActiveX, Contract?.VarType ?? VarTypes.Empty)
    {
        _contract = Contract ?? throw new NotSupportedException($"An ActiveX body carries a single value, not {typeof(T)}.");
        _codePage = codePage;
    }

    /// <summary>Gets the body type, which identifies the type of the value.</summary>
    private protected override string PayloadMark => BodyType.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override int GetSizeHint(T value) => value switch
    {
        string text => Math.Max(1, 2 * text.Length),
        Array array => Math.Max(1, 2 * array.Length),
        _ => 16,
    };

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        // Value types are excluded first: comparing one with null boxes it in unoptimized code.
        if (!typeof(T).IsValueType && value is null)
            throw new ArgumentNullException(nameof(value));
        _contract.Write(destination, value, Limits);
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        return _contract.Read(body, _contract.VarType, _codePage);
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The body type is not one that <typeparamref name="T"/> is read from, or the bytes are not a valid
    /// value of it.</exception>
    public override T Read(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        if (!_contract.Reads(body.BodyType))
            VarTypes.ThrowUnknown(body.BodyType);
        return _contract.Read(body.GetSpan(Limits), body.BodyType, _codePage);
    }

    /// <inheritdoc/>
    /// <remarks>By body type, if the content type leaves it open; body type 0 only under <see cref="ContentTypes.ActiveX"/>.</remarks>
    public override bool CanRead(MessageBody body) =>
        ActiveXFormatter.HasFormat(body) && _contract.Reads(body.BodyType)
            && (body.BodyType != VarTypes.Empty || body.HasContentType(ContentTypes.ActiveX));
}

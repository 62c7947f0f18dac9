using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using Formatters.Buffers;
using Formatters.Xml;

namespace Formatters;

/// <summary>
/// A formatter of XML bodies as System.Messaging's <c>XmlMessageFormatter</c> writes and reads them: <c>XmlSerializer</c>, UTF-8, body type 0.
/// </summary>
/// <remarks>
/// <para>Writes objects of any public type that XmlSerializer can map, not only of the target types. Reads into the first target type that has the
/// body's root element; the body type is ignored. UTF-8, UTF-16 and Latin code pages are read. Elements and attributes that the type does not have
/// are skipped.</para>
/// <para>Safe for untrusted bodies: document type declarations are rejected, and nothing is resolved. The size of the body, the depth of its elements
/// (<see cref="FormatterLimits.MaxDepth"/>) and the attributes of one element (1,000) are limited before XmlSerializer sees the body; XmlSerializer
/// alone would end in a stack overflow. <see cref="FormatterLimits.MaxElementCount"/> does not apply.</para>
/// <para>Unlike <c>XmlMessageFormatter</c>, text that is all white space comes back as it was, not empty; writing does not add to the target types;
/// names of types are resolved when the formatter is made.</para>
/// </remarks>
public sealed class XmlFormatter : IMessageFormatter, IFormatterTags
{
    private readonly XmlSerializerContract[] _targets;
    private readonly Type[] _allowedLosses;

    /// <summary>Creates a formatter that only writes.</summary>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter()
        : this(Type.EmptyTypes, XmlBodyStyle.Framework)
    {
    }

    /// <summary>Creates a formatter.</summary>
    /// <param name="targetTypes">The types that bodies are read into, tried in this order.</param>
    /// <exception cref="ArgumentNullException"><paramref name="targetTypes"/> is null.</exception>
    /// <exception cref="ArgumentException">XmlSerializer does not support one of the types, or it is null.</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter(params Type[] targetTypes)
        : this(targetTypes, XmlBodyStyle.Framework)
    {
    }

    /// <summary>Creates a formatter.</summary>
    /// <param name="targetTypeNames">The assembly-qualified names of the target types, for <see cref="Type.GetType(string)"/>. They come from the
    /// application: no name in a body is ever looked up.</param>
    /// <exception cref="ArgumentNullException"><paramref name="targetTypeNames"/> is null.</exception>
    /// <exception cref="ArgumentException">A type does not exist, XmlSerializer does not support it, or a name is null.</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter(params string[] targetTypeNames)
        : this(Resolve(targetTypeNames), XmlBodyStyle.Framework)
    {
    }

    /// <summary>Creates a formatter with a style and limits.</summary>
    /// <param name="targetTypes">The types that bodies are read into, tried in this order.</param>
    /// <param name="style">How the bytes look.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="targetTypes"/> is null.</exception>
    /// <exception cref="ArgumentException">XmlSerializer does not support one of the types, or does not keep the values of a type in it; or it is
    /// null.</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter(IEnumerable<Type> targetTypes, XmlBodyStyle style, FormatterLimits? limits = null)
        : this(targetTypes, style, limits, [])
    {
    }

    /// <summary>Creates a formatter for types in which values are lost.</summary>
    /// <param name="targetTypes">The types that bodies are read into, tried in this order.</param>
    /// <param name="style">How the bytes look.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="allowedLosses">The types whose values may be lost, on reading and on writing; an open generic one applies to all closed ones. See
    /// <see cref="AllowXmlLossAttribute"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="targetTypes"/> or <paramref name="allowedLosses"/> is null.</exception>
    /// <exception cref="ArgumentException">XmlSerializer does not support one of the types, or does not keep the values of another type in it; or it
    /// is null.</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public XmlFormatter(IEnumerable<Type> targetTypes, XmlBodyStyle style, FormatterLimits? limits, IEnumerable<Type> allowedLosses)
    {
        _allowedLosses = [.. allowedLosses ?? throw new ArgumentNullException(nameof(allowedLosses))];
        if (targetTypes is null)
            throw new ArgumentNullException(nameof(targetTypes));
        Type[] types = targetTypes.ToArray();
        if (Array.IndexOf(types, null) >= 0)
            throw new ArgumentException("A target type is null.", nameof(targetTypes));
        _targets = Array.ConvertAll(types, type => XmlSerializerContract.For(type, _allowedLosses, nameof(targetTypes)));
        TargetTypes = Array.AsReadOnly(types);
        TargetTypeNames = Array.AsReadOnly(Array.ConvertAll(types, static type => type.AssemblyQualifiedName ?? type.ToString()));
        Style = style;
        Limits = limits ?? FormatterLimits.Default;
    }

    /// <summary>Gets the types into which bodies are read, tried in this order.</summary>
    public IReadOnlyList<Type> TargetTypes { get; }

    /// <summary>Gets the assembly-qualified names of <see cref="TargetTypes"/>.</summary>
    public IReadOnlyList<string> TargetTypeNames { get; }

    /// <summary>Gets the form of the bytes of written bodies.</summary>
    /// <value>Default <see cref="XmlBodyStyle.Framework"/>.</value>
    public XmlBodyStyle Style { get; }

    /// <summary>Gets the limits for reading and writing.</summary>
    public FormatterLimits Limits { get; }

    string? IFormatterTags.ContentType => ContentTypes.Xml;

    int? IFormatterTags.BodyType => BodyTypes.Xml;

    Type? IFormatterTags.PayloadType => null;

    string? IFormatterTags.PayloadMark => null;

    IFormatterTags? IFormatterTags.Inner => null;

    bool IFormatterTags.ShowsInner => false;

    /// <inheritdoc/>
    /// <returns><see langword="true"/> if the root element is that of a target type; content type and body type do not count.</returns>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The constructor says so.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The constructor says so.")]
    public bool CanRead(MessageBody body) =>
        XmlBody.HasRootOf(body ?? throw new ArgumentNullException(nameof(body)), reader => XmlBody.FindRoot(reader, _targets) is not null);

    /// <inheritdoc/>
    /// <returns>An object of one of the target types, or null if the root element is <c>xsi:nil</c>.</returns>
    /// <exception cref="InvalidOperationException">There are no target types.</exception>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit, or its root element is not that of a target type
    /// (<see cref="MessageFormatErrorCode.TypeNotAllowed"/>).</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The constructor says so.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The constructor says so.")]
    public object? Read(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        if (_targets.Length == 0)
            throw new InvalidOperationException("The formatter has no target types to read into.");
        return XmlBody.Read(body.GetSpan(Limits), _targets, Limits);
    }

    /// <inheritdoc/>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The constructor says so.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The constructor says so.")]
    public void Write(MessageBody body, object? value)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        XmlSerializerContract contract = XmlSerializerContract.For(value.GetType(), _allowedLosses, nameof(value));
        using var buffer = new PooledBufferWriter(1024);
        XmlBody.Write(buffer, value, contract, Style, Limits);
        body.Bytes = new ReadOnlySequence<byte>(buffer.WrittenSpan.ToArray());
        body.BodyType = BodyTypes.Xml;
        body.ContentType = ContentTypes.Xml;
    }

    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Xml"/> that the generator
    /// covers.</typeparam>
    /// <param name="options">The options; null means <see cref="XmlOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require XmlSerializer.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for XML.</exception>
    public static XmlFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(XmlOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Xml), options);

    /// <summary>Returns this instance, which is immutable.</summary>
    /// <returns>This instance.</returns>
    public object Clone() => this;

    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    private static Type[] Resolve(string[] targetTypeNames)
    {
        if (targetTypeNames is null)
            throw new ArgumentNullException(nameof(targetTypeNames));
        return Array.ConvertAll(targetTypeNames, Resolve);
    }

    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    private static Type Resolve(string targetTypeName)
    {
        if (targetTypeName is null)
            throw new ArgumentException("A name is null.", nameof(targetTypeName));
        try
        {
            if (Type.GetType(targetTypeName, throwOnError: false) is Type type)
                return type;
        }
        catch (Exception e) when (e is ArgumentException or System.IO.IOException or BadImageFormatException or TypeLoadException)
        {
            throw new ArgumentException($"The type '{targetTypeName}' was not found.", nameof(targetTypeName), e);
        }

        throw new ArgumentException($"The type '{targetTypeName}' was not found. Is the name assembly-qualified?", nameof(targetTypeName));
    }
}

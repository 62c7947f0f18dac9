using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Formatters;

/// <summary>
/// Combines several formatters: reads the formats of all, and writes the format of the first. Use it for a queue whose senders are migrated one by
/// one.
/// </summary>
/// <remarks>
/// <para>The formatter that reads a body is chosen in this order: by the content type of the body (ignoring case and parameters; of several, the one
/// that <see cref="IMessageFormatter.CanRead"/> the body); by its body type, unless that is 0; the first that <see cref="IMessageFormatter.CanRead"/>
/// it, by its first bytes if they identify the format (XML, legacy binary). In each step the order of registration applies, the writer first. A body
/// without content type and body type that none of them knows is read by the <see cref="UntaggedReader"/>, if there is one.</para>
/// <para>A body does not say what type its payload has, except in XML (the root element), ActiveX (the body type) and legacy binary. So a registry
/// cannot have formatters of one format for two types: it would read the bodies of one type as the other. Send the types to different queues, with
/// different content types, or as cases of one union.</para>
/// <para>Immutable and thread-safe.</para>
/// </remarks>
/// <example><code>
/// // Reads the bodies of old senders (XML), of Visual Basic (ActiveX) and its own; writes its own.
/// var formatter = new FormatterRegistry(new HandCodedFormatter&lt;Order&gt;(), new XmlFormatter&lt;Order&gt;(), new ActiveXFormatter());
/// </code></example>
public sealed class FormatterRegistry : IMessageFormatter
{
    private readonly IMessageFormatter[] _readers;

    /// <summary>Creates a registry.</summary>
    /// <param name="writer">Writes every body, and reads its own.</param>
    /// <param name="readers">Further formatters that read, in this order.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">One of <paramref name="readers"/> is null; or two formatters have the same content type and different
    /// types of payload, which a body does not identify.</exception>
    public FormatterRegistry(IMessageFormatter writer, params IMessageFormatter[] readers)
        : this(writer, readers, untaggedReader: null)
    {
    }

    private FormatterRegistry(IMessageFormatter writer, IMessageFormatter[] readers, IMessageFormatter? untaggedReader)
    {
        Writer = writer ?? throw new ArgumentNullException(nameof(writer));
        if (readers is null)
            throw new ArgumentNullException(nameof(readers));
        if (Array.IndexOf(readers, null) >= 0)
            throw new ArgumentException("A formatter is null.", nameof(readers));
        _readers = [writer, .. readers];
        EnsureDistinguishable([.. Flatten(_readers)]);
        Readers = Array.AsReadOnly(_readers);
        UntaggedReader = untaggedReader;
    }

    /// <summary>Gets the formatter that writes.</summary>
    public IMessageFormatter Writer { get; }

    /// <summary>Gets the formatters that read, in the order in which they are tried; the writer is the first.</summary>
    public IReadOnlyList<IMessageFormatter> Readers { get; }

    /// <summary>
    /// Gets the reader of bodies with body type 0 and without a content type that no other formatter recognizes by their bytes; null to reject them.
    /// </summary>
    public IMessageFormatter? UntaggedReader { get; }

    /// <summary>Creates a registry that writes with another formatter and reads all that this one reads: the step that ends a migration.</summary>
    /// <param name="writer">The formatter to write with.</param>
    /// <returns>A new registry, in which <paramref name="writer"/> is tried first, then the readers of this one.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="writer"/> is null.</exception>
    /// <exception cref="ArgumentException">A formatter of this registry has the same content type and another type of payload.</exception>
    public FormatterRegistry WithWriter(IMessageFormatter writer) =>
        new(writer, Array.FindAll(_readers, reader => !ReferenceEquals(reader, writer)), UntaggedReader);

    /// <summary>Creates a registry that reads one more format.</summary>
    /// <param name="reader">The formatter to try last.</param>
    /// <returns>A new registry.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="reader"/> is null.</exception>
    /// <exception cref="ArgumentException">A formatter of this registry has the same content type and another type of payload.</exception>
    public FormatterRegistry WithReader(IMessageFormatter reader)
    {
        if (reader is null)
            throw new ArgumentNullException(nameof(reader));
        return new FormatterRegistry(Writer, [.. _readers.AsSpan(1), reader], UntaggedReader);
    }

    /// <summary>Creates a registry that reads bodies without content type and body type with a formatter: for senders that do not set them.</summary>
    /// <param name="reader">Reads them. It need not be one of <see cref="Readers"/>.</param>
    /// <returns>A new registry.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="reader"/> is null.</exception>
    public FormatterRegistry WithUntaggedReader(IMessageFormatter reader) =>
        new(Writer, _readers.AsSpan(1).ToArray(), reader ?? throw new ArgumentNullException(nameof(reader)));

    /// <summary>Finds the formatter that will read a body.</summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns>The formatter, or null if none of them reads this format.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public IMessageFormatter? Find(MessageBody body) => Find(body, null);

    /// <inheritdoc/>
    /// <returns><see langword="true"/> if one of the formatters reads the body.</returns>
    public bool CanRead(MessageBody body) => Find(body) is not null;

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">None of the formatters reads this format, or the body has only a body type that formatters of several
    /// types share (<see cref="MessageFormatErrorCode.UnknownFormat"/>, not poison: another receiver may read it); or an exception of the formatter
    /// that reads the body.</exception>
    public object? Read(MessageBody body) => (Find(body) ?? throw UnknownFormat(body)).Read(body);

    /// <summary>Reads a payload of a given type; formatters of other types are not used.</summary>
    /// <typeparam name="T">The type of the payload, or a base type or interface of it.</typeparam>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    /// <exception cref="MessageFormatException">
    /// As for <see cref="Read(MessageBody)"/>; also <see cref="MessageFormatErrorCode.TypeNotAllowed"/> (not poison) if the object is not a
    /// <typeparamref name="T"/>, and <see cref="MessageFormatErrorCode.UnexpectedNull"/> if it is null and <typeparamref name="T"/> cannot be null.
    /// </exception>
    public T Read<T>(MessageBody body)
    {
        IMessageFormatter formatter = Find(body, typeof(T)) ?? throw UnknownFormat(body);
        if (formatter is MessageFormatter<T> typed)
            return typed.Read(body);
        return formatter.Read(body) switch
        {
            T value => value,
            null when default(T) is null => default!,
            null => throw new MessageFormatException(
                MessageFormatErrorCode.UnexpectedNull, $"The body contains null, which is not a {typeof(T)}.", isPoison: true),
            object other => throw new MessageFormatException(
                MessageFormatErrorCode.TypeNotAllowed, $"The body contains a {other.GetType()}, which is not a {typeof(T)}."),
        };
    }

    /// <inheritdoc/>
    public void Write(MessageBody body, object? value) => Writer.Write(body, value);

    /// <summary>Returns this instance, which is immutable.</summary>
    /// <returns>This instance.</returns>
    public object Clone() => this;

    private IMessageFormatter? Find(MessageBody body, Type? payloadType)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        if (FindByTags(body, payloadType, static (tags, body) => tags.ContentType is not null
            && body.HasContentType(tags.ContentType)) is IMessageFormatter found)
            return found;
        if (body.BodyType == 0 || FindByTags(body, payloadType, static (tags, body) => tags.BodyType == body.BodyType) is not IMessageFormatter first)
            return FindByContent(body, payloadType);
        return IsAmbiguous(first, body, payloadType) ? null : first;
    }

    /// <summary>
    /// Determines whether another formatter has the same body type, and another type of payload: only the content type, which the body lacks, would
    /// distinguish them.
    /// </summary>
    private bool IsAmbiguous(IMessageFormatter found, MessageBody body, Type? payloadType)
    {
        foreach (IMessageFormatter reader in _readers)
        {
            if (reader is IFormatterTags tags && tags.BodyType == body.BodyType && Serves(reader, payloadType)
                && AreConfusable((IFormatterTags)found, tags))
                return true;
        }

        return false;
    }

    private IMessageFormatter? FindByContent(MessageBody body, Type? payloadType)
    {
        foreach (IMessageFormatter reader in _readers)
            if (Serves(reader, payloadType) && reader.CanRead(body))
                return reader;
        bool isUntagged = body.BodyType == 0 && (body.ContentType is null || body.HasContentType(ContentTypes.OctetStream));
        return isUntagged && UntaggedReader is not null && Serves(UntaggedReader, payloadType) ? UntaggedReader : null;
    }

    /// <summary>
    /// Returns the first formatter with the body's tags that can read it; the first one if none can, because its error is the most specific.
    /// </summary>
    private IMessageFormatter? FindByTags(MessageBody body, Type? payloadType, Func<IFormatterTags, MessageBody, bool> matches)
    {
        IMessageFormatter? first = null;
        foreach (IMessageFormatter reader in _readers)
        {
            if (reader is not IFormatterTags tags || !Serves(reader, payloadType) || !matches(tags, body))
                continue;
            if (reader.CanRead(body))
                return reader;
            first ??= reader;
        }

        return first;
    }

    private static IEnumerable<IMessageFormatter> Flatten(IEnumerable<IMessageFormatter> readers)
    {
        foreach (IMessageFormatter reader in readers)
        {
            if (reader is FormatterRegistry registry)
            {
                foreach (IMessageFormatter inner in Flatten(registry.Readers))
                    yield return inner;
            }
            else
            {
                yield return reader;
            }
        }
    }

    /// <summary>Throws if a formatter would read the bodies of another: with the same content type, and a different type of payload.</summary>
    private static void EnsureDistinguishable(IMessageFormatter[] readers)
    {
        for (int i = 0; i < readers.Length; i++)
        {
            for (int k = i + 1; k < readers.Length; k++)
            {
                if (readers[i] is not IFormatterTags { ContentType: string contentType } first || readers[k] is not IFormatterTags second
                    || !string.Equals(contentType, second.ContentType, StringComparison.OrdinalIgnoreCase) || !AreConfusable(first, second))
                    continue;
                throw new ArgumentException(
                    $"{NameOf(readers[i].GetType())} would read the bodies of {NameOf(readers[k].GetType())} as its own: both are {contentType}, and "
                    + "a body does not say whether it holds "
                        + $"{TypeNames.Of(first.PayloadType!)} or {TypeNames.Of(second.PayloadType!)}. Use different queues or content types, or one "
                        + "union of the types.",
                    nameof(readers));
            }
        }
    }

    /// <summary>
    /// Determines whether the first of two formatters would read bodies of the second: both have a single, different type of payload, and the bodies
    /// of the first do not identify it. Bodies in envelopes are distinguished by the tags inside, and by the inner body if the envelope exposes it.
    /// </summary>
    private static bool AreConfusable(IFormatterTags first, IFormatterTags second)
    {
        if (first.PayloadType is null || second.PayloadType is null || first.PayloadType == second.PayloadType)
            return false;
        if (first.Inner is not { } inFirst || second.Inner is not { } inSecond)
            return first.PayloadMark is not string mark || mark == second.PayloadMark;
        return string.Equals(inFirst.ContentType, inSecond.ContentType, StringComparison.OrdinalIgnoreCase)
            && (!first.ShowsInner || AreConfusable(inFirst, inSecond));
    }

    private static bool Serves(IMessageFormatter reader, Type? payloadType) =>
        payloadType is null || reader is not IFormatterTags { PayloadType: Type own } || payloadType.IsAssignableFrom(own);

    private MessageFormatException UnknownFormat(MessageBody body)
    {
        var text = new StringBuilder("No formatter here reads content type ");
        text.Append(body.ContentType is null ? "(none)" : Printable(body.ContentType));
        text.Append(", body type ").Append(body.BodyType.ToString(CultureInfo.InvariantCulture)).Append(". Registered:");
        for (int i = 0; i < _readers.Length; i++)
        {
            text.Append(i == 0 ? " " : ", ").Append(NameOf(_readers[i].GetType()));
            if (_readers[i] is IFormatterTags tags)
            {
                text.Append(" (").Append(tags.ContentType);
                if (tags.BodyType is int bodyType)
                    text.Append(", body type ").Append(bodyType.ToString(CultureInfo.InvariantCulture));
                text.Append(')');
            }
        }

        text.Append('.');
        if (body.BodyType != 0 && Array.Exists(_readers, reader => reader is IFormatterTags tags && tags.BodyType == body.BodyType))
            text.Append(" Several formatters have this body type, for different types: the content type must say which one to use.");
        return new MessageFormatException(MessageFormatErrorCode.UnknownFormat, text.ToString());
    }

    private static string NameOf(Type type)
    {
        if (!type.IsGenericType)
            return type.Name;
        return type.Name.Split('`')[0] + "<" + string.Join(", ", Array.ConvertAll(type.GetGenericArguments(), NameOf)) + ">";
    }

    /// <summary>Truncates a content type, which comes from the sender, and replaces characters that could break a line of a log.</summary>
    private static string Printable(string contentType)
    {
        char[] chars = contentType.Substring(0, Math.Min(contentType.Length, 100)).ToCharArray();
        for (int i = 0; i < chars.Length; i++)
            if (chars[i] is < ' ' or > '~')
                chars[i] = '?';
        return "'" + new string(chars) + "'";
    }
}

using System;
using Formatters.Envelopes;

namespace Formatters.Inspection;

/// <summary>Options of <see cref="MessageInspector"/> for printing a body.</summary>
/// <remarks>Immutable: create others with <c>InspectionOptions.Default with { ShowOffsets = true }</c>.</remarks>
public sealed record InspectionOptions
{
    /// <summary>Gets the default options.</summary>
    public static InspectionOptions Default { get; } = new();

    /// <summary>
    /// Gets whether every line begins with a comment, <c>/* 0000001F */</c>: the hexadecimal offset of its value in the body; for an entry of an
    /// object, the offset of its name. JSON with comments can be read with <c>JsonCommentHandling.Skip</c> of System.Text.Json.
    /// </summary>
    /// <value>Default <see langword="false"/>.</value>
    public bool ShowOffsets { get; init; }

    /// <summary>
    /// Gets the maximum number of characters to print: because of its depth, a body of a few bytes can produce a very long output. After the maximum,
    /// the output ends with a line that says so, and a <see cref="MessageFormatException"/> (<see cref="MessageFormatErrorCode.LimitExceeded"/>) is
    /// thrown with the offset of the value that was being printed.
    /// </summary>
    /// <value>Default 16,777,216.</value>
    public long MaxCharCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(
            nameof(MaxCharCount), value, "The limit must be at least 1 character.");
    } = 16 * 1024 * 1024;

    /// <summary>Gets the limits for reading the body.</summary>
    /// <value>Default <see cref="FormatterLimits.Default"/>.</value>
    public FormatterLimits Limits { get; init; } = FormatterLimits.Default;

    /// <summary>Gets the keys with which signed bodies are verified; without them, the bodies are printed without being verified.</summary>
    /// <value>Default null: none.</value>
    public KeyRing<SigningKey>? SigningKeys { get; init; }

#if NET
    /// <summary>Gets the keys with which encrypted bodies are decrypted; without them, the encrypted bytes are printed.</summary>
    /// <value>Default null: none.</value>
    /// <remarks>Not on netstandard2.0, like <c>EncryptedFormatter</c>.</remarks>
    public KeyRing<EncryptionKey>? EncryptionKeys { get; init; }
#endif
}

using System;

namespace Formatters;

/// <summary>How <see cref="MessageInspector"/> prints a body.</summary>
/// <remarks>Immutable: create others with <c>InspectionOptions.Default with { ShowOffsets = true }</c>.</remarks>
public sealed record InspectionOptions
{
    /// <summary>The default options.</summary>
    public static InspectionOptions Default { get; } = new();

    /// <summary>
    /// Whether every line begins with a comment, <c>/* 0000001F */</c>: where the value in it begins in the body, in hexadecimal; for an entry of an object,
    /// where its name begins. JSON with comments, as <c>JsonCommentHandling.Skip</c> of System.Text.Json reads it.
    /// </summary>
    /// <value>Default <see langword="false"/>.</value>
    public bool ShowOffsets { get; init; }

    /// <summary>
    /// The maximum number of characters that are printed: a body of a few bytes can give a very long text, because of its depth alone. Beyond the maximum, the
    /// text ends with a line that says so, and a <see cref="MessageFormatException"/> (<see cref="MessageFormatErrorCode.LimitExceeded"/>) with the offset of
    /// the value that was being printed is thrown.
    /// </summary>
    /// <value>Default 16,777,216.</value>
    public long MaxCharCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxCharCount), value, "The limit must be at least 1 character.");
    } = 16 * 1024 * 1024;

    /// <summary>The limits under which the body is read.</summary>
    /// <value>Default <see cref="FormatterLimits.Default"/>.</value>
    public FormatterLimits Limits { get; init; } = FormatterLimits.Default;

    /// <summary>The keys with which signed bodies are verified; without them, the bodies are printed without being verified.</summary>
    /// <value>Default null: none.</value>
    public KeyRing<SigningKey>? SigningKeys { get; init; }

#if NET
    /// <summary>The keys with which encrypted bodies are decrypted; without them, the encrypted bytes are printed.</summary>
    /// <value>Default null: none.</value>
    /// <remarks>Not on netstandard2.0, like <c>EncryptedFormatter</c>.</remarks>
    public KeyRing<EncryptionKey>? EncryptionKeys { get; init; }
#endif
}

namespace Formatters;

/// <summary>How <see cref="MessageInspector"/> prints a body.</summary>
/// <remarks>Immutable: derive one with <c>InspectionOptions.Default with { ShowOffsets = true }</c>.</remarks>
public sealed record InspectionOptions
{
    /// <summary>The options that hold where none are given.</summary>
    public static InspectionOptions Default { get; } = new();

    /// <summary>
    /// Whether every line begins with a comment, <c>/* 0000001F */</c>: where the value in it begins in the body, in hexadecimal; for an entry of an object, where
    /// its name begins. JSON with comments, as <c>JsonCommentHandling.Skip</c> of System.Text.Json reads it.
    /// </summary>
    /// <value>Default <see langword="false"/>.</value>
    public bool ShowOffsets { get; init; }

    /// <summary>The limits under which the body is read.</summary>
    /// <value>Default <see cref="FormatterLimits.Default"/>.</value>
    public FormatterLimits Limits { get; init; } = FormatterLimits.Default;
}

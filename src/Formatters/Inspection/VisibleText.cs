using System.Globalization;

namespace Formatters;

/// <summary>Determines which characters of untrusted text may be shown unchanged.</summary>
internal static class VisibleText
{
    /// <summary>
    /// Determines whether a character is visible and does not affect its neighbors: it is not a control character, does not change the direction of
    /// text, has a width, and does not end a line.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="index">The index of the character, or of a surrogate pair.</param>
    internal static bool IsVisible(string text, int index) => CharUnicodeInfo.GetUnicodeCategory(text, index) switch
    {
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator => false,
        // Default_Ignorable_Code_Point of Unicode, as far as it is in other categories; and the Braille blank.
        _ => text[index] switch
        {
            '\u034F' or '\u115F' or '\u1160' or '\u17B4' or '\u17B5' or '\u2800' or '\u3164' or '\uFFA0' => false,
            (>= '\u180B' and <= '\u180F') or (>= '\uFE00' and <= '\uFE0F') or (>= '\uFFF0' and <= '\uFFF8') => false,
            // The plane of tags and of further variation selectors.
            '\uDB40' => false,
            _ => true,
        },
    };
}

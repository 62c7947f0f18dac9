using System.Globalization;

namespace Formatters;

/// <summary>Which characters of foreign text may be shown as they are.</summary>
internal static class VisibleText
{
    /// <summary>
    /// Whether a character shows, and leaves those around it where they are: it is not a control character, and none that changes the direction of text, has
    /// no width, or ends a line.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="index">Where the character begins; of a surrogate pair, both are meant.</param>
    internal static bool IsVisible(string text, int index) => CharUnicodeInfo.GetUnicodeCategory(text, index) switch
    {
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator => false,
        // Default_Ignorable_Code_Point of Unicode, as far as it is of other categories; and the blank of Braille.
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

namespace Formatters.Orders;

/// <summary>Defines the kind of characters in the strings of sample orders.</summary>
public enum SampleText
{
    /// <summary>ASCII, 8 to 24 characters.</summary>
    Ascii = 0,

    /// <summary>Latin letters with accents in every string: 2 bytes for some characters in UTF-8.</summary>
    Accented = 1,

    /// <summary>Chinese, Japanese and Korean in every string: 3 bytes for most characters in UTF-8.</summary>
    Cjk = 2,

    /// <summary>ASCII, with one string of five accented or CJK.</summary>
    Mixed = 3,
}

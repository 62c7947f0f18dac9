namespace Formatters.LegacyBinary;

/// <summary>Defines how much type information a legacy binary body contains: the <c>FormatterTypeStyle</c> of .NET Framework.</summary>
public enum LegacyBinaryTypeFormat
{
    /// <summary>The types of all members, with the first object of each class.</summary>
    TypesAlways = 0,

    /// <summary>The types of members that the declaration does not determine. A reader must know the classes.</summary>
    TypesWhenNeeded = 1,

    /// <summary>
    /// Like <see cref="TypesWhenNeeded"/>, and strings are written each time they occur: two members that hold the same string object have two
    /// objects after reading.
    /// </summary>
    XsdString = 2,
}

namespace Formatters;

/// <summary>How much of its types a legacy binary body says: the <c>FormatterTypeStyle</c> of .NET Framework.</summary>
public enum LegacyBinaryTypeFormat
{
    /// <summary>The types of all members, with the first object of each class.</summary>
    TypesAlways = 0,

    /// <summary>The types of members that cannot be told from the declaration. A reader must know the classes.</summary>
    TypesWhenNeeded = 1,

    /// <summary>As <see cref="TypesWhenNeeded"/>, and strings are written each time they occur: two members that hold one string have two after
    /// reading.</summary>
    XsdString = 2,
}

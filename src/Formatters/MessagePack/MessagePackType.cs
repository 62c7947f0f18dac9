namespace Formatters.MessagePack;

/// <summary>Defines the kinds of values of the MessagePack specification.</summary>
public enum MessagePackType
{
    /// <summary>No value: the byte C1, which the specification never uses.</summary>
    None,

    /// <summary>Nothing.</summary>
    Nil,

    /// <summary>True or false.</summary>
    Boolean,

    /// <summary>A whole number from -2^63 to 2^64 - 1.</summary>
    Integer,

    /// <summary>An IEEE 754 number of 32 or 64 bits.</summary>
    Float,

    /// <summary>Text in UTF-8.</summary>
    String,

    /// <summary>Bytes.</summary>
    Binary,

    /// <summary>A number of values.</summary>
    Array,

    /// <summary>A number of pairs of values.</summary>
    Map,

    /// <summary>Bytes with a type number: below 0 the specification's own (-1 is a timestamp), from 0 to 127 the application's.</summary>
    Extension,
}

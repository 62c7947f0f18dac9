using System;

namespace Formatters;

/// <summary>What a formatter's bodies are tagged with, for a registry that does not know the type of the payload.</summary>
internal interface IFormatterTags
{
    /// <summary>The MIME name; null if there is none.</summary>
    string? ContentType { get; }

    /// <summary>The body type number; null if there are several.</summary>
    int? BodyType { get; }

    /// <summary>The only type of payload; null if there are several.</summary>
    Type? PayloadType { get; }

    /// <summary>
    /// What in a body tells the type of its payload from others of the same format, as the root element does in XML; null if nothing does. Two formatters with
    /// one mark read each other's bodies.
    /// </summary>
    string? PayloadMark { get; }
}

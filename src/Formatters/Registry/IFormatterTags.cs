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

    /// <summary>What the body inside is tagged with; null if there is none, or nothing is known of it.</summary>
    IFormatterTags? Inner { get; }

    /// <summary>Whether the body inside can be looked at without the work of reading it.</summary>
    bool ShowsInner { get; }
}

using System;

namespace Formatters;

/// <summary>The tags of a formatter's bodies, for a registry that does not know the type of the payload.</summary>
internal interface IFormatterTags
{
    /// <summary>Gets the MIME name; null if there is none.</summary>
    string? ContentType { get; }

    /// <summary>Gets the body type number; null if there are several.</summary>
    int? BodyType { get; }

    /// <summary>Gets the only type of payload; null if there are several.</summary>
    Type? PayloadType { get; }

    /// <summary>
    /// Gets what identifies the type of a payload among others of the same format in a body, as the root element does in XML; null if nothing does.
    /// Two formatters with the same mark read each other's bodies.
    /// </summary>
    string? PayloadMark { get; }

    /// <summary>Gets the tags of the inner body; null if there is none, or they are unknown.</summary>
    IFormatterTags? Inner { get; }

    /// <summary>Gets whether the inner body can be examined without reading it.</summary>
    bool ShowsInner { get; }
}

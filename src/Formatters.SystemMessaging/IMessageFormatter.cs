using System.ComponentModel;

namespace System.Messaging;

/// <summary>Writes objects into the bodies of messages, and reads them.</summary>
[TypeConverter(typeof(ExpandableObjectConverter))]
public interface IMessageFormatter : ICloneable
{
    /// <summary>Determines whether the formatter can read the body of a message.</summary>
    /// <param name="message">The message.</param>
    /// <returns>Whether it can.</returns>
    bool CanRead(Message message);

    /// <summary>Reads the object in the body of a message.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The object.</returns>
    object? Read(Message message);

    /// <summary>Writes an object into the body of a message.</summary>
    /// <param name="message">The message; gets a body stream and a body type.</param>
    /// <param name="obj">The object.</param>
    void Write(Message message, object? obj);
}

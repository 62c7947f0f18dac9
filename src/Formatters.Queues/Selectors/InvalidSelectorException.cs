using System;

namespace Formatters.Queues;

/// <summary>
/// The exception that is thrown when a string is not a valid message selector: its syntax is wrong, it compares incompatible values, or it exceeds a
/// limit.
/// </summary>
public sealed class InvalidSelectorException : FormatException
{
    /// <summary>Creates an exception without detail.</summary>
    public InvalidSelectorException()
        : this("The selector is invalid.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    /// <param name="message">The message.</param>
    public InvalidSelectorException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a message and a cause.</summary>
    /// <param name="message">The message.</param>
    /// <param name="innerException">The cause.</param>
    public InvalidSelectorException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    internal InvalidSelectorException(string message, int position)
        : base($"The selector is invalid at character {position}: {message}") => Position = position;

    /// <summary>Gets the position of the error in the selector.</summary>
    /// <value>An index into the string, from 0 to its length (the selector ends too early).</value>
    public int Position { get; }
}

using Formatters;

namespace System.Messaging;

/// <summary>Writes and reads single values as COM programs do: strings, numbers, dates, arrays of bytes. The body type is their VARTYPE.</summary>
public class ActiveXMessageFormatter : IMessageFormatter
{
    private static readonly ActiveXFormatter Formatter = new();

    /// <summary>Creates a formatter.</summary>
    public ActiveXMessageFormatter()
    {
    }

    /// <summary>Initializes a COM object on Windows.</summary>
    /// <param name="streamedObject">The object.</param>
    /// <exception cref="PlatformNotSupportedException">Always.</exception>
    public static void InitStreamedObject(object streamedObject) => throw NotHere.Component(nameof(InitStreamedObject));

    /// <summary>Determines whether the body type is one of this formatter.</summary>
    /// <param name="message">The message.</param>
    /// <returns>Whether it is.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    public bool CanRead(Message message)
    {
        MessageBody body = Bodies.Of(message);
        return body.BodyType != 0 && Formatter.CanRead(body);
    }

    /// <summary>Reads the value in a body.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The body is not one of this formatter.</exception>
    public object? Read(Message message)
    {
        MessageBody body = Bodies.Of(message);
        if (body.BodyType == 0)
        {
            throw new InvalidOperationException(
                $"The body was not written by {nameof(ActiveXMessageFormatter)}: its body type is 0. {nameof(XmlMessageFormatter)} reads it.");
        }

        try
        {
            return Formatter.Read(body);
        }
        catch (MessageFormatException e)
        {
            throw new InvalidOperationException($"The body, of type {body.BodyType}, cannot be read: {e.Message}", e);
        }
    }

    /// <summary>Writes a value.</summary>
    /// <param name="message">The message.</param>
    /// <param name="obj">The value: a string, a number, a bool, a date, a char, an array of bytes or chars; null is <c>VT_NULL</c> (1), without
    /// bytes.</param>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="obj"/> is of another type.</exception>
    public void Write(Message message, object? obj)
    {
        ArgumentNullException.ThrowIfNull(message);
        var body = new MessageBody();
        try
        {
            Formatter.Write(body, obj);
        }
        catch (Exception e) when (e is MessageFormatException or ArgumentException)
        {
            throw new InvalidOperationException($"{obj?.GetType()} cannot be written by {nameof(ActiveXMessageFormatter)}: {e.Message}", e);
        }

        body.ContentType = null;
        Bodies.Put(message, body);
    }

    /// <summary>Creates another formatter.</summary>
    /// <returns>The formatter.</returns>
    public object Clone() => new ActiveXMessageFormatter();
}

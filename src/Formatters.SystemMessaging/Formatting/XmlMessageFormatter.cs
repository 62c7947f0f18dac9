using System.ComponentModel;
using System.Linq;
using Formatters;

namespace System.Messaging;

/// <summary>Writes and reads the XML bodies of .NET Framework: <c>XmlSerializer</c>, UTF-8, body type 0.</summary>
/// <remarks>Document types and entities are rejected; the size and depth of a body are limited.</remarks>
public class XmlMessageFormatter : IMessageFormatter
{
    private static readonly XmlFormatter Writer = new();

    private string[] _typeNames = [];
    private Type[] _types = [];
    private Type[] _written = [];
    private XmlFormatter? _reader;

    /// <summary>Creates a formatter that writes all types, and reads those that it has written until <see cref="TargetTypes"/> are set.</summary>
    public XmlMessageFormatter()
    {
    }

    /// <summary>Creates a formatter.</summary>
    /// <param name="targetTypeNames">The names of the types that are read: <c>Shop.Order, Shop</c>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="targetTypeNames"/> is null.</exception>
    public XmlMessageFormatter(string[] targetTypeNames) => TargetTypeNames = targetTypeNames;

    /// <summary>Creates a formatter.</summary>
    /// <param name="targetTypes">The types that are read.</param>
    /// <exception cref="ArgumentNullException"><paramref name="targetTypes"/> is null.</exception>
    public XmlMessageFormatter(Type[] targetTypes) => TargetTypes = targetTypes;

    /// <summary>Gets or sets the names of the types that are read. They are resolved when the first body is read.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public string[] TargetTypeNames
    {
        get => _typeNames;
        set
        {
            _typeNames = value ?? throw new ArgumentNullException(nameof(TargetTypeNames));
            _reader = null;
        }
    }

    /// <summary>Gets or sets the types that are read, tried in this order.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    [Browsable(false)]
    public Type[] TargetTypes
    {
        get => _types;
        set
        {
            _types = value ?? throw new ArgumentNullException(nameof(TargetTypes));
            _reader = null;
        }
    }

    /// <summary>Determines whether the root element of a body is that of a target type.</summary>
    /// <param name="message">The message.</param>
    /// <returns>Whether it is.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException">There are no target types, or one does not exist.</exception>
    public bool CanRead(Message message) => Reader().CanRead(Bodies.Of(message));

    /// <summary>Reads a body into the first target type that has its root element.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The object.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException">There are no target types, one does not exist, or the body is not XML of one of them. The inner
    /// exception has the position.</exception>
    public object? Read(Message message)
    {
        XmlFormatter reader = Reader();
        try
        {
            return reader.Read(Bodies.Of(message));
        }
        catch (MessageFormatException e)
        {
            string types = string.Join(", ", (object[])[.. _types, .. _typeNames, .. _written]);
            throw new InvalidOperationException($"The body cannot be read as one of the target types ({types}): {e.Message}", e);
        }
    }

    /// <summary>Writes an object as XML.</summary>
    /// <param name="message">The message.</param>
    /// <param name="obj">The object.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InvalidOperationException"><c>XmlSerializer</c> does not write the object.</exception>
    public void Write(Message message, object? obj)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(obj);
        var body = new MessageBody();
        try
        {
            Writer.Write(body, obj);
        }
        catch (Exception e) when (e is MessageFormatException or ArgumentException)
        {
            throw new InvalidOperationException($"{obj.GetType()} cannot be written as XML: {e.Message}", e);
        }

        body.ContentType = null;
        Bodies.Put(message, body);
        // As on .NET Framework: programs read what they have sent without target types.
        if (Array.IndexOf(_written, obj.GetType()) < 0)
        {
            _written = [.. _written, obj.GetType()];
            _reader = null;
        }
    }

    /// <summary>Copies the formatter.</summary>
    /// <returns>A formatter that reads the same types.</returns>
    public object Clone() => new XmlMessageFormatter { _types = _types, _typeNames = _typeNames, _written = _written, _reader = _reader };

    private XmlFormatter Reader()
    {
        if (_reader is not null)
            return _reader;
        if (_types.Length == 0 && _typeNames.Length == 0 && _written.Length == 0)
        {
            throw new InvalidOperationException(
                $"The formatter has no target types: set {nameof(XmlMessageFormatter)}.{nameof(TargetTypes)} or {nameof(TargetTypeNames)}.");
        }

        var types = new Type[_types.Length + _typeNames.Length];
        _types.CopyTo(types, 0);
        for (int i = 0; i < _typeNames.Length; i++)
        {
            types[_types.Length + i] = TypesOfTheProgram.Find(_typeNames[i])
                ?? throw new InvalidOperationException($"The target type '{_typeNames[i]}' does not exist.");
        }

        types = [.. types, .. _written.Except(types)];
        try
        {
            return _reader = new XmlFormatter(types);
        }
        catch (ArgumentException e)
        {
            throw new InvalidOperationException(e.Message, e);
        }
    }
}

using System.Collections.Generic;
using System.ComponentModel;
using System.Reflection;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Formatters;
using System.Text.RegularExpressions;
using Formatters;

namespace System.Messaging;

/// <summary>Writes and reads the binary bodies of .NET Framework (body type 768), without <c>BinaryFormatter</c>.</summary>
/// <remarks>
/// <para>A body is read if all types in it are declared: by <see cref="Allow"/>, by <see cref="AllowSerializable"/>, or in the settings of <see
/// cref="Formatters.SystemMessaging.MessagingConfiguration"/>. The types of the fields of a declared type, strings, numbers, dates, arrays of those,
/// and the collections of .NET with them need no declaration; a type that an <c>object</c>, an interface or a base class holds does. Types that
/// the program itself has written are declared. No type is loaded because a body names it.</para>
/// <para>Fields are set directly: no constructor, property or callback of a type runs.</para>
/// </remarks>
public class BinaryMessageFormatter : IMessageFormatter
{
    private static readonly Regex NameInError = new(@"here: '([^']+)'", RegexOptions.CultureInvariant);

    /// <summary>Creates a formatter that writes simple assembly names and all types.</summary>
    public BinaryMessageFormatter()
        : this(FormatterAssemblyStyle.Simple, FormatterTypeStyle.TypesAlways)
    {
    }

    /// <summary>Creates a formatter.</summary>
    /// <param name="topObjectFormat">How assemblies are compared.</param>
    /// <param name="typeFormat">How much type information is written.</param>
    public BinaryMessageFormatter(FormatterAssemblyStyle topObjectFormat, FormatterTypeStyle typeFormat)
    {
        TopObjectFormat = topObjectFormat;
        TypeFormat = typeFormat;
    }

    /// <summary>Gets the types that were declared, in this process and in the settings.</summary>
    public static IReadOnlyCollection<Type> AllowedTypes => BinaryTypes.Declared();

    /// <summary>Gets or sets how the names of assemblies in bodies are compared.</summary>
    [DefaultValue(FormatterAssemblyStyle.Simple)]
    public FormatterAssemblyStyle TopObjectFormat { get; set; }

    /// <summary>Gets or sets how much type information is written.</summary>
    [DefaultValue(FormatterTypeStyle.TypesWhenNeeded)]
    public FormatterTypeStyle TypeFormat { get; set; }

    /// <summary>Declares types that bodies may have.</summary>
    /// <param name="types">The types: also arrays and closed generic types.</param>
    /// <exception cref="ArgumentNullException"><paramref name="types"/> or one of them is null.</exception>
    /// <exception cref="ArgumentException">Bodies cannot have one of the types.</exception>
    public static void Allow(params Type[] types)
    {
        ArgumentNullException.ThrowIfNull(types);
        foreach (Type type in types)
            BinaryTypes.Add(type ?? throw new ArgumentNullException(nameof(types)));
    }

    /// <summary>Declares all types of an assembly that are marked <c>[Serializable]</c>.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <exception cref="ArgumentNullException"><paramref name="assembly"/> is null.</exception>
    public static void AllowSerializable(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        BinaryTypes.Add(assembly);
    }

    /// <summary>Determines whether the body type is 768.</summary>
    /// <param name="message">The message.</param>
    /// <returns>Whether it is.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    public bool CanRead(Message message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return message.BodyType == BodyTypes.LegacyBinary;
    }

    /// <summary>Reads the objects in a body.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The root object.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The body type is not 768.</exception>
    /// <exception cref="SerializationException">The body is damaged, beyond a limit, or has a type that was not declared: the message shows the line
    /// that declares it.</exception>
    public object Read(Message message)
    {
        MessageBody body = Bodies.Of(message);
        if (body.BodyType != BodyTypes.LegacyBinary)
        {
            throw new InvalidOperationException(
                $"The body was not written by {nameof(BinaryMessageFormatter)}: its body type is {body.BodyType}, not {BodyTypes.LegacyBinary}.");
        }

        try
        {
            return BinaryTypes.Reader(TopObjectFormat).Read(body.Bytes);
        }
        catch (MessageFormatException e)
        {
            string remedy = "";
            if (e.Code == MessageFormatErrorCode.TypeNotAllowed)
            {
                Match name = NameInError.Match(e.Message);
                remedy = Remedy(name.Success ? name.Groups[1].Value : null);
            }

            throw new SerializationException(e.Message + remedy, e);
        }
    }

    /// <summary>Writes an object and those that it refers to.</summary>
    /// <param name="message">The message.</param>
    /// <param name="obj">The object.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="SerializationException">An object is of a type that cannot be written, or that is not marked
    /// <c>[Serializable]</c>.</exception>
    public void Write(Message message, object? obj)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(obj);
        Type type = obj.GetType();
        try
        {
            BinaryTypes.AddWritten(type);
            Bodies.Put(message, new MessageBody(WriteGraph(obj, ref type), BodyTypes.LegacyBinary));
        }
        catch (MessageFormatException e)
        {
            throw new SerializationException(e.Message, e);
        }
        catch (ArgumentException e)
        {
            throw new SerializationException($"{type} cannot be written to a binary body: {e.Message}", e);
        }
    }

    /// <summary>Writes an object. The objects that it refers to are the program's own too, so their types are declared by the write.</summary>
    /// <param name="obj">The object.</param>
    /// <param name="type">Receives the type that is being declared, for errors.</param>
    private byte[] WriteGraph(object obj, ref Type type)
    {
        while (true)
        {
            try
            {
                return BinaryTypes.Writer(TypeFormat).Write(obj);
            }
            catch (MessageFormatException e) when (e.Code == MessageFormatErrorCode.TypeNotAllowed && e.Data["Type"] is Type { IsSerializable: true })
            {
                type = (Type)e.Data["Type"]!;
                if (!BinaryTypes.AddWritten(type))
                    throw;
            }
        }
    }

    /// <summary>Copies the formatter.</summary>
    /// <returns>A formatter with the same settings.</returns>
    public object Clone() => new BinaryMessageFormatter(TopObjectFormat, TypeFormat);

    private static string Remedy(string? typeName)
    {
        string name = typeName is null ? "TheType" : typeName.Split(',')[0].Replace('+', '.');
        return $" Declare it where the program starts: {nameof(BinaryMessageFormatter)}.{nameof(Allow)}(typeof({name})); or in appsettings.json: "
            + $"\"Messaging\": {{ \"AllowedTypes\": [ \"{typeName ?? name}\" ] }}";
    }
}

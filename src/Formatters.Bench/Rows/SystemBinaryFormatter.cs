using System.Buffers;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Formatters.Binary;

namespace Formatters.Bench.Rows;

/// <summary>The legacy row: .NET's removed <c>BinaryFormatter</c>, which System.Messaging's <c>BinaryMessageFormatter</c> writes and reads
/// with.</summary>
/// <remarks>
/// For measurements only. A binder admits the declared types and no others, so that a foreign message in the queue under test loads nothing;
/// everything else is as <c>BinaryMessageFormatter</c> has it.
/// </remarks>
internal sealed class SystemBinaryFormatter<T> : MessageFormatter<T>
{
    private readonly DeclaredTypes _binder;

    /// <param name="types">The types, beside the primitives and strings, that a body may name.</param>
    internal SystemBinaryFormatter(IEnumerable<Type> types)
        : base(ContentTypes.OctetStream, BodyTypes.LegacyBinary, limits: null) => _binder = new DeclaredTypes(types);

    /// <summary>Declares the types of objects: those that writing them names.</summary>
    internal void Learn(IEnumerable<T> values)
    {
        foreach (T value in values)
        {
#pragma warning disable SYSLIB0011, FMT301, CA2300, CA2301 // As below; nothing is read.
            new BinaryFormatter { Binder = _binder }.Serialize(Stream.Null, value!);
#pragma warning restore SYSLIB0011, FMT301, CA2300, CA2301
        }
    }

    public override void Write(IBufferWriter<byte> destination, T value)
    {
        var stream = new MemoryStream();
#pragma warning disable SYSLIB0011, FMT301 // BinaryFormatter is obsolete: that is why it is a row.
        new BinaryFormatter().Serialize(stream, value!);
#pragma warning restore SYSLIB0011, FMT301
        destination.Write(stream.GetBuffer().AsSpan(0, (int)stream.Length));
    }

    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        try
        {
            var stream = new MemoryStream(body.ToArray(), writable: false);
#pragma warning disable SYSLIB0011, FMT301, CA2300, CA2301, CA2302 // As above; the binder is set.
            return (T)new BinaryFormatter { Binder = _binder }.Deserialize(stream);
#pragma warning restore SYSLIB0011, FMT301, CA2300, CA2301, CA2302
        }
        catch (Exception e) when (e is not MessageFormatException and not OutOfMemoryException)
        {
            throw new MessageFormatException(MessageFormatErrorCode.Malformed, "BinaryFormatter cannot read the body.", isPoison: true,
                innerException: e);
        }
    }

    private sealed class DeclaredTypes : SerializationBinder
    {
        private readonly Dictionary<string, Type> _types = new(StringComparer.Ordinal);

        internal DeclaredTypes(IEnumerable<Type> types)
        {
            foreach (Type type in types)
                _types.Add(type.FullName!, type);
        }

        public override void BindToName(Type serializedType, out string? assemblyName, out string? typeName)
        {
            base.BindToName(serializedType, out assemblyName, out typeName);
            _types[serializedType.FullName!] = serializedType;
        }

        public override Type BindToType(string assemblyName, string typeName) =>
            _types.TryGetValue(typeName, out Type? type)
                ? type
                : throw new MessageFormatException(
                    MessageFormatErrorCode.TypeNotAllowed, "The body names a type that is not declared for it.", isPoison: true);
    }
}

using System.Reflection;
using System.Text;

namespace Formatters;

/// <summary>A member, and where it stands in the array form and in the map form.</summary>
/// <param name="Info">The field or property.</param>
/// <param name="Type">Its type.</param>
/// <param name="Index">Its place in the array form.</param>
/// <param name="Key">Its name in the map form.</param>
/// <param name="CanSet">Whether it can be set when the object is made.</param>
internal sealed record MemberPlace(MemberInfo Info, AnnotatedType Type, int Index, string Key, bool CanSet)
{
    /// <summary>The number of UTF-8 bytes of the name.</summary>
    internal int KeyByteCount { get; } = Encoding.UTF8.GetByteCount(Key);

    /// <summary>The name as a whole value.</summary>
    internal byte[] EncodedKey { get; } = Encode(Key);

    private static byte[] Encode(string key)
    {
        using var buffer = new PooledBufferWriter();
        var writer = new MessagePackBodyWriter(buffer);
        writer.Write(key);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}

using System.Diagnostics.CodeAnalysis;

namespace Formatters.Binary;

/// <summary>Implemented by a type that writes and reads its own members: the <c>Save</c> and <c>Load</c> of a hand-coded formatter.</summary>
/// <remarks>
/// Two lines per member, as with <c>System.IO.BinaryWriter</c> and <c>BinaryReader</c>, and the same bytes: see samples/HandRolled. Write and read it
/// with <see cref="HandCodedFormatter{T}"/>.
/// </remarks>
public interface IBinaryBody
{
    /// <summary>Writes every member, in the order in which <see cref="Load"/> reads them.</summary>
    /// <param name="writer">The writer; pass it on by reference, never by value.</param>
    void Save(ref BinaryBodyWriter writer);

    /// <summary>Reads every member, in the order in which <see cref="Save"/> writes them.</summary>
    /// <param name="reader">The reader; pass it on by reference, never by value.</param>
    /// <remarks>
    /// To reuse what the object already holds, read a string with <see cref="BinaryBodyReader.ReadString(string?)"/> and fill existing objects and
    /// lists. Assign every member that is not equal to what was read.
    /// </remarks>
    void Load(ref BinaryBodyReader reader);
}

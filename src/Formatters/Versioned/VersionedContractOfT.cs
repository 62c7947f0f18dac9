using Formatters.Generated;

namespace Formatters;

/// <summary>The members of a type in the versioned wire format, by their numbers, as generated code that writes and reads them.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable and safe for use by several threads. Give it to a <see cref="VersionedFormatter{T}"/>; or call <c>Write</c> and <c>Read</c> in a
/// hand-written <c>Save</c> and <c>Load</c> (<see cref="IBinaryBody"/>), for a part whose members change. Only the library derives from it: it is made of generated code.
/// </remarks>
public abstract class VersionedContract<T> : WireContract<T>
{
    private protected VersionedContract()
    {
    }
}

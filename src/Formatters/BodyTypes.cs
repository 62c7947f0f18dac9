namespace Formatters;

/// <summary>The body type numbers, as in <c>System.Messaging.Message.BodyType</c>.</summary>
/// <remarks>
/// MSMQ uses 0 for XML, 768 for <c>BinaryMessageFormatter</c> and VARTYPE values (0 to 72, with 0x1000 or 0x2000 added for vectors and arrays) for
/// <c>ActiveXMessageFormatter</c>. Numbers of this library start at 0x4600, clear of all of those.
/// </remarks>
public static partial class BodyTypes
{
    /// <summary>A signed body (<see cref="ContentTypes.Signed"/>).</summary>
    public const int Signed = 0x4611;

    /// <summary>An encrypted body (<see cref="ContentTypes.Encrypted"/>).</summary>
    public const int Encrypted = 0x4612;

    /// <summary>A compressed body (<see cref="ContentTypes.Compressed"/>).</summary>
    public const int Compressed = 0x4613;

    /// <summary>A batch of bodies (<see cref="ContentTypes.Batch"/>).</summary>
    public const int Batch = 0x4614;
}

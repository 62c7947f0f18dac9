using System;
using System.Numerics;
using System.Threading;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>A format of the application as a traversal format: converts every type of members to its nine kinds of values.</summary>
/// <typeparam name="TFormat">The format of the application.</typeparam>
internal readonly partial struct CustomWireFormat<TFormat> : IWireFormat
    where TFormat : struct, ICustomWireFormat
{
    private static readonly int Id = CustomWireFormatIds.Next();

    /// <summary>Gets the name for errors: that of the type if the code of the format fails again.</summary>
    private static string Name
    {
        get
        {
            try
            {
                return default(TFormat).Name;
            }
            catch (Exception e) when (BodyFault.Is(e))
            {
                return typeof(TFormat).Name;
            }
        }
    }

    /// <summary>Gets a number below 0: body types of the application may be equal to those of other formats.</summary>
    public int BodyType => Id;

    /// <inheritdoc/>
    public int PublicBodyType => default(TFormat).BodyType;

    /// <inheritdoc/>
    public ContractFormats ContractFormat => ContractFormats.MessagePack;

    /// <inheritdoc/>
    public int ByteCountOf(byte first) => 0;

    /// <inheritdoc/>
    public bool IsSorted => false;

    /// <inheritdoc/>
    public bool RoundsFloat(in WireReader reader) => true;

    /// <inheritdoc/>
    public bool SortsKeys => false;

    /// <inheritdoc/>
    public byte ShortTextCode => 0;

    /// <inheritdoc/>
    public int MaxShortTextByteCount => 0;
}

/// <summary>Numbers the formats of the application in a process.</summary>
internal static class CustomWireFormatIds
{
    private static int s_last;

    internal static int Next() => Interlocked.Decrement(ref s_last);
}

/// <summary>Creates the exceptions for defects of a format of the application.</summary>
internal static class CustomWireFormatFault
{
    /// <summary>Determines whether an exception of a format is converted when it writes.</summary>
    internal static bool IsOfWriting(Exception e) => BodyFault.Is(e) && e is not OutOfMemoryException;

    /// <summary>Creates the exception for an exception of a format that writes.</summary>
    internal static MessageFormatException Writing(Exception e, string name) =>
        new(MessageFormatErrorCode.BadValue, $"The wire format {name} could not write the value: its own code threw {TypeNames.Of(e.GetType())}.",
            innerException: e);

    /// <summary>Creates the exception for an exception of a format that reads.</summary>
    internal static MessageFormatException Reading(Exception e, int byteOffset, string name) =>
        BodyFault.Refused(byteOffset, e,
            message: $"The wire format {name} could not read the value: its own code threw {TypeNames.Of(e.GetType())}.");

    /// <summary>Creates the exception for a format that wrote nothing for a value.</summary>
    internal static MessageFormatException WroteNothing(string name) =>
        new(MessageFormatErrorCode.BadValue, $"The wire format {name} wrote no bytes for a value.");

    /// <summary>Creates the exception for a format that read nothing of a value, which would never end.</summary>
    internal static MessageFormatException ReadNothing(int byteOffset, string name) =>
        new(MessageFormatErrorCode.BadValue, $"The wire format {name} read no bytes of a value.", byteOffset);
}

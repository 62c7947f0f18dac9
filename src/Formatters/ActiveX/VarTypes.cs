// VARTYPE values: https://learn.microsoft.com/windows/win32/api/wtypes/ne-wtypes-varenum and Message Queuing, "PROPID_M_BODY_TYPE".
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Formatters.ActiveX;

/// <summary>The VARTYPE numbers of ActiveX bodies: the body type identifies the type of the value.</summary>
public static class VarTypes
{
    /// <summary>No type given: bytes, as COM receivers treat them. Also the body type of XML and of a message without one.</summary>
    public const int Empty = 0;

    /// <summary>Null: no bytes.</summary>
    public const int Null = 1;

    /// <summary>Int16: 2 bytes.</summary>
    public const int Int16 = 2;

    /// <summary>Int32: 4 bytes.</summary>
    public const int Int32 = 3;

    /// <summary>Single: 4 bytes.</summary>
    public const int Single = 4;

    /// <summary>Double: 8 bytes.</summary>
    public const int Double = 5;

    /// <summary>Currency (VT_CY): 8 bytes, an Int64 of the amount times 10,000.</summary>
    public const int Currency = 6;

    /// <summary>Date (VT_DATE): 8 bytes, ticks from .NET, an OLE date from COM.</summary>
    public const int Date = 7;

    /// <summary>A string of a COM sender (VT_BSTR): UTF-16, little endian, no terminator.</summary>
    public const int BStr = 8;

    /// <summary>Boolean: 1 byte from .NET (FF or 00), 2 bytes from COM (FFFF or 0000).</summary>
    public const int Boolean = 11;

    /// <summary>SByte (VT_I1): 1 byte.</summary>
    public const int SByte = 16;

    /// <summary>Byte (VT_UI1): 1 byte.</summary>
    public const int Byte = 17;

    /// <summary>UInt16: 2 bytes; also a Char.</summary>
    public const int UInt16 = 18;

    /// <summary>UInt32: 4 bytes.</summary>
    public const int UInt32 = 19;

    /// <summary>Int64: 8 bytes.</summary>
    public const int Int64 = 20;

    /// <summary>UInt64: 8 bytes.</summary>
    public const int UInt64 = 21;

    /// <summary>A string in the code page of its sender (VT_LPSTR), no terminator.</summary>
    public const int LPStr = 30;

    /// <summary>A string (VT_LPWSTR): UTF-16, little endian, no terminator.</summary>
    public const int LPWStr = 31;

    /// <summary>
    /// A COM object that was saved to a stream (VT_STREAMED_OBJECT): its class id, as <see cref="Clsid"/>, followed by its own bytes.
    /// </summary>
    public const int StreamedObject = 68;

    /// <summary>Guid (VT_CLSID): 16 bytes, the first three fields little endian.</summary>
    public const int Clsid = 72;

    /// <summary>Bytes from .NET (VT_VECTOR | VT_UI1).</summary>
    public const int ByteVector = 0x1011;

    /// <summary>Bytes from a COM sender (VT_ARRAY | VT_UI1).</summary>
    public const int ByteArray = 0x2011;

    [DoesNotReturn]
    internal static void ThrowUnknown(int varType) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.UnknownFormat,
            string.Format(CultureInfo.InvariantCulture, "The body type {0} is not a VARTYPE that this formatter reads.", varType)
                + (varType == StreamedObject
                    ? " It is a COM object that was saved with IPersistStream: PersistStreamFormatter reads the objects of one class." : ""));
}

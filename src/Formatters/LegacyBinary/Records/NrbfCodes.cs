// [MS-NRBF] 2.1: enumerations (https://learn.microsoft.com/openspecs/windows_protocols/ms-nrbf).
namespace Formatters;

/// <summary>The first byte of a record: RecordTypeEnumeration, 2.1.2.1.</summary>
internal enum NrbfRecordType : byte
{
    SerializedStreamHeader = 0,
    ClassWithId = 1,
    SystemClassWithMembers = 2,
    ClassWithMembers = 3,
    SystemClassWithMembersAndTypes = 4,
    ClassWithMembersAndTypes = 5,
    BinaryObjectString = 6,
    BinaryArray = 7,
    MemberPrimitiveTyped = 8,
    MemberReference = 9,
    ObjectNull = 10,
    MessageEnd = 11,
    BinaryLibrary = 12,
    ObjectNullMultiple256 = 13,
    ObjectNullMultiple = 14,
    ArraySinglePrimitive = 15,
    ArraySingleObject = 16,
    ArraySingleString = 17,
}

/// <summary>The form of a member's value: BinaryTypeEnumeration, 2.1.2.2. Only the first is not a record.</summary>
internal enum NrbfBinaryType : byte
{
    Primitive = 0,
    String = 1,
    Object = 2,
    SystemClass = 3,
    Class = 4,
    ObjectArray = 5,
    StringArray = 6,
    PrimitiveArray = 7,
}

/// <summary>The types of primitive values (PrimitiveTypeEnumeration, 2.1.2.3).</summary>
internal enum NrbfPrimitiveType : byte
{
    None = 0,
    Boolean = 1,
    Byte = 2,
    Char = 3,
    Decimal = 5,
    Double = 6,
    Int16 = 7,
    Int32 = 8,
    Int64 = 9,
    SByte = 10,
    Single = 11,
    TimeSpan = 12,
    DateTime = 13,
    UInt16 = 14,
    UInt32 = 15,
    UInt64 = 16,
}

/// <summary>The kinds of arrays (BinaryArrayTypeEnumeration, 2.4.1.1).</summary>
internal enum NrbfArrayType : byte
{
    Single = 0,
    Jagged = 1,
    Rectangular = 2,
    SingleOffset = 3,
    JaggedOffset = 4,
    RectangularOffset = 5,
}

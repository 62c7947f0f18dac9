// https://github.com/msgpack/msgpack/blob/master/spec.md#formats
namespace Formatters;

/// <summary>The first bytes of the formats of the specification.</summary>
internal static class MessagePackCode
{
    internal const byte FixMap = 0x80;
    internal const byte FixArray = 0x90;
    internal const byte FixStr = 0xA0;
    internal const byte Nil = 0xC0;
    internal const byte NeverUsed = 0xC1;
    internal const byte False = 0xC2;
    internal const byte True = 0xC3;
    internal const byte Bin8 = 0xC4;
    internal const byte Bin16 = 0xC5;
    internal const byte Bin32 = 0xC6;
    internal const byte Ext8 = 0xC7;
    internal const byte Ext16 = 0xC8;
    internal const byte Ext32 = 0xC9;
    internal const byte Float32 = 0xCA;
    internal const byte Float64 = 0xCB;
    internal const byte UInt8 = 0xCC;
    internal const byte UInt16 = 0xCD;
    internal const byte UInt32 = 0xCE;
    internal const byte UInt64 = 0xCF;
    internal const byte Int8 = 0xD0;
    internal const byte Int16 = 0xD1;
    internal const byte Int32 = 0xD2;
    internal const byte Int64 = 0xD3;
    internal const byte FixExt1 = 0xD4;
    internal const byte FixExt4 = 0xD6;
    internal const byte FixExt8 = 0xD7;
    internal const byte FixExt16 = 0xD8;
    internal const byte Str8 = 0xD9;
    internal const byte Str16 = 0xDA;
    internal const byte Str32 = 0xDB;
    internal const byte Array16 = 0xDC;
    internal const byte Array32 = 0xDD;
    internal const byte Map16 = 0xDE;
    internal const byte Map32 = 0xDF;

    internal const int MaxFixInt = 0x7F;
    internal const int MinFixInt = -32;
    internal const int MaxFixStr = 31;
    internal const int MaxFixCount = 15;

    /// <summary>The type number of a timestamp.</summary>
    internal const sbyte Timestamp = -1;
}

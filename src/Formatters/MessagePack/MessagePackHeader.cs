namespace Formatters.MessagePack;

/// <summary>The header of a MessagePack value, which precedes its content.</summary>
/// <param name="Type">The kind of the value.</param>
/// <param name="HeaderByteCount">How many bytes the header takes, 1 to 6.</param>
/// <param name="Count">For an array its elements, for a map its entries; else how many bytes follow the header.</param>
/// <param name="ExtensionType">The type number of an extension; else 0.</param>
public readonly record struct MessagePackHeader(MessagePackType Type, int HeaderByteCount, uint Count, sbyte ExtensionType = 0);

namespace Formatters.TradeEngine.Store;

/// <summary>The formatters of stored trades and emissions, in the compact format.</summary>
internal static class StoreFormats
{
    internal static byte[] Write<T>(T value) => Of<T>.Formatter.Write(value);

    /// <exception cref="MessageFormatException">The bytes are damaged, or of another version of the program.</exception>
    internal static T Read<T>(byte[] bytes) => Of<T>.Formatter.Read(bytes);

    private static class Of<T>
    {
        internal static readonly CompactFormatter<T> Formatter = CompactFormatter.Create<T>();
    }
}

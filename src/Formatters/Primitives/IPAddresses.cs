using System.Net;
using System.Net.Sockets;

namespace Formatters;

/// <summary>Writes and reads IP addresses as text, in one form only.</summary>
internal static class IPAddresses
{
    /// <summary>
    /// Parses an IP address. For IPv4 only four decimal numbers, not "1" or "0x7F.1", and for IPv6 no brackets and port, which other parsers
    /// interpret differently.
    /// </summary>
    internal static IPAddress Parse(int byteOffset, string text)
    {
        if (!IPAddress.TryParse(text, out IPAddress? value)
            || (value.AddressFamily == AddressFamily.InterNetwork ? value.ToString() != text : text[0] == '['))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(IPAddress));
        return value!;
    }
}

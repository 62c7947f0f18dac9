using System;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Addresses as strings that can be opened.</summary>
internal static class AddressTexts
{
    /// <summary>Gets an address with its password and all hosts of its cluster. <see cref="QueueAddress.ToString"/> leaves the password
    /// out.</summary>
    internal static string Of(QueueAddress address)
    {
        string text = address.Uri.OriginalString;
        if (address.OtherHosts.Count == 0)
            return text;
        int end = text.IndexOf('/', text.IndexOf("://", StringComparison.Ordinal) + 3);
        return text.Insert(end < 0 ? text.Length : end, "," + string.Join(',', address.OtherHosts));
    }
}

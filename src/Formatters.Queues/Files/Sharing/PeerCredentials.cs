using System;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Formatters.Queues;

/// <summary>Determines who is at the other end of a socket.</summary>
internal static class PeerCredentials
{
    private const int SocketLevel = 1; // SOL_SOCKET of Linux.
    private const int PeerCredentialsOption = 17; // SO_PEERCRED: pid, uid, gid.

    /// <summary>Determines whether the other process is of this process's user, or of root. Where the system does not say, the folder's mode has
    /// decided.</summary>
    internal static bool AreOfThisUser(Socket socket)
    {
        if (!OperatingSystem.IsLinux())
            return true;
        Span<byte> credentials = stackalloc byte[12];
        try
        {
            socket.GetRawSocketOption(SocketLevel, PeerCredentialsOption, credentials);
        }
        catch (SocketException)
        {
            return false;
        }

        uint user = MemoryMarshal.Read<uint>(credentials[4..]);
        return user == 0 || user == UnixFile.GetEffectiveUser();
    }
}

namespace System.Messaging;

/// <summary>The certificate and the user with which messages are signed on Windows. <see cref="MessageQueue.GetSecurityContext"/> creates none
/// here.</summary>
public sealed class SecurityContext : IDisposable
{
    internal SecurityContext()
    {
    }

    /// <summary>Has no effect.</summary>
    public void Dispose()
    {
    }
}

namespace System.Messaging;

/// <summary>Rights of a trustee to a queue. A value only: see <see cref="MessageQueue.ResetPermissions"/>.</summary>
public class MessageQueueAccessControlEntry : AccessControlEntry
{
    /// <summary>Creates an entry that allows rights.</summary>
    /// <param name="trustee">The trustee.</param>
    /// <param name="rights">The rights.</param>
    /// <exception cref="ArgumentNullException"><paramref name="trustee"/> is null.</exception>
    public MessageQueueAccessControlEntry(Trustee trustee, MessageQueueAccessRights rights)
        : base(trustee) => CustomAccessRights |= (int)rights;

    /// <summary>Creates an entry.</summary>
    /// <param name="trustee">The trustee.</param>
    /// <param name="rights">The rights.</param>
    /// <param name="entryType">What the entry does with the rights.</param>
    /// <exception cref="ArgumentNullException"><paramref name="trustee"/> is null.</exception>
    public MessageQueueAccessControlEntry(Trustee trustee, MessageQueueAccessRights rights, AccessControlEntryType entryType)
        : this(trustee, rights) => EntryType = entryType;

    /// <summary>Gets or sets the rights.</summary>
    public MessageQueueAccessRights MessageQueueAccessRights
    {
        get => (MessageQueueAccessRights)CustomAccessRights;
        set => CustomAccessRights = (int)value;
    }
}

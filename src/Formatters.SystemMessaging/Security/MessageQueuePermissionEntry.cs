namespace System.Messaging;

/// <summary>An access level to a queue, or to the queues that match criteria.</summary>
[Serializable]
public class MessageQueuePermissionEntry
{
    /// <summary>Creates an entry for a queue.</summary>
    /// <param name="permissionAccess">The access level.</param>
    /// <param name="path">The path of the queue, or <c>*</c>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="path"/> is malformed.</exception>
    public MessageQueuePermissionEntry(MessageQueuePermissionAccess permissionAccess, string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        CheckPath(path, nameof(path));
        PermissionAccess = permissionAccess;
        Path = path;
    }

    /// <summary>Creates an entry for the queues that match criteria.</summary>
    /// <param name="permissionAccess">The access level.</param>
    /// <param name="machineName">The machine of the queues.</param>
    /// <param name="label">The label of the queues.</param>
    /// <param name="category">The category of the queues.</param>
    /// <exception cref="ArgumentNullException">There is no criterion.</exception>
    /// <exception cref="ArgumentException"><paramref name="machineName"/> is not the name of a machine.</exception>
    public MessageQueuePermissionEntry(MessageQueuePermissionAccess permissionAccess, string? machineName, string? label, string? category)
    {
        if (machineName is null && label is null && category is null)
            throw new ArgumentNullException(nameof(machineName));
        if (machineName is not null)
            QueuePath.CheckMachine(machineName, nameof(machineName));
        PermissionAccess = permissionAccess;
        MachineName = machineName;
        Label = label;
        Category = category;
    }

    /// <summary>Gets the category of the queues.</summary>
    public string? Category { get; }

    /// <summary>Gets the label of the queues.</summary>
    public string? Label { get; }

    /// <summary>Gets the machine of the queues.</summary>
    public string? MachineName { get; }

    /// <summary>Gets the path of the queue.</summary>
    public string? Path { get; }

    /// <summary>Gets the access level.</summary>
    public MessageQueuePermissionAccess PermissionAccess { get; }

    internal static void CheckPath(string? path, string name)
    {
        if (path is not "*")
            QueuePath.CheckForm(path ?? "", name);
    }
}

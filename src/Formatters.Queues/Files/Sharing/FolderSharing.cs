namespace Formatters.Queues;

/// <summary>The processes of the machine that may have a folder of queues open at the same time.</summary>
public enum FolderSharing
{
    /// <summary>All processes of the same user.</summary>
    User = 0,

    /// <summary>All processes of users who may write into the folder: of its group.</summary>
    Group = 1,

    /// <summary>Only one: another that opens the folder gets a <see cref="QueueException"/> with <see cref="QueueErrorCode.InUse"/>.</summary>
    Exclusive = 2,
}

using System.Collections;

namespace System.Messaging;

/// <summary>The entries of a <see cref="MessageQueuePermission"/>, each for queues and an access to them.</summary>
[Serializable]
public class MessageQueuePermissionEntryCollection : CollectionBase
{
    internal MessageQueuePermissionEntryCollection()
    {
    }

    /// <summary>Gets or sets an entry.</summary>
    /// <param name="index">Its index.</param>
    public MessageQueuePermissionEntry this[int index]
    {
        get => (MessageQueuePermissionEntry)List[index]!;
        set => List[index] = value;
    }

    /// <summary>Appends an entry.</summary>
    /// <param name="value">The entry.</param>
    /// <returns>Its index.</returns>
    public int Add(MessageQueuePermissionEntry value) => List.Add(value);

    /// <summary>Appends entries.</summary>
    /// <param name="value">The entries.</param>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public void AddRange(MessageQueuePermissionEntry[] value)
    {
        ArgumentNullException.ThrowIfNull(value);
        foreach (MessageQueuePermissionEntry entry in value)
            Add(entry);
    }

    /// <summary>Appends the entries of another collection.</summary>
    /// <param name="value">The other collection.</param>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public void AddRange(MessageQueuePermissionEntryCollection value)
    {
        ArgumentNullException.ThrowIfNull(value);
        int count = value.Count;
        for (int i = 0; i < count; i++)
            Add(value[i]);
    }

    /// <summary>Determines whether the collection has an entry.</summary>
    /// <param name="value">The entry.</param>
    /// <returns>Whether it has.</returns>
    public bool Contains(MessageQueuePermissionEntry value) => List.Contains(value);

    /// <summary>Copies the entries.</summary>
    /// <param name="array">The destination.</param>
    /// <param name="index">The index of the first in the destination.</param>
    public void CopyTo(MessageQueuePermissionEntry[] array, int index) => List.CopyTo(array, index);

    /// <summary>Finds an entry.</summary>
    /// <param name="value">The entry.</param>
    /// <returns>Its index, or -1.</returns>
    public int IndexOf(MessageQueuePermissionEntry value) => List.IndexOf(value);

    /// <summary>Inserts an entry.</summary>
    /// <param name="index">Its index.</param>
    /// <param name="value">The entry.</param>
    public void Insert(int index, MessageQueuePermissionEntry value) => List.Insert(index, value);

    /// <summary>Removes an entry.</summary>
    /// <param name="value">The entry.</param>
    public void Remove(MessageQueuePermissionEntry value) => List.Remove(value);

    /// <inheritdoc/>
    protected override void OnClear()
    {
    }

    /// <inheritdoc/>
    protected override void OnInsert(int index, object? value)
    {
    }

    /// <inheritdoc/>
    protected override void OnRemove(int index, object? value)
    {
    }

    /// <inheritdoc/>
    protected override void OnSet(int index, object? oldValue, object? newValue)
    {
    }
}

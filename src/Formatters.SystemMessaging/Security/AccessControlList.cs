using System.Collections;

namespace System.Messaging;

/// <summary>A list of access control entries. A value only: see <see cref="MessageQueue.ResetPermissions"/>.</summary>
public class AccessControlList : CollectionBase
{
    /// <summary>Creates an empty list.</summary>
    public AccessControlList()
    {
    }

    /// <summary>Appends an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <returns>Its index.</returns>
    public int Add(AccessControlEntry entry) => List.Add(entry);

    /// <summary>Inserts an entry.</summary>
    /// <param name="index">Its index.</param>
    /// <param name="entry">The entry.</param>
    public void Insert(int index, AccessControlEntry entry) => List.Insert(index, entry);

    /// <summary>Finds an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <returns>Its index, or -1.</returns>
    public int IndexOf(AccessControlEntry entry) => List.IndexOf(entry);

    /// <summary>Determines whether the list has an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <returns>Whether it has.</returns>
    public bool Contains(AccessControlEntry entry) => List.Contains(entry);

    /// <summary>Removes an entry.</summary>
    /// <param name="entry">The entry.</param>
    public void Remove(AccessControlEntry entry) => List.Remove(entry);

    /// <summary>Copies the entries.</summary>
    /// <param name="array">The destination.</param>
    /// <param name="index">The index of the first in the destination.</param>
    public void CopyTo(AccessControlEntry[] array, int index) => List.CopyTo(array, index);
}

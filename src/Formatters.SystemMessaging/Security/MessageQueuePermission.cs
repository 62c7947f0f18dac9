using System.Linq;
using System.Security;
using System.Security.Permissions;

namespace System.Messaging;

/// <summary>A permission of code access security, which .NET does not have: demanding it always succeeds.</summary>
/// <remarks>On .NET Framework the base class is <c>CodeAccessPermission</c>.</remarks>
[Serializable]
public sealed class MessageQueuePermission : IPermission
{
    private readonly bool _isUnrestricted;

    /// <summary>Creates a permission without entries.</summary>
    public MessageQueuePermission()
    {
    }

    /// <summary>Creates a permission to everything, or to nothing.</summary>
    /// <param name="state">Which.</param>
    public MessageQueuePermission(PermissionState state) => _isUnrestricted = state == PermissionState.Unrestricted;

    /// <summary>Creates a permission to a queue.</summary>
    /// <param name="permissionAccess">The access level.</param>
    /// <param name="path">The path of the queue, or <c>*</c>.</param>
    public MessageQueuePermission(MessageQueuePermissionAccess permissionAccess, string path) =>
        PermissionEntries.Add(new MessageQueuePermissionEntry(permissionAccess, path));

    /// <summary>Creates a permission to the queues that match criteria.</summary>
    /// <param name="permissionAccess">The access level.</param>
    /// <param name="machineName">The machine of the queues.</param>
    /// <param name="label">The label of the queues.</param>
    /// <param name="category">The category of the queues.</param>
    public MessageQueuePermission(MessageQueuePermissionAccess permissionAccess, string? machineName, string? label, string? category) =>
        PermissionEntries.Add(new MessageQueuePermissionEntry(permissionAccess, machineName, label, category));

    /// <summary>Creates a permission with entries.</summary>
    /// <param name="permissionAccessEntries">The entries.</param>
    /// <exception cref="ArgumentNullException"><paramref name="permissionAccessEntries"/> is null.</exception>
    public MessageQueuePermission(MessageQueuePermissionEntry[] permissionAccessEntries) => PermissionEntries.AddRange(permissionAccessEntries);

    /// <summary>Gets the entries.</summary>
    public MessageQueuePermissionEntryCollection PermissionEntries { get; } = new();

    /// <summary>Determines whether the permission is to everything.</summary>
    /// <returns>Whether it is.</returns>
    public bool IsUnrestricted() => _isUnrestricted;

    /// <summary>Copies the permission.</summary>
    /// <returns>A new permission.</returns>
    public IPermission Copy() => Of(_isUnrestricted, [.. PermissionEntries.Cast<MessageQueuePermissionEntry>()]);

    /// <summary>Returns the entries that both permissions have.</summary>
    /// <param name="target">The other permission.</param>
    /// <returns>A new permission; null if they have none in common.</returns>
    /// <exception cref="ArgumentException"><paramref name="target"/> is another kind of permission.</exception>
    public IPermission? Intersect(IPermission? target)
    {
        if (OtherOf(target) is not { } other)
            return null;
        if (IsUnrestricted())
            return other.Copy();
        if (other.IsUnrestricted())
            return Copy();
        MessageQueuePermissionEntry[] both = [.. PermissionEntries.Cast<MessageQueuePermissionEntry>().Where(other.Has)];
        return both.Length == 0 ? null : Of(false, both);
    }

    /// <summary>Determines whether another permission has all entries of this one.</summary>
    /// <param name="target">The other permission.</param>
    /// <returns>Whether it has.</returns>
    /// <exception cref="ArgumentException"><paramref name="target"/> is another kind of permission.</exception>
    public bool IsSubsetOf(IPermission? target) => OtherOf(target) is { } other
        ? other.IsUnrestricted() || (!IsUnrestricted() && PermissionEntries.Cast<MessageQueuePermissionEntry>().All(other.Has))
        : !IsUnrestricted() && PermissionEntries.Count == 0;

    /// <summary>Returns the entries that either permission has.</summary>
    /// <param name="target">The other permission.</param>
    /// <returns>A new permission.</returns>
    /// <exception cref="ArgumentException"><paramref name="target"/> is another kind of permission.</exception>
    public IPermission? Union(IPermission? target) => OtherOf(target) is { } other
        ? Of(_isUnrestricted || other._isUnrestricted, [.. PermissionEntries.Cast<MessageQueuePermissionEntry>(),
            .. other.PermissionEntries.Cast<MessageQueuePermissionEntry>().Where(entry => !Has(entry))])
        : Copy();

    /// <summary>Succeeds: there is no code access security.</summary>
    public void Demand()
    {
    }

    /// <summary>Has no effect: there is no code access security.</summary>
    public void Assert()
    {
    }

    /// <summary>Has no effect: there is no code access security.</summary>
    public void Deny()
    {
    }

    /// <summary>Has no effect: there is no code access security.</summary>
    public void PermitOnly()
    {
    }

    /// <summary>Has no effect: there is no policy to read.</summary>
    /// <param name="securityElement">An element of a policy.</param>
    public void FromXml(SecurityElement securityElement)
    {
    }

    /// <summary>Writes the permission as an element.</summary>
    /// <returns>The element.</returns>
    public SecurityElement ToXml()
    {
        var element = new SecurityElement("IPermission");
        element.AddAttribute("class", GetType().AssemblyQualifiedName!.Replace('"', '\''));
        element.AddAttribute("version", "1");
        if (_isUnrestricted)
            element.AddAttribute("Unrestricted", "true");
        foreach (MessageQueuePermissionEntry entry in PermissionEntries)
        {
            var child = new SecurityElement(entry.Path is null ? "Criteria" : "Path");
            child.AddAttribute("value", entry.Path ?? string.Join(';', entry.MachineName, entry.Label, entry.Category));
            child.AddAttribute("access", entry.PermissionAccess.ToString());
            element.AddChild(child);
        }

        return element;
    }

    private bool Has(MessageQueuePermissionEntry entry) => PermissionEntries.Cast<MessageQueuePermissionEntry>().Any(own =>
        own.Path == entry.Path && own.MachineName == entry.MachineName && own.Label == entry.Label && own.Category == entry.Category
        && (own.PermissionAccess & entry.PermissionAccess) == entry.PermissionAccess);

    private static MessageQueuePermission Of(bool isUnrestricted, MessageQueuePermissionEntry[] entries)
    {
        var permission = new MessageQueuePermission(isUnrestricted ? PermissionState.Unrestricted : PermissionState.None);
        permission.PermissionEntries.AddRange(entries);
        return permission;
    }

    private static MessageQueuePermission? OtherOf(IPermission? target) => target is null or MessageQueuePermission
        ? (MessageQueuePermission?)target
        : throw new ArgumentException("Another kind of permission.", nameof(target));
}

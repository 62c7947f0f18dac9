using System.Security;
using System.Security.Permissions;

namespace System.Messaging;

/// <summary>Demands a <see cref="MessageQueuePermission"/> on .NET Framework. It has no effect here: .NET has no code access security.</summary>
[Serializable]
[AttributeUsage(
    AttributeTargets.Method | AttributeTargets.Constructor | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Assembly
    | AttributeTargets.Event,
    AllowMultiple = true, Inherited = false)]
public class MessageQueuePermissionAttribute : CodeAccessSecurityAttribute
{
    private string? _category;
    private string? _label;
    private string? _machineName;
    private string? _path;

    /// <summary>Creates an attribute.</summary>
    /// <param name="action">The security action.</param>
    public MessageQueuePermissionAttribute(SecurityAction action)
        : base(action)
    {
    }

    /// <summary>Gets or sets the category of the queues.</summary>
    /// <exception cref="InvalidOperationException">The attribute would have neither a path nor criteria, or both.</exception>
    public string? Category
    {
        get => _category;
        set => _category = Checked(value, _path, _machineName ?? _label ?? value);
    }

    /// <summary>Gets or sets the label of the queues.</summary>
    /// <inheritdoc cref="Category" path="/exception"/>
    public string? Label
    {
        get => _label;
        set => _label = Checked(value, _path, _machineName ?? _category ?? value);
    }

    /// <summary>Gets or sets the machine of the queues.</summary>
    /// <exception cref="ArgumentException">The value is not the name of a machine.</exception>
    /// <inheritdoc cref="Category" path="/exception"/>
    public string? MachineName
    {
        get => _machineName;
        set
        {
            if (value is not null)
                QueuePath.CheckMachine(value, nameof(MachineName));
            _machineName = Checked(value, _path, _label ?? _category ?? value);
        }
    }

    /// <summary>Gets or sets the path of the queue, or <c>*</c>.</summary>
    /// <exception cref="ArgumentException">The value is malformed.</exception>
    /// <inheritdoc cref="Category" path="/exception"/>
    public string? Path
    {
        get => _path;
        set
        {
            MessageQueuePermissionEntry.CheckPath(value, nameof(Path));
            _path = Checked(value, value, _machineName ?? _label ?? _category);
        }
    }

    /// <summary>Gets or sets the access level.</summary>
    public MessageQueuePermissionAccess PermissionAccess { get; set; }

    /// <inheritdoc/>
    public override IPermission CreatePermission() => Unrestricted
        ? new MessageQueuePermission(PermissionState.Unrestricted)
        : Path is not null
        ? new MessageQueuePermission(PermissionAccess, Path)
        : new MessageQueuePermission(PermissionAccess, MachineName, Label, Category);

    private static string? Checked(string? value, string? path, string? criterion) => path is null != criterion is null
        ? value
        : throw new InvalidOperationException(
            $"Either {nameof(Path)}, or at least one of {nameof(MachineName)}, {nameof(Label)} and {nameof(Category)}.");
}

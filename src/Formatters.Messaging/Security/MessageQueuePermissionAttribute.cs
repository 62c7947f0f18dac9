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
    /// <summary>Creates an attribute.</summary>
    /// <param name="action">The security action.</param>
    public MessageQueuePermissionAttribute(SecurityAction action)
        : base(action)
    {
    }

    /// <summary>Gets or sets the category of the queues.</summary>
    public string? Category { get; set; }

    /// <summary>Gets or sets the label of the queues.</summary>
    public string? Label { get; set; }

    /// <summary>Gets or sets the machine of the queues.</summary>
    public string? MachineName { get; set; }

    /// <summary>Gets or sets the path of the queue.</summary>
    public string? Path { get; set; }

    /// <summary>Gets or sets the access level.</summary>
    public MessageQueuePermissionAccess PermissionAccess { get; set; }

    /// <inheritdoc/>
    public override IPermission CreatePermission() => Unrestricted
        ? new MessageQueuePermission(PermissionState.Unrestricted)
        : Path is not null
        ? new MessageQueuePermission(PermissionAccess, Path)
        : new MessageQueuePermission(PermissionAccess, MachineName, Label, Category);
}

using System.Collections;
using System.ComponentModel;
using System.Configuration.Install;

namespace System.Messaging;

/// <summary>Creates a queue when a program is installed, and deletes it when the program is uninstalled.</summary>
public class MessageQueueInstaller : ComponentInstaller
{
    private const string CreatedKey = "System.Messaging.Created";

    private string _path = "";

    /// <summary>Creates an installer.</summary>
    public MessageQueueInstaller()
    {
    }

    /// <summary>Creates an installer with the settings of a queue.</summary>
    /// <param name="componentToCopy">The queue.</param>
    public MessageQueueInstaller(MessageQueue componentToCopy) => CopyFromComponent(componentToCopy);

    /// <summary>Gets or sets <see cref="MessageQueue.Authenticate"/>.</summary>
    [DefaultValue(false)]
    public bool Authenticate { get; set; }

    /// <summary>Gets or sets <see cref="MessageQueue.BasePriority"/>.</summary>
    [DefaultValue((short)0)]
    public short BasePriority { get; set; }

    /// <summary>Gets or sets <see cref="MessageQueue.Category"/>.</summary>
    public Guid Category { get; set; }

    /// <summary>Gets or sets <see cref="MessageQueue.EncryptionRequired"/>.</summary>
    [DefaultValue(EncryptionRequired.Optional)]
    public EncryptionRequired EncryptionRequired { get; set; } = EncryptionRequired.Optional;

    /// <summary>Gets or sets <see cref="MessageQueue.Label"/>.</summary>
    [DefaultValue("")]
    public string Label { get; set; } = "";

    /// <summary>Gets or sets <see cref="MessageQueue.MaximumJournalSize"/>.</summary>
    public long MaximumJournalSize { get; set; } = MessageQueue.InfiniteQueueSize;

    /// <summary>Gets or sets <see cref="MessageQueue.MaximumQueueSize"/>.</summary>
    public long MaximumQueueSize { get; set; } = MessageQueue.InfiniteQueueSize;

    /// <summary>Gets or sets <see cref="MessageQueue.MulticastAddress"/>.</summary>
    [DefaultValue("")]
    public string MulticastAddress { get; set; } = "";

    /// <summary>Gets or sets the path of the queue.</summary>
    /// <exception cref="ArgumentException">The value is not a path.</exception>
    [DefaultValue("")]
    public string Path
    {
        get => _path;
        set => _path = value is "" ? "" : QueuePath.ParsePath(value ?? throw new ArgumentNullException(nameof(Path))).Text;
    }

    /// <summary>Gets or sets the permissions of the queue. Lists other than null cannot be installed: see <see
    /// cref="MessageQueue.SetPermissions(AccessControlList)"/>.</summary>
    [Browsable(false)]
    public AccessControlList? Permissions { get; set; }

    /// <summary>Gets or sets whether the queue is transactional.</summary>
    [DefaultValue(false)]
    public bool Transactional { get; set; }

    /// <summary>Gets or sets whether the queue is deleted when the program is uninstalled.</summary>
    [DefaultValue(UninstallAction.Remove)]
    public UninstallAction UninstallAction { get; set; }

    /// <summary>Gets or sets <see cref="MessageQueue.UseJournalQueue"/>.</summary>
    [DefaultValue(false)]
    public bool UseJournalQueue { get; set; }

    /// <summary>Copies the settings of a queue.</summary>
    /// <param name="component">The queue.</param>
    /// <exception cref="ArgumentException"><paramref name="component"/> is not a <see cref="MessageQueue"/>, or has no path.</exception>
    public override void CopyFromComponent(IComponent component)
    {
        if (component is not MessageQueue queue)
            throw new ArgumentException($"Not a {nameof(MessageQueue)}.", nameof(component));
        Path = queue.Path;
        if (Path.Length == 0 || !QueuePath.ParsePath(Path).IsPath || !MessageQueue.Exists(Path))
            return;
        Authenticate = queue.Authenticate;
        BasePriority = queue.BasePriority;
        Category = queue.Category;
        EncryptionRequired = queue.EncryptionRequired;
        Label = queue.Label;
        MaximumJournalSize = queue.MaximumJournalSize;
        MaximumQueueSize = queue.MaximumQueueSize;
        MulticastAddress = queue.MulticastAddress;
        Transactional = queue.Transactional;
        UseJournalQueue = queue.UseJournalQueue;
    }

    /// <summary>Determines whether another installer creates the same queue.</summary>
    /// <param name="otherInstaller">The other installer.</param>
    /// <returns>Whether it does.</returns>
    public override bool IsEquivalentInstaller(ComponentInstaller otherInstaller) =>
        otherInstaller is MessageQueueInstaller other && string.Equals(other.Path, Path, StringComparison.OrdinalIgnoreCase);

    /// <summary>Creates the queue if it does not exist, and sets its properties.</summary>
    /// <param name="stateSaver">Receives whether the queue was created.</param>
    /// <exception cref="ArgumentException">There is no path.</exception>
    /// <exception cref="InvalidOperationException">The queue exists, and <see cref="MessageQueue.Transactional"/> differs. .NET Framework deletes it,
    /// with its messages.</exception>
    /// <exception cref="MessageQueueException">The queue cannot be created.</exception>
    public override void Install(IDictionary stateSaver)
    {
        base.Install(stateSaver);
        if (Path.Length == 0)
            throw new ArgumentException($"{nameof(Path)} is empty.");
        if (Permissions is not null)
            MessageQueue.IgnorePermissions(nameof(Permissions));
        bool exists = MessageQueue.Exists(Path);
        stateSaver[CreatedKey] = !exists;
        using MessageQueue queue = exists ? new MessageQueue(Path) : MessageQueue.Create(Path, Transactional);
        if (queue.Transactional != Transactional)
        {
            throw new InvalidOperationException(
                $"'{Path}' exists, and is {(Transactional ? "not " : "")}transactional. Delete it first, with the messages in it.");
        }

        queue.Authenticate = Authenticate;
        queue.BasePriority = BasePriority;
        queue.Category = Category;
        queue.EncryptionRequired = EncryptionRequired;
        queue.Label = Label;
        queue.MaximumJournalSize = MaximumJournalSize;
        queue.MaximumQueueSize = MaximumQueueSize;
        if (MulticastAddress.Length > 0)
            queue.MulticastAddress = MulticastAddress;
        queue.UseJournalQueue = UseJournalQueue;
    }

    /// <summary>Completes the installation.</summary>
    /// <param name="savedState">What <see cref="Install"/> has saved.</param>
    public override void Commit(IDictionary savedState) => base.Commit(savedState);

    /// <summary>Deletes the queue if <see cref="Install"/> has created it.</summary>
    /// <param name="savedState">What <see cref="Install"/> has saved.</param>
    public override void Rollback(IDictionary savedState)
    {
        base.Rollback(savedState);
        if (savedState[CreatedKey] is true && MessageQueue.Exists(Path))
            MessageQueue.Delete(Path);
    }

    /// <summary>Deletes the queue, unless <see cref="UninstallAction"/> says otherwise.</summary>
    /// <param name="savedState">What <see cref="Install"/> has saved.</param>
    public override void Uninstall(IDictionary? savedState)
    {
        base.Uninstall(savedState);
        if (UninstallAction == UninstallAction.Remove && MessageQueue.Exists(Path))
            MessageQueue.Delete(Path);
    }
}

using System.ComponentModel;
using System.Threading;

namespace System.Messaging;

// The properties that are kept with the queue.
public partial class MessageQueue
{
    /// <summary>Gets or sets whether the queue accepts only messages that MSMQ has signed. It rejects all then: see <see
    /// cref="Formatters.SystemMessaging.MessagingConfiguration.IgnoreMessageSecurity"/>.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public bool Authenticate
    {
        get => Properties().Authenticate;
        set => Change(properties => properties with { Authenticate = value });
    }

    /// <summary>Gets or sets the priority of a public queue among others. It is kept, and not used.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public short BasePriority
    {
        get => Properties().BasePriority;
        set => Change(properties => properties with { BasePriority = value });
    }

    /// <summary>Gets or sets the category.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public Guid Category
    {
        get => Properties().Category;
        set => Change(properties => properties with { Category = value });
    }

    /// <summary>Gets when the queue was created, in local time.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist.</exception>
    public DateTime CreateTime => Properties().CreateTime.ToLocalTime();

    /// <summary>Gets or sets whether the queue accepts messages that MSMQ has not encrypted. With <see cref="EncryptionRequired.Body"/> it rejects
    /// all: see <see cref="Formatters.SystemMessaging.MessagingConfiguration.IgnoreMessageSecurity"/>.</summary>
    /// <exception cref="InvalidEnumArgumentException">The value is not defined.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public EncryptionRequired EncryptionRequired
    {
        get => Properties().EncryptionRequired;
        set
        {
            Checks.Defined(value, nameof(EncryptionRequired));
            Change(properties => properties with { EncryptionRequired = value });
        }
    }

    /// <summary>Gets the id of the queue.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist.</exception>
    public Guid Id => Properties().Id;

    /// <summary>Gets or sets the description of the queue, of at most 124 characters.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist or was not created by this API, or the value is longer.</exception>
    public string Label
    {
        get => Properties().Label;
        set
        {
            ArgumentNullException.ThrowIfNull(value, nameof(Label));
            if (value.Length > 124)
            {
                throw new MessageQueueException(
                    MessageQueueErrorCode.IllegalPropertyValue, $"The label has {value.Length} characters; the most is 124.");
            }

            Change(properties => properties with { Label = value });
        }
    }

    /// <summary>Gets when the properties of the queue were changed, in local time.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist.</exception>
    public DateTime LastModifyTime => Properties().LastModifyTime.ToLocalTime();

    /// <summary>Gets or sets the quota of the journal, in KB. It is kept, and not used: journals are not limited.</summary>
    /// <exception cref="ArgumentException">The value is negative, or more than <see cref="InfiniteQueueSize"/>.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public long MaximumJournalSize
    {
        get => Properties().MaximumJournalSize;
        set
        {
            CheckSize(value, nameof(MaximumJournalSize));
            Change(properties => properties with { MaximumJournalSize = value });
        }
    }

    /// <summary>Gets or sets the quota of the queue, in KB: the size of the bodies in it. A send beyond it fails with <see
    /// cref="MessageQueueErrorCode.InsufficientResources"/>. RabbitMQ has none.</summary>
    /// <exception cref="ArgumentException">The value is negative, or more than <see cref="InfiniteQueueSize"/>.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public long MaximumQueueSize
    {
        get => Properties().MaximumQueueSize;
        set
        {
            CheckSize(value, nameof(MaximumQueueSize));
            Change(properties => properties with { MaximumQueueSize = value });
        }
    }

    /// <summary>Gets or sets the multicast address: a message to <c>FormatName:MULTICAST=address</c> goes to all queues of this machine that have
    /// it.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist or was not created by this API, it is transactional, or the value is not an
    /// address.</exception>
    [DefaultValue("")]
    public string MulticastAddress
    {
        get => Properties().MulticastAddress;
        set
        {
            ArgumentNullException.ThrowIfNull(value, nameof(MulticastAddress));
            if (value.Length > 0 && !Messaging.QueuePath.IsMulticast(value))
            {
                throw new MessageQueueException(
                    MessageQueueErrorCode.IllegalPropertyValue, $"'{value}' is not a multicast address, such as 234.1.1.1:8001.");
            }

            Change(properties => properties.Transactional == true && value.Length > 0
                ? throw new MessageQueueException(
                    MessageQueueErrorCode.IllegalPropertyValue, $"'{Path}' is transactional: it cannot have a multicast address.")
                : properties with { MulticastAddress = value });
        }
    }

    /// <summary>Gets whether messages are sent to the queue only in transactions.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist.</exception>
    public bool Transactional => Properties().Transactional == true;

    /// <summary>Gets or sets whether received messages are copied to the journal of the queue.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist, or was not created by this API.</exception>
    public bool UseJournalQueue
    {
        get => Properties().UseJournalQueue;
        set => Change(properties => properties with { UseJournalQueue = value });
    }

    /// <summary>Sets the permissions of the queue on Windows; here it has no effect, if that is allowed.</summary>
    /// <exception cref="PlatformNotSupportedException">The setting <c>IgnoreAccessControl</c> is not set.</exception>
    public void ResetPermissions() => IgnorePermissions(nameof(ResetPermissions));

    /// <summary>Sets permissions of the queue on Windows; here it has no effect, if that is allowed.</summary>
    /// <param name="dacl">The permissions.</param>
    /// <exception cref="ArgumentNullException"><paramref name="dacl"/> is null.</exception>
    /// <exception cref="PlatformNotSupportedException">The setting <c>IgnoreAccessControl</c> is not set.</exception>
    public void SetPermissions(AccessControlList dacl)
    {
        ArgumentNullException.ThrowIfNull(dacl);
        IgnorePermissions(nameof(SetPermissions));
    }

    /// <summary>Sets permissions of the queue on Windows; here it has no effect, if that is allowed.</summary>
    /// <param name="ace">The permissions.</param>
    /// <exception cref="ArgumentNullException"><paramref name="ace"/> is null.</exception>
    /// <exception cref="PlatformNotSupportedException">The setting <c>IgnoreAccessControl</c> is not set.</exception>
    public void SetPermissions(MessageQueueAccessControlEntry ace)
    {
        ArgumentNullException.ThrowIfNull(ace);
        IgnorePermissions(nameof(SetPermissions));
    }

    /// <summary>Sets permissions of the queue on Windows; here it has no effect, if that is allowed.</summary>
    /// <param name="user">The user or group.</param>
    /// <param name="rights">The rights.</param>
    /// <exception cref="ArgumentNullException"><paramref name="user"/> is null.</exception>
    /// <exception cref="PlatformNotSupportedException">The setting <c>IgnoreAccessControl</c> is not set.</exception>
    public void SetPermissions(string user, MessageQueueAccessRights rights)
    {
        ArgumentNullException.ThrowIfNull(user);
        IgnorePermissions(nameof(SetPermissions));
    }

    /// <summary>Sets permissions of the queue on Windows; here it has no effect, if that is allowed.</summary>
    /// <param name="user">The user or group.</param>
    /// <param name="rights">The rights.</param>
    /// <param name="entryType">What is done with the rights.</param>
    /// <exception cref="ArgumentNullException"><paramref name="user"/> is null.</exception>
    /// <exception cref="PlatformNotSupportedException">The setting <c>IgnoreAccessControl</c> is not set.</exception>
    public void SetPermissions(string user, MessageQueueAccessRights rights, AccessControlEntryType entryType) => SetPermissions(user, rights);

    internal static void IgnorePermissions(string member)
    {
        if (!QueueSystem.Current.Configuration.IgnoreAccessControl)
            throw NotHere.AccessControl(member);
    }

    private QueueProperties Properties()
    {
        QueueTarget target = QueueSystem.Current.Resolve(QueuePath);
        return Run(token => QueueOperations.RequireAsync(target, token));
    }

    private void Change(Func<QueueProperties, QueueProperties> change)
    {
        QueueTarget target = QueueSystem.Current.Resolve(QueuePath);
        QueueProperties properties = Run(token => QueueOperations.RequireAsync(target, token));
        if (target.Path.IsSystem)
            throw new MessageQueueException(MessageQueueErrorCode.AccessDenied, $"'{Path}' is a queue of the system: its properties are fixed.");
        if (properties.CreateTime == default)
            properties = properties with { Path = PathInStore(target.Path, target.Name), CreateTime = DateTime.UtcNow };
        target.Place.Store.Save(target.PropertiesName, change(properties) with { LastModifyTime = DateTime.UtcNow });
    }

    internal static string PathInStore(QueuePath path, string name) => path.Kind == QueuePathKind.Name
        ? (path.IsPrivate ? @"private$\" : "") + path.Name
        : @"private$\" + name;

    private static void CheckSize(long size, string name)
    {
        if (size < 0 || size > InfiniteQueueSize)
            throw new ArgumentException($"The size is {size}: from 0 to {nameof(InfiniteQueueSize)}, in KB.", name);
    }
}

using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

// Creating, deleting and finding queues.
public partial class MessageQueue
{
    /// <summary>Creates a queue that is not transactional.</summary>
    /// <param name="path">The path.</param>
    /// <returns>The queue.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="path"/> is malformed, or is a format name.</exception>
    /// <exception cref="MessageQueueException">The queue exists (<see cref="MessageQueueErrorCode.QueueExists"/>), or cannot be created.</exception>
    public static MessageQueue Create(string path) => Create(path, transactional: false);

    /// <summary>Creates a queue.</summary>
    /// <param name="path">The path.</param>
    /// <param name="transactional">Whether messages are sent to it only in transactions.</param>
    /// <inheritdoc cref="Create(string)" path="/returns"/>
    /// <inheritdoc cref="Create(string)" path="/exception"/>
    public static MessageQueue Create(string path, bool transactional)
    {
        QueueTarget target = Named(path);
        if (target.Path.IsSystem || target.Path.Part != QueuePart.Messages || target.Path.SubQueue is not null)
            throw new MessageQueueException(MessageQueueErrorCode.IllegalQueuePathName, $"'{path}' is a queue of the system, which exists already.");
        Errors.Run(async () =>
        {
            QueuePlace place = target.Place;
            // Another machine may have deleted it.
            if (place.Store.Find(target.Name) is not null
                && await place.ExistsAsync(target.Name, CancellationToken.None).ConfigureAwait(false) != false)
                throw new MessageQueueException(MessageQueueErrorCode.QueueExists, $"The queue '{path}' exists already.");
            await place.CloseAsync(target.Name).ConfigureAwait(false);
            await place.OpenAsync(target with { IsImplicit = true }, QueueOperations.OptionsOf(new QueueProperties(), target),
                CancellationToken.None).ConfigureAwait(false);
            DateTime now = DateTime.UtcNow;
            place.Store.Save(target.Name, new QueueProperties
            {
                Path = PathInStore(target.Path, target.Name),
                Transactional = transactional,
                CreateTime = now,
                LastModifyTime = now,
            });
        });
        return new MessageQueue(path);
    }

    /// <summary>Deletes a queue and its messages. Those with <see cref="Message.UseDeadLetterQueue"/> go to the dead-letter queue of the
    /// location.</summary>
    /// <param name="path">The path.</param>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="path"/> is malformed.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist, or cannot be deleted.</exception>
    public static void Delete(string path)
    {
        QueueTarget target = QueueSystem.Current.Resolve(QueuePath.ParsePath(path));
        if (target.Path.IsSystem || target.Path.Part != QueuePart.Messages)
            throw new MessageQueueException(MessageQueueErrorCode.AccessDenied, $"'{path}' is a queue of the system.");
        Errors.Run(async () =>
        {
            QueueProperties? properties = target.Place.Store.Find(target.Name);
            // The properties first: what waits for a message ends.
            target.Place.Store.Remove(target.Name);
            try
            {
                await QueueOperations.CopyDeletedAsync(
                    QueueSystem.Current, target, properties ?? new QueueProperties(), CancellationToken.None).ConfigureAwait(false);
                await DeleteAsync(target).ConfigureAwait(false);
            }
            catch (Exception e) when (properties is not null
                && e is not MessageQueueException { MessageQueueErrorCode: MessageQueueErrorCode.QueueNotFound })
            {
                target.Place.Store.Save(target.Name, properties);
                throw;
            }
        });
    }

    private static async Task DeleteAsync(QueueTarget target)
    {
        QueuePlace place = target.Place;
        await place.CloseAsync(target.Name).ConfigureAwait(false);
        if (await place.Connector.DeleteAsync(target.Place.AddressTextOf(target.Name), CancellationToken.None).ConfigureAwait(false) == 0)
            throw Errors.NotFound(target);
        await place.CloseAsync(target.Name + ".journal$").ConfigureAwait(false);
        await place.Connector.DeleteAsync(target.Place.AddressTextOf(target.Name + ".journal$"), CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Determines whether a queue exists.</summary>
    /// <param name="path">The path.</param>
    /// <returns>Whether it does. A queue in the settings does.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="path"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="path"/> is malformed.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="path"/> is a format name.</exception>
    /// <exception cref="MessageQueueException">The location of the queue is not known, or cannot be reached.</exception>
    public static bool Exists(string path)
    {
        QueuePath parsed = QueuePath.ParsePath(path);
        if (path.Trim().StartsWith(QueuePath.FormatNamePrefix, StringComparison.OrdinalIgnoreCase))
            throw new InvalidOperationException($"Whether the queue of a format name exists cannot be determined: '{path}'.");
        if (parsed.Kind == QueuePathKind.Label)
            return QueueSystem.Current.HasLabel(parsed);
        QueueTarget target;
        try
        {
            target = QueueSystem.Current.Resolve(parsed);
        }
        catch (MessageQueueException e) when (e.MessageQueueErrorCode == MessageQueueErrorCode.QueueNotFound)
        {
            return false;
        }

        return !target.MustExist || Errors.Run(() => QueueOperations.ExistsAsync(target, CancellationToken.None));
    }

    /// <summary>Returns an id of a machine.</summary>
    /// <param name="machineName">The machine.</param>
    /// <returns>An id that follows from the name. It is not the one that MSMQ has given to the machine.</returns>
    /// <exception cref="ArgumentException"><paramref name="machineName"/> is not the name of a machine.</exception>
    public static Guid GetMachineId(string machineName)
    {
        string name = QueuePath.CheckMachine(machineName, nameof(machineName));
        if (QueuePath.IsLocal(name))
            name = Environment.MachineName;
        return new Guid(SHA256.HashData(Encoding.UTF8.GetBytes(name.ToUpperInvariant())).AsSpan(0, 16));
    }

    /// <summary>Creates the certificate and the user with which messages are signed on Windows.</summary>
    /// <returns>Never.</returns>
    /// <exception cref="PlatformNotSupportedException">Always.</exception>
    public static SecurityContext GetSecurityContext() => throw NotHere.Security(nameof(GetSecurityContext));

    /// <summary>Enumerates the public queues of this machine's location.</summary>
    /// <returns>The enumerator.</returns>
    public static MessageQueueEnumerator GetMessageQueueEnumerator() => new(null);

    /// <summary>Enumerates public queues.</summary>
    /// <param name="criteria">Which.</param>
    /// <returns>The enumerator.</returns>
    public static MessageQueueEnumerator GetMessageQueueEnumerator(MessageQueueCriteria criteria) => new(criteria);

    /// <summary>Lists the private queues of a machine.</summary>
    /// <param name="machineName">The machine; a period is this one.</param>
    /// <returns>The queues that were created by this API; on locations that list their queues (not RabbitMQ), also those that other programs have
    /// created.</returns>
    /// <exception cref="ArgumentException"><paramref name="machineName"/> is not the name of a machine.</exception>
    /// <exception cref="MessageQueueException">The machine is not known, or its location cannot be reached.</exception>
    public static MessageQueue[] GetPrivateQueuesByMachine(string machineName)
    {
        string machine = QueuePath.CheckMachine(machineName, nameof(machineName)).ToLowerInvariant();
        QueuePlace place = QueueSystem.Current.PlaceOf(machine);
        Dictionary<string, QueueProperties> known = place.Store.List().ToDictionary(static queue => queue.Name, static queue => queue.Properties);
        IEnumerable<string> names = Errors.Run(() => QueueOperations.ListAsync(place, CancellationToken.None)) ?? [];
        return
        [
            .. names.Union(known.Keys).Order(StringComparer.Ordinal)
                .Where(name => !IsOfSystem(name) && (!known.TryGetValue(name, out QueueProperties? properties)
                    || QueueSystem.PathOf(properties).IsPrivate))
                .Select(name => new MessageQueue(
                    $@"{machine}\{(known.TryGetValue(name, out QueueProperties? own) ? own.Path : @"private$\" + name)}")),
        ];

        static bool IsOfSystem(string name) => name.EndsWith('$') || name.StartsWith("public$.", StringComparison.Ordinal)
            || name.StartsWith(QueueSystem.OutgoingPrefix, StringComparison.Ordinal);
    }

    /// <summary>Lists the public queues of this machine's location. There is no directory service.</summary>
    /// <returns>The queues.</returns>
    public static MessageQueue[] GetPublicQueues() => FindPublicQueues(null);

    /// <summary>Lists public queues.</summary>
    /// <param name="criteria">Which.</param>
    /// <returns>The queues.</returns>
    /// <exception cref="MessageQueueException">The machine is not known.</exception>
    public static MessageQueue[] GetPublicQueues(MessageQueueCriteria criteria) => FindPublicQueues(criteria);

    /// <summary>Lists the public queues of a category.</summary>
    /// <param name="category">The category.</param>
    /// <returns>The queues.</returns>
    public static MessageQueue[] GetPublicQueuesByCategory(Guid category) => FindPublicQueues(new MessageQueueCriteria { Category = category });

    /// <summary>Lists the public queues with a label.</summary>
    /// <param name="label">The label.</param>
    /// <returns>The queues.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="label"/> is null.</exception>
    public static MessageQueue[] GetPublicQueuesByLabel(string label) => FindPublicQueues(new MessageQueueCriteria { Label = label });

    /// <summary>Lists the public queues of a machine.</summary>
    /// <param name="machineName">The machine.</param>
    /// <returns>The queues that were created by this API.</returns>
    /// <exception cref="ArgumentException"><paramref name="machineName"/> is not the name of a machine.</exception>
    /// <exception cref="MessageQueueException">The machine is not known.</exception>
    public static MessageQueue[] GetPublicQueuesByMachine(string machineName) =>
        FindPublicQueues(new MessageQueueCriteria { MachineName = machineName });

    internal static MessageQueue[] FindPublicQueues(MessageQueueCriteria? criteria)
    {
        string machine = criteria?.MachineNameOrNull?.ToLowerInvariant() ?? ".";
        return
        [
            .. QueueSystem.Current.PlaceOf(machine).Store.List()
                .Where(queue => !QueueSystem.PathOf(queue.Properties).IsPrivate && criteria?.Match(queue.Properties) != false)
                .Select(queue => new MessageQueue(
                    $@"{(machine == "." ? Environment.MachineName.ToLowerInvariant() : machine)}\{queue.Properties.Path}")),
        ];
    }

    private static QueueTarget Named(string path)
    {
        QueuePath parsed = QueuePath.ParsePath(path);
        return parsed.IsPath || parsed.Kind == QueuePathKind.Address
            ? QueueSystem.Current.Resolve(parsed)
            : throw new ArgumentException($"A queue is created by its path, not by a format name or label: '{path}'.", nameof(path));
    }
}

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Channels;
using System.Threading.Tasks;
using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Encoding;
using Microsoft.Azure.Amqp.Framing;
using Microsoft.Azure.Amqp.Sasl;
using Microsoft.Azure.Amqp.Transaction;
using Microsoft.Azure.Amqp.Transport;

namespace Formatters.ServiceBusPeer;

/// <summary>The broker: connections, links, and the entities in memory. One thread changes all of them.</summary>
internal sealed partial class PeerBroker : IRuntimeProvider
{
    internal const string KeyName = "RootManageSharedAccessKey";

    private const ulong MaxMessageByteCount = 16 << 20;
    private const string Management = "/$management";
    private const string Subscriptions = "/Subscriptions/";
    private const string SessionFilter = "com.microsoft:session-filter";
    private const uint BatchFormat = 0x80013700;

    private readonly Channel<Action> _work = Channel.CreateUnbounded<Action>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Dictionary<string, PeerEntity> _entities = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, PeerTopic> _topics = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<(AmqpConnection Connection, string ReplyTo), SendingAmqpLink> _replyLinks = [];
    private readonly Dictionary<AmqpLink, string> _links = [];
    private readonly Dictionary<int, List<PeerOperation>> _transactions = [];
    private readonly PeerFaults _faults = new();
    private readonly string _key;
    private AmqpSettings? _settings;
    private AmqpTransportListener? _listener;
    private int _lastTransaction;

    internal PeerBroker(string key) => _key = key;

    internal PeerFaults Faults => _faults;

    internal Dictionary<string, PeerTopic> Topics => _topics;

    internal Dictionary<string, PeerEntity> Entities => _entities;

    internal void Start(int port)
    {
        _settings = new AmqpSettings { RuntimeProvider = this };
        var sasl = new SaslTransportProvider { Versions = { new AmqpVersion(1, 0, 0) } };
        sasl.AddHandler(new SaslAnonymousHandler("MSSBCBS"));
        _settings.TransportProviders.Add(sasl);
        _settings.TransportProviders.Add(new AmqpTransportProvider { Versions = { new AmqpVersion(1, 0, 0) } });
        _listener = new AmqpTransportListener([new TcpTransportSettings { Host = IPAddress.Loopback.ToString(), Port = port }.CreateListener()], _settings);
        _listener.Listen(OnAccept);
        _ = Task.Factory.StartNew(WorkAsync, TaskCreationOptions.LongRunning);
        _ = TickAsync();
    }

    /// <summary>Runs something on the broker's thread.</summary>
    internal void Post(Action action) => _work.Writer.TryWrite(action);

    /// <summary>Runs something on the broker's thread, and waits for it.</summary>
    internal Task<T> RunAsync<T>(Func<T> function)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(() =>
        {
            try
            {
                done.SetResult(function());
            }
            catch (Exception e)
            {
                done.SetException(e);
            }
        });
        return done.Task;
    }

    /// <summary>Finds what is sent to by a name: a queue.</summary>
    internal PeerEntity? FindQueue(string path) => _entities.GetValueOrDefault(path);

    /// <summary>Ends the links of an entity that is deleted.</summary>
    internal void Disconnect(string path)
    {
        foreach ((AmqpLink link, string entity) in _links.ToArray())
        {
            if (entity.Equals(path, StringComparison.OrdinalIgnoreCase) || entity.StartsWith(path + "/", StringComparison.OrdinalIgnoreCase))
                link.SafeClose(new AmqpException(AmqpErrorCode.NotFound, $"The messaging entity '{entity}' could not be found."));
        }
    }

    /// <summary>Ends all connections, as a network does that fails.</summary>
    internal void DropConnections()
    {
        foreach (AmqpConnection connection in _links.Keys.Select(link => link.Session.Connection).Distinct().ToArray())
            connection.Abort();
    }

    AmqpConnection IConnectionFactory.CreateConnection(TransportBase transport, ProtocolHeader protocolHeader, bool isInitiator, AmqpSettings settings, AmqpConnectionSettings connectionSettings) =>
        new(transport, protocolHeader, false, settings, connectionSettings);

    AmqpSession ISessionFactory.CreateSession(AmqpConnection connection, AmqpSessionSettings settings) => throw new InvalidOperationException();

    AmqpLink ILinkFactory.CreateLink(AmqpSession session, AmqpLinkSettings settings)
    {
        if (settings.Role == true)
        {
            settings.TotalLinkCredit = 1000;
            settings.AutoSendFlow = true;
            settings.MaxMessageSize = MaxMessageByteCount;
            return new ReceivingAmqpLink(session, settings);
        }

        return new SendingAmqpLink(session, settings);
    }

    IAsyncResult ILinkFactory.BeginOpenLink(AmqpLink link, TimeSpan timeout, AsyncCallback callback, object state)
    {
        Task opening = RunAsync(() => Open(link)).Unwrap();
        var result = new TaskCompletionSource<bool>(state);
        opening.ContinueWith(
            task =>
            {
                if (task.Exception is { InnerException: { } error })
                    result.SetException(error);
                else
                    result.SetResult(true);
                callback?.Invoke(result.Task);
            },
            TaskScheduler.Default);
        return result.Task;
    }

    void ILinkFactory.EndOpenLink(IAsyncResult result) => ((Task<bool>)result).GetAwaiter().GetResult();

    private void OnAccept(TransportListener listener, TransportAsyncCallbackArgs args)
    {
        var connectionSettings = new AmqpConnectionSettings { ContainerId = "formatters-service-bus-peer", MaxFrameSize = 64 * 1024, IdleTimeOut = 240_000 };
        var connection = new AmqpConnection(args.Transport, (ProtocolHeader)args.UserToken, false, _settings, connectionSettings);
        try
        {
            connection.BeginOpen(TimeSpan.FromSeconds(60), OnOpened, connection);
        }
        catch (Exception e)
        {
            connection.SafeClose(e);
        }

        void OnOpened(IAsyncResult result)
        {
            try
            {
                connection.EndOpen(result);
                connection.AmqpSettings.RuntimeProvider = this;
            }
            catch (Exception e)
            {
                connection.SafeClose(e);
            }
        }
    }

    private async Task WorkAsync()
    {
        await foreach (Action action in _work.Reader.ReadAllAsync())
        {
            try
            {
                action();
            }
            catch (Exception e)
            {
                await Console.Error.WriteLineAsync(e.ToString());
            }
        }
    }

    private async Task TickAsync()
    {
        while (true)
        {
            await Task.Delay(10);
            await RunAsync(() =>
            {
                foreach (PeerEntity entity in _entities.Values.ToArray())
                    entity.Tick();
                return true;
            });
        }
    }

    /// <summary>Opens a link.</summary>
    /// <returns>Completes when it is open: that of a session, when that is free.</returns>
    private Task Open(AmqpLink link)
    {
        if (link.Settings.Target is Coordinator)
        {
            var coordinator = (ReceivingAmqpLink)link;
            coordinator.RegisterMessageListener(message => Post(() => Coordinate(coordinator, message)));
            return Task.CompletedTask;
        }

        string address = (link.IsReceiver ? ((Target)link.Settings.Target).Address : ((Source)link.Settings.Source).Address).ToString()!;
        // A sender in a transaction over several entities goes through the first of them.
        if (link.IsReceiver && link.Settings.Properties is { } properties && properties.TryGetValue("com.microsoft:transfer-destination-address", out string? destination)
            && destination is not null)
            address = destination;
        if (Uri.TryCreate(address, UriKind.Absolute, out Uri? uri))
            address = Uri.UnescapeDataString(uri.AbsolutePath);
        address = address.TrimStart('/');
        _links.Add(link, address);
        link.Closed += (_, _) => Post(() => _links.Remove(link));
        if (address == "$cbs" || address.EndsWith(Management, StringComparison.OrdinalIgnoreCase))
        {
            string entity = address == "$cbs" ? "" : address[..^Management.Length];
            if (entity.Length > 0 && Find(entity) is null && !_topics.ContainsKey(entity))
                throw NotFound(entity);
            if (link is ReceivingAmqpLink requests)
            {
                requests.RegisterMessageListener(message => Post(() => Respond(requests, entity, message)));
            }
            else
            {
                (AmqpConnection, string) key = (link.Session.Connection, ((Target)link.Settings.Target).Address.ToString()!);
                _replyLinks[key] = (SendingAmqpLink)link;
                link.Closed += (_, _) => Post(() => _replyLinks.Remove(key));
            }
        }
        else if (link is ReceivingAmqpLink sender)
        {
            if (!_topics.ContainsKey(address) && (Find(address) is not { DeadLettersOf: null } || address.Contains(Subscriptions, StringComparison.OrdinalIgnoreCase)))
                throw NotFound(address);
            sender.RegisterMessageListener(message => Post(() => Accept(sender, address, message)));
        }
        else
        {
            PeerEntity entity = Find(address) ?? throw NotFound(address);
            FilterSet? filters = ((Source)link.Settings.Source).FilterSet;
            if (filters?.Any(filter => filter.Key.Key.ToString() == SessionFilter) == true)
                return OpenSession(entity, (SendingAmqpLink)link, filters);
            if (entity.RequiresSession)
                throw new AmqpException(AmqpErrorCode.NotAllowed, "It is not possible for an entity that requires sessions to create a non-sessionful message receiver.");
            var consumer = new PeerConsumer(entity, (SendingAmqpLink)link);
            Consume(consumer);
            link.Closed += (_, _) => Post(() => entity.RemoveConsumer(consumer));
        }

        return Task.CompletedTask;
    }

    /// <summary>Opens the link of a receiver of a session.</summary>
    private Task OpenSession(PeerEntity entity, SendingAmqpLink link, FilterSet filters)
    {
        if (!entity.RequiresSession)
            throw new AmqpException(AmqpErrorCode.NotAllowed, "A sessionful message receiver cannot be created on an entity that does not require sessions. Ensure RequiresSession is set to true when creating a Queue or Subscription to enable sessionful behavior.");
        var opened = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        PeerSession? session = null;
        uint milliseconds = 60_000;
        link.Settings.Properties?.TryGetValue("com.microsoft:timeout", out milliseconds);
        var acceptance = new PeerAcceptance(filters[SessionFilter] as string, DateTime.UtcNow.AddMilliseconds(milliseconds), Succeed, opened.SetException);
        link.Closed += (_, _) =>
        {
            // The lock of a session whose connection was lost ends by itself.
            bool isLost = link.Session.Connection.State != AmqpObjectState.Opened;
            Post(() =>
            {
                entity.Withdraw(acceptance);
                opened.TrySetCanceled();
                if (session is null)
                    return;
                session.Consumer = null;
                if (!isLost)
                    entity.Release(session, counts: false);
            });
        };
        entity.Accept(acceptance);
        return opened.Task;

        void Succeed(PeerSession accepted)
        {
            session = accepted;
            filters[SessionFilter] = session.Id;
            link.Settings.AddProperty("com.microsoft:locked-until-utc", session.LockedUntil.Ticks);
            session.Consumer = new PeerConsumer(entity, link) { Session = session };
            Consume(session.Consumer);
            opened.SetResult();
        }
    }

    private void Consume(PeerConsumer consumer)
    {
        if (consumer.Session is null)
            consumer.Entity.AddConsumer(consumer);
        consumer.Link.RegisterCreditListener((credit, drain, _) =>
        {
            Task<bool> added = RunAsync(() => AddCredit(consumer, credit, drain));
            // The link answers a drain when this returns, and has no credit from then on: what is sent later would be locked, and never leave.
            if (drain)
                added.Wait();
        });
        consumer.Link.RegisterDispositionListener(delivery =>
        {
            // The delivery is disposed of when this returns.
            (DeliveryState state, Guid token) = (delivery.State, new Guid(delivery.DeliveryTag.AsSpan()));
            ArraySegment<byte> tag = new([.. delivery.DeliveryTag]);
            bool isSettled = delivery.Settled;
            Post(() => Settle(consumer, delivery, tag, token, state, isSettled));
        });
    }

    private static AmqpException NotFound(string entity) => new(AmqpErrorCode.NotFound, $"The messaging entity '{entity}' could not be found.");

    /// <summary>Finds a queue, a subscription, or the dead-letter queue of one.</summary>
    private PeerEntity? Find(string path) => path.EndsWith(PeerEntity.DeadLetterSuffix, StringComparison.OrdinalIgnoreCase)
        ? _entities.GetValueOrDefault(path[..^PeerEntity.DeadLetterSuffix.Length])?.DeadLetters
        : _entities.GetValueOrDefault(path);

    /// <summary>Determines whether there is a queue or topic to send to.</summary>
    private bool Exists(string address) => _topics.ContainsKey(address) || Find(address) is not null;

    private static bool AddCredit(PeerConsumer consumer, uint credit, bool drain)
    {
        consumer.Credit += credit;
        consumer.Entity.Deliver();
        if (drain)
            consumer.Credit = 0;
        return true;
    }

    private void Accept(ReceivingAmqpLink link, string address, AmqpMessage message)
    {
        if (_faults.IsBusy(address))
        {
            link.DisposeDelivery(message, true, Rejection("com.microsoft:server-busy", "The server is busy. Please wait 10 seconds and try again."));
            return;
        }

        if (_faults.TakeLoss(address))
        {
            link.Session.Connection.Abort();
            return;
        }

        // The message and the end of the link of a deleted entity may cross.
        if (!Exists(address))
        {
            link.DisposeDelivery(message, true, new Rejected { Error = NotFound(address).Error });
            return;
        }

        List<PeerMessage> messages;
        try
        {
            messages = Unpack(message);
        }
        catch (AmqpException e)
        {
            link.DisposeDelivery(message, true, new Rejected { Error = e.Error });
            return;
        }

        if (Find(address) is { RequiresSession: true } && messages.Exists(static one => one.SessionId is null))
        {
            link.DisposeDelivery(message, true, Rejection("amqp:not-allowed", "The SessionId was not set on a message, and it cannot be sent to the entity. Entities that have session support enabled can only receive messages that have the SessionId set to a valid value."));
            return;
        }

        DeliveryState outcome = new Accepted();
        if (message.TxnId.Array is not null)
        {
            if (!_transactions.TryGetValue(NumberOf(message.TxnId), out List<PeerOperation>? operations))
            {
                link.DisposeDelivery(message, true, Rejection("amqp:transaction:unknown-id", "There is no such transaction."));
                return;
            }

            operations.Add(new PeerOperation(() => Exists(address), () => Enqueue(address, messages)));
            outcome = new TransactionalState { TxnId = message.TxnId, Outcome = new Accepted() };
        }
        else
        {
            Enqueue(address, messages);
        }

        if (_faults.TakeSilence(address))
            link.Session.Connection.Abort();
        else
            link.DisposeDelivery(message, true, outcome);
    }

    private static List<PeerMessage> Unpack(AmqpMessage message)
    {
        DateTime now = DateTime.UtcNow;
        if (message.MessageFormat != BatchFormat)
            return [new PeerMessage(message, now)];
        var messages = new List<PeerMessage>();
        foreach (Data data in message.DataBody)
            messages.Add(Decode((ArraySegment<byte>)data.Value, now));
        return messages;
    }

    private static PeerMessage Decode(ArraySegment<byte> bytes, DateTime now)
    {
        using AmqpMessage inner = AmqpMessage.CreateAmqpStreamMessage(new BufferListStream([bytes]));
        return new PeerMessage(inner, now);
    }

    private void Enqueue(string address, List<PeerMessage> messages)
    {
        foreach (PeerMessage message in messages)
        {
            if (_topics.TryGetValue(address, out PeerTopic? topic))
            {
                foreach (PeerSubscription subscription in topic.Subscriptions.Values)
                {
                    if (subscription.Matches(message))
                    {
                        PeerMessage copy = message.Copy(message.EnqueuedTime);
                        copy.State = message.State;
                        subscription.Entity.Add(copy);
                    }
                }
            }
            else if (Find(address) is { } queue && !queue.IsDuplicate(message))
            {
                queue.Add(message);
            }
        }
    }

    private void Settle(PeerConsumer consumer, Delivery delivery, ArraySegment<byte> tag, Guid token, DeliveryState state, bool isSettled)
    {
        if (state is TransactionalState transactional)
        {
            DeliveryState answer = state;
            if (_faults.HasLostLocks(consumer.Entity.Path) || consumer.Entity.FindLocked(token) is null)
                answer = LockLost();
            else if (!_transactions.TryGetValue(NumberOf(transactional.TxnId), out List<PeerOperation>? operations))
                answer = Rejection("amqp:transaction:unknown-id", "There is no such transaction.");
            else
                operations.Add(new PeerOperation(() => consumer.Entity.FindLocked(token) is not null, () => Apply(consumer.Entity, token, transactional.Outcome)));
            consumer.Link.DisposeDelivery(tag, false, answer, false);
            return;
        }

        // The condition of a rejection is its reader's own, and no error of the broker.
        DeliveryState outcome = state is Rejected ? new Rejected() : state;
        if (_faults.HasLostLocks(consumer.Entity.Path) || !Apply(consumer.Entity, token, state))
            outcome = LockLost();
        if (isSettled || state is Released)
            return;
        if (!consumer.Link.DisposeDelivery(tag, true, outcome, false))
            consumer.Link.DisposeDelivery(delivery, true, outcome);
    }

    private static bool Apply(PeerEntity entity, Guid token, DeliveryState state)
    {
        if (entity.FindLocked(token) is not { } message)
            return false;
        switch (state)
        {
            case Accepted:
                entity.Remove(message);
                break;
            case Released:
                entity.Unlock(message, counts: false);
                break;
            case Modified { UndeliverableHere: true }:
                entity.Defer(message);
                break;
            case Modified:
                entity.Unlock(message);
                break;
            case Rejected rejected:
                string? reason = null, description = null;
                rejected.Error?.Info?.TryGetValue("DeadLetterReason", out reason);
                rejected.Error?.Info?.TryGetValue("DeadLetterErrorDescription", out description);
                entity.DeadLetter(message, reason, description);
                break;
            default:
                return false;
        }

        return true;
    }

    private static Rejected LockLost() => Rejection("com.microsoft:message-lock-lost", "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue.");

    private static Rejected Rejection(string condition, string description) => new() { Error = new Error { Condition = condition, Description = description } };

    private void Coordinate(ReceivingAmqpLink link, AmqpMessage message)
    {
        DeliveryState outcome;
        switch (message.ValueBody.Value)
        {
            case Declare:
                _transactions.Add(++_lastTransaction, []);
                outcome = new Declared { TxnId = new ArraySegment<byte>(BitConverter.GetBytes(_lastTransaction)) };
                break;
            case Discharge discharge when _transactions.Remove(NumberOf(discharge.TxnId), out List<PeerOperation>? operations):
                bool isPossible = operations.TrueForAll(static operation => operation.IsPossible());
                if (discharge.Fail != true && isPossible)
                    operations.ForEach(static operation => operation.Run());
                outcome = discharge.Fail == true || isPossible ? new Accepted() : Rejection("amqp:transaction:rollback", "A lock in the transaction was lost.");
                break;
            default:
                outcome = Rejection("amqp:transaction:unknown-id", "There is no such transaction.");
                break;
        }

        link.DisposeDelivery(message, true, outcome);
    }

    private static int NumberOf(ArraySegment<byte> transactionId) => BitConverter.ToInt32(transactionId);

    private void Respond(ReceivingAmqpLink link, string entity, AmqpMessage request)
    {
        link.AcceptMessage(request, false);
        request.ApplicationProperties.Map.TryGetValue("operation", out string? operation);
        AmqpMessage response;
        if (entity.Length == 0)
        {
            (int status, string description) = CheckToken(request);
            response = AmqpMessage.Create();
            response.ApplicationProperties.Map["status-code"] = status;
            response.ApplicationProperties.Map["status-description"] = description;
        }
        else
        {
            var answer = new AmqpMap();
            (int status, string? condition) = _faults.IsBusy(entity) ? (503, "com.microsoft:server-busy") : Manage(entity, operation ?? "", request, answer);
            response = AmqpMessage.Create(new AmqpValue { Value = answer });
            response.ApplicationProperties.Map["statusCode"] = status;
            response.ApplicationProperties.Map["statusDescription"] = condition ?? "OK";
            if (condition is not null)
                response.ApplicationProperties.Map["errorCondition"] = (AmqpSymbol)condition;
        }

        response.Properties.CorrelationId = request.Properties.MessageId;
        if (_replyLinks.TryGetValue((link.Session.Connection, request.Properties.ReplyTo.ToString()!), out SendingAmqpLink? reply))
            reply.SendMessageNoWait(response, new ArraySegment<byte>(Guid.NewGuid().ToByteArray()), AmqpConstants.NullBinary);
    }

    private (int Status, string Description) CheckToken(AmqpMessage request)
    {
        string token = request.ValueBody.Value as string ?? "";
        return IsValid(token) ? (202, "Accepted") : (401, "InvalidSignature: The token has an invalid signature.");
    }

    /// <summary>Checks a shared access signature: <c>SharedAccessSignature sr=...&amp;sig=...&amp;se=...&amp;skn=...</c>, or the token of a credential of the tests.</summary>
    internal bool IsValid(string token)
    {
        if (token == "test-credential")
            return true;
        int space = token.IndexOf(' ', StringComparison.Ordinal);
        if (space < 0)
            return false;
        Dictionary<string, string> parts = token[(space + 1)..].Split('&').Select(part => part.Split('=', 2)).Where(part => part.Length == 2).ToDictionary(part => part[0], part => part[1]);
        if (!parts.TryGetValue("sr", out string? audience) || !parts.TryGetValue("se", out string? expiry) || !parts.TryGetValue("sig", out string? signature) || parts.GetValueOrDefault("skn") != KeyName)
            return false;
        string expected = Convert.ToBase64String(HMACSHA256.HashData(Encoding.UTF8.GetBytes(_key), Encoding.UTF8.GetBytes($"{audience}\n{expiry}")));
        return WebUtility.UrlDecode(signature) == expected && long.Parse(expiry, CultureInfo.InvariantCulture) > DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    }
}

/// <summary>An operation of a transaction.</summary>
/// <param name="IsPossible">Determines whether it can still be done.</param>
/// <param name="Run">Does it.</param>
internal sealed record PeerOperation(Func<bool> IsPossible, Action Run);

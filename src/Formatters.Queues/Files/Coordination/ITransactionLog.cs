using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>The log of a folder as the coordinator's log, in the process that owns the folder or in another.</summary>
internal interface ITransactionLog
{
    /// <summary>Gets the folder's id.</summary>
    Guid FolderId { get; }

    /// <summary>Begins the folder's part of a transaction.</summary>
    QueueTransaction Begin();

    /// <summary>Determines whether nothing was sent or received in the folder.</summary>
    bool IsEmpty(QueueTransaction local);

    /// <summary>Commits the folder's part together with the decision.</summary>
    ValueTask CommitAsync(QueueTransaction local, Decision decision);

    /// <inheritdoc cref="DecisionTable.GetUndelivered(Guid)"/>
    ValueTask<IReadOnlyList<Guid>> GetUndeliveredAsync(Guid resourceManagerId);

    /// <inheritdoc cref="DecisionTable.FateOf"/>
    ValueTask<TransactionFate> FateOfAsync(Guid transactionId);

    /// <inheritdoc cref="DecisionTable.Enter"/>
    ValueTask EnterAsync(Guid transactionId);

    /// <inheritdoc cref="DecisionTable.Leave"/>
    ValueTask LeaveAsync(Guid transactionId);

    /// <inheritdoc cref="DecisionTable.Deliver"/>
    ValueTask DeliverAsync(Guid transactionId);

    /// <summary>Forgets a coordinator that is closed.</summary>
    void Remove(TransactionCoordinator coordinator);
}

/// <summary>The log of a folder that another process owns.</summary>
internal sealed class FollowerDecisions(FolderClient client) : ITransactionLog
{
    public Guid FolderId => client.FolderId;

    public QueueTransaction Begin() => client.Begin(QueueOptions.Default.OperationTimeout);

    public bool IsEmpty(QueueTransaction local) => ((FollowerTransaction)local).IsEmpty;

    public ValueTask CommitAsync(QueueTransaction local, Decision decision) => ((FollowerTransaction)local).CommitAsync(decision);

    public async ValueTask<IReadOnlyList<Guid>> GetUndeliveredAsync(Guid resourceManagerId)
    {
        byte[] answer = await client.CallAsync(FolderRequests.Encode(FolderRequest.FindDecisions, resourceManagerId),
            QueueOptions.Default.OperationTimeout, default).ConfigureAwait(false);
        return FolderRequests.ReadList(answer, static (ref BinaryBodyReader reader) => reader.ReadGuid());
    }

    public async ValueTask<TransactionFate> FateOfAsync(Guid transactionId) =>
        (TransactionFate)await client.CallForNumberAsync(FolderRequests.Encode(FolderRequest.FindFate, transactionId),
            QueueOptions.Default.OperationTimeout, default).ConfigureAwait(false);

    public async ValueTask EnterAsync(Guid transactionId)
    {
        client.EnterDecision(transactionId);
        await CallAsync(FolderRequest.EnterDecision, transactionId).ConfigureAwait(false);
    }

    public async ValueTask LeaveAsync(Guid transactionId)
    {
        client.LeaveDecision(transactionId);
        await CallAsync(FolderRequest.LeaveDecision, transactionId).ConfigureAwait(false);
    }

    public async ValueTask DeliverAsync(Guid transactionId) => await CallAsync(FolderRequest.DeliverDecision, transactionId).ConfigureAwait(false);

    public void Remove(TransactionCoordinator coordinator) => client.Remove(coordinator);

    private ValueTask<byte[]> CallAsync(FolderRequest request, Guid id) =>
        client.CallAsync(FolderRequests.Encode(request, id), QueueOptions.Default.OperationTimeout, default);
}

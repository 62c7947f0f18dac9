using System.Collections.Concurrent;
using System.Transactions;

namespace System.Messaging;

/// <summary>Enlists queues in the ambient transaction (<see cref="TransactionScope"/>).</summary>
internal static class AmbientTransactions
{
    private static readonly ConcurrentDictionary<string, MessageQueueTransaction> Enlisted = new(StringComparer.Ordinal);

    /// <summary>Returns the queues' transaction for the ambient one; null if there is none.</summary>
    internal static MessageQueueTransaction? Current()
    {
        if (Transaction.Current is not { } ambient)
            return null;
        string id = ambient.TransactionInformation.LocalIdentifier;
        if (Enlisted.TryGetValue(id, out MessageQueueTransaction? transaction))
            return transaction;
        transaction = new MessageQueueTransaction();
        transaction.Begin();
        Enlisted[id] = transaction;
        ambient.EnlistVolatile(new Enlistment(id, transaction), EnlistmentOptions.None);
        return transaction;
    }

    /// <summary>Commits or rolls back the queues' transaction with the ambient one.</summary>
    private sealed class Enlistment(string id, MessageQueueTransaction transaction) : ISinglePhaseNotification
    {
        public void SinglePhaseCommit(SinglePhaseEnlistment singlePhaseEnlistment)
        {
            try
            {
                End(commits: true);
                singlePhaseEnlistment.Committed();
            }
            catch (Exception e)
            {
                singlePhaseEnlistment.Aborted(e);
            }
        }

        public void Prepare(PreparingEnlistment preparingEnlistment) => preparingEnlistment.Prepared();

        public void Commit(Transactions.Enlistment enlistment)
        {
            End(commits: true);
            enlistment.Done();
        }

        public void Rollback(Transactions.Enlistment enlistment)
        {
            End(commits: false);
            enlistment.Done();
        }

        public void InDoubt(Transactions.Enlistment enlistment)
        {
            End(commits: false);
            enlistment.Done();
        }

        private void End(bool commits)
        {
            Enlisted.TryRemove(id, out _);
            Errors.Run(commits ? transaction.CommitAsync : transaction.AbortAsync);
        }
    }
}

using System;

namespace Formatters.Hosting;

/// <summary>A message could not be written to the outbox, or the outbox cannot work with the database. Nothing was written.</summary>
public sealed class OutboxException : Exception
{
    /// <summary>Creates an exception with the kind of error, and the error of the database.</summary>
    /// <param name="errorCode">The kind of error.</param>
    /// <param name="message">What is wrong, and what to do.</param>
    /// <param name="innerException">The error of the database; null if there is none.</param>
    public OutboxException(OutboxErrorCode errorCode, string message, Exception? innerException = null)
        : base(message, innerException) => ErrorCode = errorCode;

    /// <summary>Gets the kind of error.</summary>
    public OutboxErrorCode ErrorCode { get; }

    /// <summary>Gets whether the database is at fault, whatever the message: until it works again or is repaired.</summary>
    internal bool IsOutage { get; init; }

    /// <summary>Finds an outage that an exception is or was caused by.</summary>
    internal static OutboxException? FindOutage(Exception? error)
    {
        for (; error is not null; error = error.InnerException)
        {
            if (error is OutboxException { IsOutage: true } outage)
                return outage;
        }

        return null;
    }
}

/// <summary>The causes of an <see cref="OutboxException"/>, for a program that handles them.</summary>
public enum OutboxErrorCode
{
    /// <summary>The database failed; the inner exception says how.</summary>
    DatabaseFailed,

    /// <summary>The table of the outbox or inbox does not exist.</summary>
    MissingTable,

    /// <summary>The table lacks columns, or has others.</summary>
    WrongColumns,

    /// <summary>The transaction was committed or rolled back, or has failed.</summary>
    EndedTransaction,

    /// <summary>The transaction is that of another database than that of the outbox: its messages would not be sent.</summary>
    ForeignTransaction,

    /// <summary>The database is read-only.</summary>
    ReadOnlyDatabase,

    /// <summary>The disk of the database is full.</summary>
    DiskFull,

    /// <summary>The database cannot have an outbox: the type of the connection is not known and <see cref="OutboxOptions.Dialect"/> is not set, it
    /// does not fit the database, or each connection has a database of its own.</summary>
    UnknownDatabase,
}

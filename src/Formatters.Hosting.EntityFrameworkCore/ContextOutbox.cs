using System;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;

namespace Formatters.Hosting;

/// <summary>Sends messages with the changes of a context: they are written by the next <c>SaveChanges</c>, and sent when its transaction has
/// committed.</summary>
/// <remarks>Get it with <see cref="OutboxContextExtensions.Outbox"/>. Not thread-safe, like the context.</remarks>
public sealed class ContextOutbox
{
    private readonly DbContext _context;
    private readonly Outbox _outbox;

    internal ContextOutbox(DbContext context, Outbox outbox)
    {
        _context = context;
        _outbox = outbox;
    }

    /// <summary>Adds a message to the context.</summary>
    /// <typeparam name="T">The type of the payload, for which <see cref="QueuesBuilder.AddSender{T}"/> has registered a sender.</typeparam>
    /// <param name="message">The payload, which is written to a body at once.</param>
    /// <param name="queue">The name of the queue; null for that of the only sender of the type.</param>
    /// <param name="options">Properties of the message; null for none. A delay begins now.</param>
    /// <returns>The id of the message.</returns>
    /// <exception cref="InvalidOperationException">The type has no sender, or several and <paramref name="queue"/> is null; or the model of the
    /// context does not have the tables.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    public string Send<T>(T message, string? queue = null, SendOptions? options = null)
    {
        if (_context.Model.FindEntityType(typeof(OutboxMessage)) is null)
        {
            throw new InvalidOperationException(
                $"The model of {_context.GetType()} does not have the outbox: "
                    + $"call modelBuilder.{nameof(OutboxModelBuilderExtensions.AddFormattersOutbox)}() in OnModelCreating.");
        }

        OutboxRow row = _outbox.Write(message, queue, options);
        _context.Add(new OutboxMessage
        {
            Queue = row.Queue,
            MessageId = row.MessageId,
            Contract = row.Contract,
            Properties = row.Properties,
            Body = row.Body,
            BodyType = row.BodyType,
            ContentType = row.ContentType,
            CreatedAt = row.CreatedAt,
        });
        _context.SavedChanges += WakeOnce;
        return row.MessageId;
    }

    private void WakeOnce(object? sender, SavedChangesEventArgs e)
    {
        _context.SavedChanges -= WakeOnce;
        // In a transaction of the application, the commit comes later, and the dispatcher's next look finds the messages.
        if (_context.Database.CurrentTransaction is null)
            _outbox.Wake();
    }
}

/// <summary>Gets the outbox of a context.</summary>
public static class OutboxContextExtensions
{
    /// <summary>Gets the outbox that writes with the changes of a context.</summary>
    /// <param name="context">A context that was added to the services with <c>AddDbContext</c>.</param>
    /// <returns>The outbox.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="context"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The application has no outbox, or the context was not created by its services.</exception>
    public static ContextOutbox Outbox(this DbContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new ContextOutbox(context, context.GetService<Outbox>());
    }
}

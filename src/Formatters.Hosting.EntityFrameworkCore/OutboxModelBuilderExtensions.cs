using System;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace Formatters.Hosting;

/// <summary>Adds the tables of the outbox and inbox to a model.</summary>
public static class OutboxModelBuilderExtensions
{
    private static readonly OutboxOptions Defaults = new();

    /// <summary>Adds the two tables to the model, so that migrations and <c>EnsureCreated</c> create them, and <see cref="ContextOutbox"/> can
    /// write to them.</summary>
    /// <param name="modelBuilder">The builder of the model.</param>
    /// <param name="outboxTable">The table of the messages to send; null for the default of <see cref="OutboxOptions.OutboxTable"/>.</param>
    /// <param name="inboxTable">The table of the ids of handled messages; null for the default of <see cref="OutboxOptions.InboxTable"/>.</param>
    /// <param name="schema">The schema of both; null for that of the model. The names in <see cref="OutboxOptions"/> contain it.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="modelBuilder"/> is null.</exception>
    public static ModelBuilder AddFormattersOutbox(
        this ModelBuilder modelBuilder, string? outboxTable = null, string? inboxTable = null, string? schema = null)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        outboxTable ??= Defaults.OutboxTable;
        inboxTable ??= Defaults.InboxTable;
        modelBuilder.Entity<OutboxMessage>(entity =>
        {
            entity.ToTable(outboxTable, schema);
            entity.HasKey(static row => row.Id);
            Column(entity.Property(static row => row.Id), "id").ValueGeneratedOnAdd();
            Column(entity.Property(static row => row.Queue), "queue");
            Column(entity.Property(static row => row.MessageId), "message_id");
            Column(entity.Property(static row => row.Contract), "contract");
            Column(entity.Property(static row => row.Properties), "properties");
            Column(entity.Property(static row => row.Body), "body");
            Column(entity.Property(static row => row.BodyType), "body_type");
            Column(entity.Property(static row => row.ContentType), "content_type");
            Column(entity.Property(static row => row.CreatedAt), "created_at");
            Column(entity.Property(static row => row.Error), "error");
        });
        modelBuilder.Entity<InboxMessage>(entity =>
        {
            entity.ToTable(inboxTable, schema);
            entity.HasKey(static row => new { row.Queue, row.MessageId });
            Column(entity.Property(static row => row.Queue), "queue");
            Column(entity.Property(static row => row.MessageId), "message_id");
            Column(entity.Property(static row => row.HandledAt), "handled_at");
            entity.HasIndex(static row => row.HandledAt).HasDatabaseName(inboxTable + "_handled_at");
        });
        return modelBuilder;
    }

    private static PropertyBuilder<T> Column<T>(PropertyBuilder<T> property, string name) => property.HasColumnName(name);
}

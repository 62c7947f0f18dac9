namespace Formatters.Hosting;

/// <summary>A row of the outbox, as an entity.</summary>
internal sealed class OutboxMessage
{
    public long Id { get; set; }

    public required string Queue { get; set; }

    public required string MessageId { get; set; }

    public required string Contract { get; set; }

    public required string Properties { get; set; }

    public required byte[] Body { get; set; }

    public int BodyType { get; set; }

    public string? ContentType { get; set; }

    /// <summary>Gets or sets when the message was written, in milliseconds since 1970.</summary>
    public long CreatedAt { get; set; }

    /// <summary>Gets or sets why the message cannot be sent.</summary>
    public string? Error { get; set; }
}

/// <summary>A row of the inbox, as an entity.</summary>
internal sealed class InboxMessage
{
    public required string Queue { get; set; }

    public required string MessageId { get; set; }

    /// <summary>Gets or sets when the message was handled, in milliseconds since 1970.</summary>
    public long HandledAt { get; set; }
}

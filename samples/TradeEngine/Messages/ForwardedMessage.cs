namespace Formatters.TradeEngine.Messages;

/// <summary>A message in a bundle from the router to a component.</summary>
[MessageContract(Formats = ContractFormats.Binary)]
public sealed partial class ForwardedMessage
{
    /// <summary>The id of the message in the in-bound queue.</summary>
    public string? CorrelationId { get; set; }

    /// <summary>Where its sender wants an answer.</summary>
    public string? ResponseQueue { get; set; }

    /// <summary>Its body, without the signature.</summary>
    public ReadOnlyMemory<byte> Body { get; set; }
}

namespace Formatters.TradeEngine.Messages;

/// <summary>The action of a message: with five types of messages there are 35 variants.</summary>
public enum MessageVariant
{
    /// <summary>The first statement of its sender. Of a <see cref="ClearingMessage"/>: the trade is matched.</summary>
    New = 0,

    /// <summary>Replaces what its sender has said with a lower version.</summary>
    Replace = 1,

    /// <summary>Takes back what its sender has said with a lower version. Of a <see cref="ClearingMessage"/>: an earlier one does not hold any
    /// more.</summary>
    Cancel = 2,

    /// <summary>Agrees with the other party, and says the same.</summary>
    Affirm = 3,

    /// <summary>
    /// Does not agree with the other party: the trade cannot match before a higher version. From the engine: the message is in the exception queue.
    /// </summary>
    Reject = 4,

    /// <summary>From the engine to the sender: the message is valid and stored.</summary>
    Acknowledge = 5,

    /// <summary>From the engine to the sender: the trade is matched.</summary>
    Confirm = 6,
}

namespace Formatters.TradeEngine.Messages;

/// <summary>The type of a message; the router sends each type to the component that processes it.</summary>
public enum MessageType
{
    /// <summary>None: an error in every message.</summary>
    None = 0,

    /// <summary>NOE, the notice of execution: the executing broker says what was traded.</summary>
    NoticeOfExecution = 1,

    /// <summary>ALC, the allocation: to which account of the investment manager the trade belongs. One from each party.</summary>
    Allocation = 2,

    /// <summary>NPR, the net proceeds: what is to be paid, with commission and charges. One from each party.</summary>
    NetProceeds = 3,

    /// <summary>SET, the settlement instruction: where and when securities and money change hands. One from each party.</summary>
    Settlement = 4,

    /// <summary>CLS, clearing and settlement: all seven messages of a trade match.</summary>
    Clearing = 5,
}

/// <summary>The codes of message types: labels of messages and names of queues.</summary>
internal static class MessageTypes
{
    /// <summary>The types that the engine takes in.</summary>
    internal static MessageType[] Inbound { get; } =
        [MessageType.NoticeOfExecution, MessageType.Allocation, MessageType.NetProceeds, MessageType.Settlement];

    /// <summary>The code of a type: NOE, ALC, NPR, SET, CLS.</summary>
    internal static string CodeOf(MessageType type) => type switch
    {
        MessageType.NoticeOfExecution => "NOE",
        MessageType.Allocation => "ALC",
        MessageType.NetProceeds => "NPR",
        MessageType.Settlement => "SET",
        MessageType.Clearing => "CLS",
        _ => "?",
    };

    /// <returns><see cref="MessageType.None"/> for any other text.</returns>
    internal static MessageType TypeOf(string? code) => code switch
    {
        "NOE" => MessageType.NoticeOfExecution,
        "ALC" => MessageType.Allocation,
        "NPR" => MessageType.NetProceeds,
        "SET" => MessageType.Settlement,
        "CLS" => MessageType.Clearing,
        _ => MessageType.None,
    };
}

using System.Text.Json.Serialization;

namespace Formatters.TradeEngine.Messages;

/// <summary>The messages as JSON, by generated code of System.Text.Json.</summary>
[JsonSerializable(typeof(NoticeOfExecution))]
[JsonSerializable(typeof(AllocationMessage))]
[JsonSerializable(typeof(NetProceedsMessage))]
[JsonSerializable(typeof(SettlementMessage))]
[JsonSerializable(typeof(ClearingMessage))]
[JsonSerializable(typeof(ReplyMessage))]
internal sealed partial class MessageJson : JsonSerializerContext;

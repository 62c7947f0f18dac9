// One contract in the codecs of today: MessagePack and protobuf for size and speed, JSON for everybody.
// Claim: each body is read back to the same trade by a registry that knows only its content type; the canonical JSON of equal trades is equal.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;
using Formatters;
using Formatters.Protobuf;

var trade = new Trade
{
    Id = 4711,
    Symbol = "MSFT",
    Price = 412.65m,
    At = new DateTime(2026, 11, 21, 9, 30, 0, DateTimeKind.Utc),
    Fills = [new Fill { Venue = "XNAS", Quantity = 300 }, new Fill { Venue = "ARCX", Quantity = 200 }],
};

var messagePack = MessagePackFormatter.Create<Trade>();                         // an array of the numbered members, by generated code
var protobuf = ProtobufFormatter.Create<Trade>();                               // the same numbers as fields, by generated code
var json = new JsonFormatter<Trade>(TradeContext.Default.Trade);               // System.Text.Json with its own generated code
var signed = new JsonFormatter<Trade>(TradeContext.Default.Trade, new JsonOptions { IsCanonical = true });
var registry = new FormatterRegistry(messagePack, protobuf, json);

bool isRead = true;
foreach (MessageFormatter<Trade> formatter in new MessageFormatter<Trade>[] { messagePack, protobuf, json })
{
    byte[] body = formatter.Write(trade);
    Trade read = registry.Read<Trade>(new MessageBody(body, contentType: formatter.ContentType));
    isRead &= read.ContentEquals(trade);
    Console.WriteLine($"{formatter.ContentType,-24}{body.Length,4} bytes");
}

bool isCanonical = signed.Write(trade).AsSpan().SequenceEqual(signed.Write(json.Read(json.Write(trade))));
Console.WriteLine(MessageInspector.MessagePack.Inspect(messagePack.Write(trade)));
Console.WriteLine(ProtobufSchema.Export<Trade>("trades"));
Console.WriteLine(isRead && isCanonical ? "Every body was read by its content type." : "A body was NOT read as it was written.");
return isRead && isCanonical ? 0 : 1;

[MessageContract(Formats = ContractFormats.MessagePack | ContractFormats.Protobuf)]
public sealed partial class Trade
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public string Symbol { get; set; } = "";
    [MessageMember(3)] public decimal Price { get; set; }
    [MessageMember(4)] public DateTime At { get; set; }
    [MessageMember(5)] public List<Fill> Fills { get; set; } = [];

    public bool ContentEquals(Trade other) =>
        (Id, Symbol, Price, At) == (other.Id, other.Symbol, other.Price, other.At) && Fills.SequenceEqual(other.Fills);
}

public sealed record Fill { [MessageMember(1)] public string Venue { get; init; } = ""; [MessageMember(2)] public int Quantity { get; init; } }

[JsonSerializable(typeof(Trade))]
internal sealed partial class TradeContext : JsonSerializerContext;

// Every main type of the package, against literals. One source for .NET and .NET Framework.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Consumer;
using Formatters;
using Formatters.Contracts;

var line = new Line(7, "ab");
var trade = new Trade { Id = 1, Symbol = "é", Note = null, Side = Side.Sell, When = new DateTime(1, DateTimeKind.Utc), Lines = [line] };
const string TradeHex = "0100000000000000" + "02C3A9" + "00" + "02" + "0100000000000040" + "01000000" + "07000000" + "026162";
const string LineHex = "07000000" + "026162";

Check("generated", new BinaryBodyFormatter<Trade>(Trade.MessageContract), trade, TradeHex);
Check("generated, record", new BinaryBodyFormatter<Line>(Line.MessageContract), line, LineHex);
// A soft hyphen, and accents apart from their letter: equal to a comparer by culture, as the default one is.
string[] alike = ["a", "a\u00AD", "e\u0301", "\u00E9"];
var sorted = new Sorted();
foreach (string text in alike)
{
    sorted.Set.Add(text);
    sorted.Dictionary.Add(text, text.Length);
    sorted.List.Add(text, text.Length);
}

CheckSorted("sorted collections", new BinaryBodyFormatter<Sorted>(Sorted.MessageContract), sorted);
var board = new Board { Cells = new[,] { { 1, 2 } } };
Check("rectangular array", new BinaryBodyFormatter<Board>(Board.MessageContract), board, "01000000" + "02000000" + "01000000" + "02000000");
Check("rectangular array, versioned", new VersionedFormatter<Board>(Board.MessageContract), board, null);
Check("rectangular array, MessagePack", new MessagePackFormatter<Board>(Board.MessageContract), board, null);
Check("rectangular array, protobuf", new ProtobufFormatter<Board>(Board.MessageContract), board, "0A08" + "0A020102" + "12020102");
Check("context", new BinaryBodyFormatter<List<Plain>>(Contracts.Plains), [new Plain { Price = 1.5m }], "01000000" + "0F000000000000000000000000000100");
Check("context, generic", new BinaryBodyFormatter<Box<string?>>(Contracts.BoxOfString), new Box<string?> { Value = "x" }, "0178");
Check("generated XML", new XmlFormatter<Plain>(Contracts.Plain, new XmlOptions { Style = XmlBodyStyle.Compact }), new Plain { Price = 1.5m }, Hex(Encoding.UTF8.GetBytes("<?xml version=\"1.0\" encoding=\"utf-8\"?><Plain xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><Price>1.5</Price></Plain>")));
Check("hand-coded", new HandCodedFormatter<HandCoded>(), new HandCoded { Number = 5 }, "05000000");
Check("classic pair", new BinaryWriterFormatter<Plain>((p, w) => w.Write(p.Price), r => new Plain { Price = r.ReadDecimal() }), new Plain { Price = 1.5m }, "0F000000000000000000000000000100");
Check("delegates", DelegateFormatter.FromArrays<string>("text/plain", 42, Encoding.UTF8.GetBytes, Encoding.UTF8.GetString), "é", "C3A9");
Check("ActiveX", new ActiveXFormatter<string>(), "ab", "61006200");
#if NET
Check("generated, by its type", BinaryBodyFormatter.Create<Trade>(), trade, TradeHex);
Check("JSON", new JsonFormatter<Line>(JsonContracts.Default.Line), line, Hex(Encoding.UTF8.GetBytes("""{"Id":7,"Name":"ab"}""")));
#else
// Reflection and XmlSerializer: not where code is trimmed or compiled ahead of time.
CheckSorted("sorted collections, reflection", new BinaryBodyFormatter<Sorted>(), sorted);
Check("reflection", new BinaryBodyFormatter<Trade>(), trade, TradeHex);
Check("XML", new XmlFormatter<Plain>(), new Plain { Price = 1.5m }, null);
#endif

foreach (NamedContract contract in Map.All)
{
    Require("map of contracts", contract.CreateFormatter(WireFormat.Binary) is IMessageFormatter && contract.Formats.HasFlag(ContractFormats.Binary));
}

var registry = new FormatterRegistry(new BinaryBodyFormatter<Line>(Line.MessageContract), new ActiveXFormatter<string>());
var body = new MessageBody();
registry.Write(body, line);
Require("registry", registry.Read<Line>(body) == line);

var existing = new BinaryBodyFormatter<Trade>(Trade.MessageContract).Read(Bytes(TradeHex));
Trade read = existing;
new BinaryBodyFormatter<Trade>(Trade.MessageContract).Read(Bytes(TradeHex), ref read);
Require("reading into an existing object", ReferenceEquals(read, existing));

try
{
    new BinaryBodyFormatter<Trade>(Trade.MessageContract).Read(Bytes(TradeHex.Substring(0, 20)));
    throw new InvalidOperationException("A truncated body was read.");
}
catch (MessageFormatException e)
{
    Require("truncated", e is { Code: MessageFormatErrorCode.Truncated, ByteOffset: 10, MemberPath: "Trade.Symbol" });
}

Console.WriteLine($"{Results.Count} checks passed on {System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription}.");
return 0;

static void Check<T>(string name, MessageFormatter<T> formatter, T value, string? hex)
{
    byte[] body = formatter.Write(value);
    if (hex is not null && Hex(body) != hex)
        throw new InvalidOperationException($"{name}: {Hex(body)} instead of {hex}.");
    byte[] again = formatter.Write(formatter.Read(body));
    Require(name, Hex(again) == Hex(body));
}

static void CheckSorted(string name, MessageFormatter<Sorted> formatter, Sorted value)
{
    Sorted read = formatter.Read(formatter.Write(value));
    Require(name, value.Set.SetEquals(read.Set) && read.Set.Count == value.Set.Count
        && read.Dictionary.Count == value.Dictionary.Count && value.Dictionary.All(entry => read.Dictionary[entry.Key] == entry.Value)
        && read.List.Count == value.List.Count && value.List.All(entry => read.List[entry.Key] == entry.Value));
}

static void Require(string name, bool condition)
{
    if (!condition)
        throw new InvalidOperationException(name + " has failed.");
    Results.Count++;
}

static string Hex(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "");

static byte[] Bytes(string hex)
{
    var bytes = new byte[hex.Length / 2];
    for (int i = 0; i < bytes.Length; i++)
        bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);
    return bytes;
}

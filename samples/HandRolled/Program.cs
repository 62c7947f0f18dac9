// A hand-rolled serializer to copy: two lines a member, the bytes of System.IO.BinaryWriter, several times its speed, nothing allocated by a write.
// Claim: the body equals, byte for byte, what the classic Save over System.IO.BinaryWriter gives, and reads back equal.
using System;
using System.IO;
using Formatters;

var trade = new Trade { Id = 42, Symbol = "CONTOSO", Price = 17.25, Quantity = 300, Note = null, When = new DateTime(2026, 11, 20, 9, 30, 0, DateTimeKind.Utc) };
var formatter = new HandCodedFormatter<Trade>();
byte[] body = formatter.Write(trade);
Trade same = formatter.Read(body);

using var stream = new MemoryStream();
using var classic = new BinaryWriter(stream);
classic.Write(trade.Id);
classic.Write(trade.Symbol);
classic.Write(trade.Price);
classic.Write(trade.Quantity);
classic.Write(trade.Note is not null); // a nullable member: a presence byte, then the value if there is one
classic.Write(trade.When.ToBinary());
classic.Flush();

bool equal = body.AsSpan().SequenceEqual(stream.ToArray()) && same.Id == 42 && same.Symbol == "CONTOSO" && same.Note is null && same.When == trade.When;
Console.WriteLine($"{body.Length} bytes: {Convert.ToHexString(body)}");
Console.WriteLine(equal ? "Same bytes as System.IO.BinaryWriter, and the same trade." : "DIFFERENT from System.IO.BinaryWriter.");
return equal ? 0 : 1;

internal sealed class Trade : IBinaryBody
{
    public long Id;
    public string Symbol = "";
    public double Price;
    public int Quantity;
    public string? Note;
    public DateTime When;

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Id);
        writer.Write(Symbol);
        writer.Write(Price);
        writer.Write(Quantity);
        writer.WriteNullable(Note);
        writer.Write(When);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Id = reader.ReadInt64();
        Symbol = reader.ReadString();
        Price = reader.ReadDouble();
        Quantity = reader.ReadInt32();
        Note = reader.ReadNullableString();
        When = reader.ReadDateTime();
    }
}

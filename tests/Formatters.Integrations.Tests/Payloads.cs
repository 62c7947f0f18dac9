namespace Formatters.Integrations.Tests;

[MessageContract(Name = "com.example.order-placed", Formats = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Protobuf | ContractFormats.Xml)]
public partial record OrderPlaced
{
    [MessageMember(1)] public int Id { get; set; }

    [MessageMember(2)] public string Customer { get; set; } = "";
}

public record Note(string Text);

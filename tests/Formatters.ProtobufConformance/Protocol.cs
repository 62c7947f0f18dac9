namespace Formatters.ProtobufConformance;

/// <summary>A request of the runner (<c>conformance.proto</c>).</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class ConformanceRequest
{
    [MessageMember(1)] public byte[]? ProtobufPayload { get; set; }
    [MessageMember(3)] public RequestedFormat RequestedOutputFormat { get; set; }
    [MessageMember(4)] public string MessageType { get; set; } = "";
}

/// <summary>The formats of the suite.</summary>
public enum RequestedFormat
{
    Unspecified,
    Protobuf,
    Json,
    Jspb,
    Text,
}

/// <summary>The answer.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class ConformanceResponse
{
    [MessageMember(1, Oneof = "result")] public string? ParseError { get; set; }
    [MessageMember(2, Oneof = "result")] public string? RuntimeError { get; set; }
    [MessageMember(3, Oneof = "result")] public byte[]? ProtobufPayload { get; set; }
    [MessageMember(5, Oneof = "result")] public string? Skipped { get; set; }
    [MessageMember(6, Oneof = "result")] public string? SerializeError { get; set; }
}

/// <summary>The failures that the program expects; the runner asks for them first.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class FailureSet
{
}

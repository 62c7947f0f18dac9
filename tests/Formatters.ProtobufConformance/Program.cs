using System;
using System.Buffers.Binary;
using System.IO;
using System.Linq;
using Formatters;
using Formatters.ProtobufConformance;

// With the argument "reflection", the contract is made at run time.
ProtobufFormatter<TestAllTypesProto3> formatter = args.Contains("reflection")
    ? new(new ProtobufOptions { UseGeneratedContract = false })
    : ProtobufFormatter.Create<TestAllTypesProto3>();
ProtobufFormatter<ConformanceRequest> requests = ProtobufFormatter.Create<ConformanceRequest>();
ProtobufFormatter<ConformanceResponse> responses = ProtobufFormatter.Create<ConformanceResponse>();
using Stream input = Console.OpenStandardInput();
using Stream output = Console.OpenStandardOutput();
byte[] length = new byte[4];
while (input.ReadAtLeast(length, length.Length, throwOnEndOfStream: false) == length.Length)
{
    byte[] request = new byte[BinaryPrimitives.ReadInt32LittleEndian(length)];
    input.ReadExactly(request);
    byte[] response = responses.Write(Answer(requests.Read(request)));
    BinaryPrimitives.WriteInt32LittleEndian(length, response.Length);
    output.Write(length);
    output.Write(response);
    output.Flush();
}

ConformanceResponse Answer(ConformanceRequest request)
{
    if (request.MessageType == "conformance.FailureSet")
        return new ConformanceResponse { ProtobufPayload = [] };
    if (request is not { MessageType: "protobuf_test_messages.proto3.TestAllTypesProto3", ProtobufPayload: { } payload, RequestedOutputFormat: RequestedFormat.Protobuf })
        return new ConformanceResponse { Skipped = "Only messages of proto3, from protobuf to protobuf." };
    TestAllTypesProto3? message;
    try
    {
        message = formatter.Read(payload);
    }
    catch (MessageFormatException e)
    {
        return new ConformanceResponse { ParseError = e.Message };
    }

    try
    {
        return new ConformanceResponse { ProtobufPayload = formatter.Write(message) };
    }
    catch (MessageFormatException e)
    {
        return new ConformanceResponse { SerializeError = e.Message };
    }
}

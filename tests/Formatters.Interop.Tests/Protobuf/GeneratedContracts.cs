namespace Formatters.Interop.Tests.Protobuf;

/// <summary>A <see cref="Child"/> of an earlier version: fields 3 to 5 are unknown to it, and kept.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class OldChild
{
    [MessageMember(1)] public int Id { get; set; }

    [MessageMember(2)] public string Name { get; set; } = "";

    public UnknownMembers? Unknown { get; set; }
}

/// <summary>Code for the payloads, which without it are read and written by reflection.</summary>
[MessageContractFor(typeof(Everything), Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(Odd), Formats = ContractFormats.Protobuf)]
internal static partial class GeneratedContracts;

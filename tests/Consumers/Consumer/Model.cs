using System;
using System.Collections.Generic;
using Formatters;
using Formatters.Binary;
using Formatters.Contracts;

namespace Consumer
{
    public enum Side : byte
    {
        Buy = 1,
        Sell = 2,
    }

    [MessageContractMap]
    internal static partial class Map
    {
    }

    [MessageContract(Formats = ContractFormats.Binary)]
    public sealed partial class Trade
    {
        public long Id { get; set; }
        public string Symbol { get; set; } = "";
        public string? Note { get; set; }
        public Side Side { get; set; }
        public DateTime When { get; set; }
        public List<Line> Lines { get; set; } = [];
    }

    [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
    public sealed partial class Board
    {
        [MessageMember(1)] public int[,] Cells { get; set; } = new int[0, 0];
    }

    [MessageContract(Formats = ContractFormats.Binary)]
    public sealed partial record Line(int Id, string Name);

    [MessageContract(Formats = ContractFormats.Binary)]
    public sealed partial class Sorted
    {
        public SortedSet<string> Set { get; set; } = new(StringComparer.Ordinal);
        public SortedDictionary<string, int> Dictionary { get; set; } = new(StringComparer.Ordinal);
        public SortedList<string, int> List { get; set; } = new(StringComparer.Ordinal);
    }

    public sealed class Plain
    {
        public decimal Price { get; set; }
    }

    public sealed class Box<T>
    {
        public T Value { get; set; } = default!;
    }

    public sealed class HandCoded : IBinaryBody
    {
        public int Number { get; set; }

        public void Save(ref BinaryBodyWriter writer) => writer.Write(Number);

        public void Load(ref BinaryBodyReader reader) => Number = reader.ReadInt32();
    }

    [MessageContractFor(typeof(List<Plain>), Name = "Plains", Formats = ContractFormats.Binary)]
    [MessageContractFor(typeof(Box<string>), Formats = ContractFormats.Binary)]
    [MessageContractFor(typeof(Plain), Formats = ContractFormats.Xml)]
    internal static partial class Contracts;

    internal static class Results
    {
        internal static int Count;
    }

#if NET
    [System.Text.Json.Serialization.JsonSerializable(typeof(Line))]
    internal sealed partial class JsonContracts : System.Text.Json.Serialization.JsonSerializerContext;
#endif
}

#if !NET
namespace System.Runtime.CompilerServices
{
    internal static class IsExternalInit;
}
#endif

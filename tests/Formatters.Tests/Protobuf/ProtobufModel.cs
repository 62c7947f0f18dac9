using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using Formatters.Protobuf;

#pragma warning disable CA1002, CA1814, CA1815, CA1819, CA2227

// The attributes of protobuf-net, known by their full names.
namespace ProtoBuf
{
    public enum DataFormat
    {
        Default,
        ZigZag,
        TwosComplement,
        FixedSize,
        Group,
    }

    public enum CompatibilityLevel
    {
        NotSpecified = 0,
        Level300 = 300,
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class ProtoContractAttribute : Attribute;

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CompatibilityLevelAttribute(CompatibilityLevel level) : Attribute
    {
        public CompatibilityLevel Level { get; } = level;
    }

    [AttributeUsage(AttributeTargets.Property)]
    public sealed class ProtoMemberAttribute(int tag) : Attribute
    {
        public int Tag { get; } = tag;

        public string? Name { get; set; }

        public DataFormat DataFormat { get; set; }
    }

    [AttributeUsage(AttributeTargets.Property)]
    public sealed class ProtoIgnoreAttribute : Attribute;
}

namespace Formatters.Tests.Protobuf
{
    public class PersonV1
    {
        [MessageMember(1)]
        public int Id { get; set; }

        [MessageMember(3)]
        public string Name { get; set; } = "nobody";

        public UnknownMembers? Unknown { get; set; }
    }

    public class PersonV2
    {
        [MessageMember(1)]
        public int Id { get; set; }

        [MessageMember(3)]
        public string Name { get; set; } = "nobody";

        [MessageMember(2)]
        public string? Title { get; set; }

        [MessageMember(4)]
        public List<string> Tags { get; set; } = ["new"];

        [MessageMember(5)]
        public PersonV2? Boss { get; set; }

        [MessageMember(16, Encoding = MemberEncoding.ZigZag)]
        public int Balance { get; set; }

        [MessageMember(17)]
        public int? Rank { get; set; }
    }

    public record Point([MessageMember(2)] int Y, [MessageMember(1)] int X, [MessageMember(3)] int Z = 7);

    public class Graph
    {
        [MessageMember(1)]
        public PersonV2 Person { get; set; } = new();

        [MessageMember(2)]
        public List<PersonV2> People { get; set; } = [];

        [MessageMember(3)]
        public PersonV2[] Array { get; set; } = [];

        [MessageMember(4)]
        public Dictionary<string, string> Words { get; set; } = [];

        [MessageMember(5)]
        public byte[] Bytes { get; set; } = [];

        [MessageMember(6)]
        public HashSet<int> Set { get; set; } = [];

        [MessageMember(7)]
        public Point Point { get; set; } = new(0, 0);

        [MessageMember(8)]
        public int[,] Grid { get; set; } = new int[0, 0];

        [MessageMember(9)]
        public double Number { get; set; }
    }

    public class Node
    {
        [MessageMember(1)]
        public Node? Next { get; set; }
    }

    public class Refuses
    {
        private int _value;

        [MessageMember(1)]
        public int Value
        {
            get => _value;
            set => _value = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(value));
        }
    }

    public class NeedsBoss
    {
        [MessageMember(1)]
        public PersonV1 Boss { get; set; } = null!;
    }

    [MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Square)), MessageUnion(typeof(UnknownShape))]
    public abstract class Shape;

    public sealed class Circle : Shape
    {
        [MessageMember(1)]
        public double Radius { get; set; }
    }

    public sealed class Square : Shape
    {
        [MessageMember(1)]
        public int Side { get; set; }

        [MessageMember(2)]
        public string? Label { get; set; }
    }

    public sealed class UnknownShape : Shape, IUnknownCase
    {
        public int Tag { get; set; }

        public ReadOnlyMemory<byte> Body { get; set; }
        public int BodyType { get; set; }
    }

    public class Declared<T>
    {
        [MessageMember(1)]
        public T? Value { get; set; }
    }

    public class OneofTwice
    {
        [MessageOneof(1, typeof(Circle)), MessageOneof(2, typeof(Square)), MessageOneof(3, typeof(Square))]
        public Shape? Shape { get; set; }
    }

    public class OneofForeign
    {
        [MessageOneof(1, typeof(Circle)), MessageOneof(2, typeof(Square)), MessageOneof(3, typeof(Point))]
        public Shape? Shape { get; set; }
    }

    public class OneofMissing
    {
        [MessageOneof(1, typeof(Circle))]
        public Shape? Shape { get; set; }
    }

    public class CaseNotNullable
    {
        [MessageMember(1, Oneof = "value")]
        public int Number { get; set; }
    }

    public class CaseOfList
    {
        [MessageMember(1, Oneof = "value")]
        public List<int>? Numbers { get; set; }
    }

    public class OneofInOneof
    {
        [MessageMember(3, Oneof = "value"), MessageOneof(1, typeof(Circle)), MessageOneof(2, typeof(Square))]
        public Shape? Shape { get; set; }
    }

    public class OneofOfText
    {
        [MessageOneof(1, typeof(Circle))]
        public string Text { get; set; } = "";
    }

    public class OneofTaken
    {
        [MessageOneof(1, typeof(Circle)), MessageOneof(2, typeof(Square))]
        public Shape? Shape { get; set; }

        [MessageMember(2)]
        public int Id { get; set; }
    }

    [RetiredMembers(9)]
    public class OneofRetired
    {
        [MessageOneof(1, typeof(Circle)), MessageOneof(9, typeof(Square))]
        public Shape? Shape { get; set; }
    }

    public class OneofEncoded
    {
        [MessageMember(3, IsPacked = false), MessageOneof(1, typeof(Circle)), MessageOneof(2, typeof(Square))]
        public Shape? Shape { get; set; }
    }

    public class UnpackedTexts
    {
        [MessageMember(1, IsPacked = false)]
        public List<string> Texts { get; set; } = [];
    }

    public class EncodedRecord
    {
        [MessageMember(1, Encoding = MemberEncoding.Fixed)]
        public PersonV2 Person { get; set; } = new();
    }

    [MessageUnion(1, typeof(Square))]
    public interface IClosed;

    [ProtoBuf.ProtoContract, ProtoBuf.CompatibilityLevel(ProtoBuf.CompatibilityLevel.Level300)]
    public class ProtoNet300
    {
        [ProtoBuf.ProtoMember(1)]
        public DateTime Time { get; set; }

        [ProtoBuf.ProtoMember(2)]
        public TimeSpan Span { get; set; }

        [ProtoBuf.ProtoMember(5, DataFormat = ProtoBuf.DataFormat.ZigZag)]
        public int Balance { get; set; }

        [ProtoBuf.ProtoMember(6, DataFormat = ProtoBuf.DataFormat.FixedSize)]
        public long Fixed { get; set; }

        public int NoMember { get; set; }
    }

    [ProtoBuf.ProtoContract]
    public class ProtoNet
    {
        [ProtoBuf.ProtoMember(1)]
        public DateTime Time { get; set; }

        [ProtoBuf.ProtoMember(2)]
        public TimeSpan Span { get; set; }

        [ProtoBuf.ProtoMember(3)]
        public Guid Id { get; set; }

        [ProtoBuf.ProtoMember(4)]
        public decimal Price { get; set; }

        [ProtoBuf.ProtoMember(5, DataFormat = ProtoBuf.DataFormat.ZigZag)]
        public int Balance { get; set; }

        [ProtoBuf.ProtoMember(6, DataFormat = ProtoBuf.DataFormat.FixedSize)]
        public long Fixed { get; set; }

        public int NoMember { get; set; }
    }

    [DataContract]
    public class DataMembers
    {
        [DataMember(Order = 2)]
        public int Second { get; set; }

        [DataMember(Order = 1)]
        public int First { get; set; }

        public int None { get; set; }
    }

    public class Called
    {
        public List<string> Calls { get; } = [];

        [MessageMember(1)]
        public int Value { get; set; }

        [OnSerializing]
        public void OnSerializing(StreamingContext context) => Calls.Add("serializing");

        [OnSerialized]
        public void OnSerialized() => Calls.Add("serialized");

        [OnDeserializing]
        public void OnDeserializing() => Calls.Add("deserializing");

        [OnDeserialized]
        public void OnDeserialized() => Calls.Add("deserialized " + Value);
    }

    public readonly record struct Money(long Units);

    public sealed class MoneyCodec : ProtobufCodec<Money>
    {
        public override string SchemaType => "google.type.Money";

        public override void Write(ref ProtobufBodyWriter writer, Money value)
        {
            writer.WriteTag(2, ProtobufWireType.Varint);
            writer.WriteInt64(value.Units);
        }

        public override Money Read(ref ProtobufBodyReader reader, Money existing = default, bool merges = false)
        {
            long units = merges ? existing.Units : 0;
            while (reader.TryReadTag(out int number, out ProtobufWireType wireType))
            {
                if (number == 2 && wireType == ProtobufWireType.Varint)
                    units = reader.ReadInt64();
                else
                    reader.Skip(number, wireType);
            }

            return new Money(units);
        }
    }

    public class Invoice
    {
        [MessageMember(1)]
        public Money Total { get; set; }

        [MessageMember(2)]
        public Money? Discount { get; set; }

        [MessageMember(3)]
        public List<Money> Items { get; set; } = [];
    }
}

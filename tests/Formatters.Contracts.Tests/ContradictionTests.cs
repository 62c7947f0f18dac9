using System;
using Xunit;

namespace Formatters.Contracts.Tests
{
    /// <summary>By reflection: attributes of two serializers on one member that mean different places in one body.</summary>
    public class ContradictionTests
    {
        [Fact]
        public void AKeyAtAnotherPosition_IsRefused()
        {
            AssertRefused<OtherPosition>();
            AssertRefused<NamedKey>();
            Assert.Equal(new byte[] { 0x91, 5 }, new MessagePackFormatter<SamePosition>().Write(new SamePosition { Id = 5 }));
        }

        [Fact]
        public void AnotherField_IsRefused()
        {
            Assert.Throws<ArgumentException>(() => new ProtobufFormatter<OtherField>());
            Assert.Throws<ArgumentException>(() => new ProtobufFormatter<OtherEncoding>());
            Assert.Throws<ArgumentException>(() => new ProtobufFormatter<OtherPacking>());
            Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Grouped>());
            Assert.Equal(new byte[] { 8, 5 }, new ProtobufFormatter<SameField>().Write(new SameField { Id = -3 }));
        }

        private static void AssertRefused<T>()
        {
            Assert.Throws<ArgumentException>(() => new MessagePackFormatter<T>());
            Assert.Throws<ArgumentException>(() => new CborFormatter<T>());
            Assert.Throws<ArgumentException>(() => new CompactFormatter<T>());
        }

        public sealed class OtherPosition
        {
            [global::MessagePack.Key(1), MessageMember(1)] public int Id { get; set; }
        }

        public sealed class SamePosition
        {
            [global::MessagePack.Key(0), MessageMember(1)] public int Id { get; set; }
        }

        public sealed class NamedKey
        {
            [global::MessagePack.Key("id"), MessageMember(1)] public int Id { get; set; }
        }

        public sealed class OtherField
        {
            [global::ProtoBuf.ProtoMember(2), MessageMember(1)] public int Id { get; set; }
        }

        public sealed class OtherEncoding
        {
            [global::ProtoBuf.ProtoMember(1, DataFormat = global::ProtoBuf.DataFormat.ZigZag), MessageMember(1)] public int Id { get; set; }
        }

        public sealed class OtherPacking
        {
            [global::ProtoBuf.ProtoMember(1, IsPacked = false), MessageMember(1)] public int[] Ids { get; set; } = [];
        }

        public sealed class Grouped
        {
            [global::ProtoBuf.ProtoMember(1, DataFormat = global::ProtoBuf.DataFormat.Group), MessageMember(1)] public SameField Field { get; set; } = new();
        }

        public sealed class SameField
        {
            [global::ProtoBuf.ProtoMember(1, DataFormat = global::ProtoBuf.DataFormat.ZigZag), MessageMember(1, Encoding = MemberEncoding.ZigZag)]
            public int Id { get; set; }
        }
    }
}

namespace ProtoBuf
{
    /// <summary>As protobuf-net has it.</summary>
    public enum DataFormat
    {
        Default,
        ZigZag,
        TwosComplement,
        FixedSize,
        Group,
    }

    /// <summary>As protobuf-net has it.</summary>
    [AttributeUsage(AttributeTargets.Property)]
    public sealed class ProtoMemberAttribute(int tag) : Attribute
    {
        public int Tag { get; } = tag;

        public DataFormat DataFormat { get; set; }

        public bool IsPacked { get; set; }
    }
}

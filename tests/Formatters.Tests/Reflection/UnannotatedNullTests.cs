using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Tests.Reflection;

/// <summary>Types as .NET Framework has them: nothing says which of their members may be null.</summary>
public class UnannotatedNullTests
{
    public static TheoryData<string> Formats => ["binary", "versioned", "messagepack", "protobuf"];

    [Theory]
    [MemberData(nameof(Formats))]
    public void Without_the_option_a_null_is_refused(string format)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => Make<UnannotatedOrder>(format, allowsNull: false).Write(new UnannotatedOrder { Name = "a" }));
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, error.Code);
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void With_it_the_bytes_are_those_of_members_declared_nullable(string format)
    {
        MessageFormatter<UnannotatedOrder> unannotated = Make<UnannotatedOrder>(format, allowsNull: true);
        foreach (bool isNull in new[] { true, false })
        {
            var order = new UnannotatedOrder { Id = 7, Name = isNull ? null! : "a", Lines = isNull ? null! : [new UnannotatedLine { Text = isNull ? null! : "" }], Bytes = isNull ? null! : [1] };
            var annotated = new AnnotatedOrder { Id = 7, Name = order.Name, Lines = order.Lines?.Select(line => new AnnotatedLine { Text = line.Text }).ToList(), Bytes = order.Bytes };

            byte[] body = unannotated.Write(order);

            Assert.Equal(Make<AnnotatedOrder>(format, allowsNull: false).Write(annotated), body);
            UnannotatedOrder read = unannotated.Read(body);
            Assert.Equal((7, order.Name, order.Lines?.Count), (read.Id, read.Name, read.Lines?.Count));
            Assert.Equal(order.Bytes, read.Bytes);
        }
    }

    [Theory]
    [InlineData("versioned")]
    [InlineData("messagepack")]
    [InlineData("protobuf")]
    public void Where_there_is_no_null_a_reader_without_the_option_reads_the_body(string format)
    {
        byte[] body = Make<UnannotatedOrder>(format, allowsNull: true).Write(new UnannotatedOrder { Id = 7, Name = "", Lines = [new UnannotatedLine { Text = "x" }], Bytes = [1] });

        UnannotatedOrder read = Make<UnannotatedOrder>(format, allowsNull: false).Read(body);

        Assert.Equal((7, "", "x"), (read.Id, read.Name, read.Lines[0].Text));
        Assert.Equal([1], read.Bytes);
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Elements_and_values_are_not_concerned(string format)
    {
        MessageFormatter<UnannotatedBag> formatter = Make<UnannotatedBag>(format, allowsNull: true);

        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Assert.Throws<MessageFormatException>(() => formatter.Write(new UnannotatedBag { Texts = [null!] })).Code);
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Assert.Throws<MessageFormatException>(() => formatter.Write(new UnannotatedBag { ByName = new() { ["a"] = null! } })).Code);
        Assert.Equal("a", formatter.Read(formatter.Write(new UnannotatedBag { ByName = new() { ["a"] = "b" } })).ByName.Keys.Single());
    }

    [Fact]
    public void What_is_annotated_stays_as_it_is_declared() =>
        Assert.Equal(
            MessageFormatErrorCode.UnexpectedNull,
            Assert.Throws<MessageFormatException>(() => Make<AnnotatedNames>("binary", allowsNull: true).Write(new AnnotatedNames { First = null! })).Code);

    private static MessageFormatter<T> Make<T>(string format, bool allowsNull) => format switch
    {
        "binary" => new BinaryBodyFormatter<T>(BinaryBodyOptions.Default with { UnannotatedAllowsNull = allowsNull }),
        "versioned" => new VersionedFormatter<T>(VersionedOptions.Default with { UnannotatedAllowsNull = allowsNull }),
        "messagepack" => new MessagePackFormatter<T>(MessagePackOptions.Default with { UnannotatedAllowsNull = allowsNull }),
        _ => new ProtobufFormatter<T>(ProtobufOptions.Default with { UnannotatedAllowsNull = allowsNull }),
    };

    public sealed class AnnotatedOrder
    {
        [MessageMember(1)]
        public int Id { get; set; }

        [MessageMember(2)]
        public string? Name { get; set; }

        [MessageMember(3)]
        public List<AnnotatedLine>? Lines { get; set; }

        [MessageMember(4)]
        public byte[]? Bytes { get; set; }
    }

    public sealed class AnnotatedLine
    {
        [MessageMember(1)]
        public string? Text { get; set; }
    }

    public sealed class AnnotatedNames
    {
        public string First { get; set; } = "";

        public string? Second { get; set; }
    }

#nullable disable
    public sealed class UnannotatedOrder
    {
        [MessageMember(1)]
        public int Id { get; set; }

        [MessageMember(2)]
        public string Name { get; set; }

        [MessageMember(3)]
        public List<UnannotatedLine> Lines { get; set; }

        [MessageMember(4)]
        public byte[] Bytes { get; set; }
    }

    public sealed class UnannotatedLine
    {
        [MessageMember(1)]
        public string Text { get; set; }
    }

    public sealed class UnannotatedBag
    {
        [MessageMember(1)]
        public List<string> Texts { get; set; }

        [MessageMember(2)]
        public Dictionary<string, string> ByName { get; set; }
    }
}

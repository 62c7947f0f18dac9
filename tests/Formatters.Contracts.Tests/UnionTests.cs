using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using Formatters.Binary;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Unions by tag: docs/wire/binary.md, "Unions". Random values and mutants of them are in <see cref="DifferentialTests"/>.</summary>
public class UnionTests
{
    private static readonly BinaryBodyFormatter<Shape> Shapes = new(Shape.MessageContract);
    private static readonly BinaryBodyFormatter<Shape> OldShapes = new(UnionContracts.OldShape);
    private static readonly BinaryBodyFormatter<Shape> Reflected = new();

    [Fact]
    public void Reflection_RefusesAUnionOfWhichEveryCaseLeadsBack()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<EndlessOwner>(ByReflection.Binary));
        Assert.StartsWith("EndlessOwner.Shape: a EndlessOwner contains another one", e.Message, StringComparison.Ordinal);
        Assert.NotEmpty(new BinaryBodyFormatter<EndingOwner>(ByReflection.Binary).Write(new EndingOwner { Shape = new EndingCircle() }));
    }

    [Fact]
    public void Case_IsTagByteCountAndObject()
    {
        byte[] circle = [1, 12, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F];
        var value = new Circle { Id = 1, Radius = 0.5 };
        Assert.Equal(circle, Shapes.Write(value));
        Assert.Equal(circle, Reflected.Write(value));
        Assert.Equal(0.5, Assert.IsType<Circle>(Shapes.Read(circle)).Radius);
        byte[] square = [0xAC, 2, 6, 0, 0, 0, 7, 0, 0, 0, 1, (byte)'s'];
        Assert.Equal(square, Shapes.Write(new Square(7, "s")));
        Assert.Equal(new Square(7, "s"), Assert.IsType<Square>(Shapes.Read(square)), (x, y) => (x.Id, x.Name) == (y.Id, y.Name));
        Assert.Equal(5, Shape.MessageContract.Binary.MinByteCount);
    }

    [Fact]
    public void UnknownTag_SurvivesARelay()
    {
        byte[] newer = new BinaryBodyFormatter<Drawing>(Drawing.MessageContract).Write(
            new Drawing { First = new Circle { Radius = 1 }, Shapes = [new Square(1, "a"), new Group { Shapes = [new Circle(), null] }], Last = 5 });
        var relay = new BinaryBodyFormatter<OldDrawing>(OldDrawing.MessageContract);
        OldDrawing read = relay.Read(newer);
        UnknownOldShape unknown = Assert.IsType<UnknownOldShape>(read.Shapes[0]);
        Assert.Equal((300, 6), (unknown.Tag, unknown.Body.Length));
        Assert.Equal(5, read.Last);
        Assert.Equal(newer, relay.Write(read));
        var reflected = new BinaryBodyFormatter<OldDrawing>(ByReflection.Binary);
        Assert.Equal(newer, reflected.Write(reflected.Read(newer)));
        var plain = new BinaryBodyFormatter<OldDrawing>(ByReflection.Binary with { UseCompiledCode = false });
        Assert.Equal(newer, plain.Write(plain.Read(newer)));
    }

    [Fact]
    public void UnknownTag_WithoutACaseForIt_IsNamed()
    {
        byte[] body = [0, 0, 0, 0, 0xAD, 2, 1, 0, 0, 0, 9];
        foreach (MessageFormatter<HasPet> formatter in new MessageFormatter<HasPet>[] { new BinaryBodyFormatter<HasPet>(HasPet.MessageContract), new BinaryBodyFormatter<HasPet>(ByReflection.Binary) })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.UnknownTag, 4L, "HasPet.Pet", true), (e.Code, e.ByteOffset, e.MemberPath, e.IsPoison));
            Assert.Contains("tag 301", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Write_UnlistedTypeOrNull_IsRefused()
    {
        foreach (MessageFormatter<HasPet> formatter in new MessageFormatter<HasPet>[] { new BinaryBodyFormatter<HasPet>(HasPet.MessageContract), new BinaryBodyFormatter<HasPet>(ByReflection.Binary) })
        {
            AssertError(MessageFormatErrorCode.TypeNotAllowed, "HasPet.Pet", () => formatter.Write(new HasPet { Pet = new Kitten() }));
            AssertError(MessageFormatErrorCode.UnexpectedNull, "HasPet.Pet", () => formatter.Write(new HasPet { Pet = null! }));
            AssertError(MessageFormatErrorCode.UnexpectedNull, "HasPet.Pet.Name", () => formatter.Write(new HasPet { Pet = new Cat { Name = null! } }));
        }

        AssertError(MessageFormatErrorCode.BadValue, "Shape", () => Shapes.Write(new UnknownShape { Tag = -1 }));
        AssertError(MessageFormatErrorCode.BadValue, "Shape", () => Reflected.Write(new UnknownShape { Tag = -1 }));
    }

    [Theory]
    [InlineData("01 0D000000 01000000 000000000000E03F 00", MessageFormatErrorCode.BadLength, 17)]
    [InlineData("01 0B000000 01000000 000000000000E03F", MessageFormatErrorCode.BadLength, 17)]
    [InlineData("01 FFFFFFFF 01000000 000000000000E03F", MessageFormatErrorCode.BadLength, 1)]
    [InlineData("01 FFFFFF7F 01000000 000000000000E03F", MessageFormatErrorCode.Truncated, 17)]
    [InlineData("8100 0C000000 01000000 000000000000E03F", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("FFFFFFFF0F 00000000", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("09 04000000 010203", MessageFormatErrorCode.Truncated, 8)]
    public void Read_BadUnion_IsRefused(string hex, MessageFormatErrorCode code, int offset)
    {
        foreach (MessageFormatter<Shape> formatter in new MessageFormatter<Shape>[] { Shapes, OldShapes, Reflected })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex(hex)));
            Assert.Equal((code, offset, "Shape"), (e.Code, (int)e.ByteOffset, e.MemberPath));
        }
    }

    [Fact]
    public void LongCases_MoveWithTheirByteCounts()
    {
        var group = new Group();
        for (int i = 0; i < 40; i++)
        {
            var inner = new Group { Shapes = [new Square(i, new string('x', i * 37)), new Circle { Id = i }] };
            group.Shapes.Add(inner);
            if (i % 8 == 0)
                inner.Shapes.Add(new Group { Shapes = [new Square(i, new string('é', 3000))] });
        }

        byte[] expected = HandCoded(group);
        Assert.Equal(expected, Shapes.Write(group));
        Assert.Equal(expected, Reflected.Write(group));
        foreach (Action<IBufferWriter<byte>> write in new Action<IBufferWriter<byte>>[] { b => Shapes.Write(b, group), b => Reflected.Write(b, group) })
        {
            var stingy = new StingyBufferWriter();
            write(stingy);
            Assert.Equal(expected, stingy.ToArray());
        }

        byte[] exact = new byte[expected.Length + 16];
        var writer = new BinaryBodyWriter(exact);
        Shape.MessageContract.Binary.Write(ref writer, group);
        writer.Flush();
        Assert.Equal(expected, exact[..(int)writer.BytesWritten]);
        Assert.Equal(expected, Shapes.Write(Shapes.Read(expected)));
    }

    [Fact]
    public void Flush_WithinAUnion_Waits()
    {
        var formatter = new BinaryBodyFormatter<Shape>(Shape.MessageContract);
        byte[] body = formatter.Write(new Flushing { Number = 7 });
        Assert.Equal(new byte[] { 4, 4, 0, 0, 0, 7, 0, 0, 0 }, body);
        Assert.Equal(7, Assert.IsType<Flushing>(formatter.Read(body)).Number);
    }

    [Fact]
    public void Steady_AllocatesNothing()
    {
        var drawing = new Drawing { First = new Circle { Radius = 1 }, Shapes = [new Square(1, "abc"), new Circle { Id = 4 }, new Group { Shapes = [new Circle()] }] };
        var formatter = new BinaryBodyFormatter<Drawing>(Drawing.MessageContract);
        var buffer = new ArrayBufferWriter<byte>(1 << 12);
        byte[] body = formatter.Write(drawing);
        drawing.Shapes.RemoveAt(0); // a type with a constructor, made anew on reading
        byte[] reusable = formatter.Write(drawing);
        Drawing over = formatter.Read(reusable);
        Shape first = over.First;
        for (int i = 0; i < 3; i++)
            Run();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Run();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Same(first, over.First);
        formatter.Read(body, ref over);
        Assert.Equal(body, formatter.Write(over));
        Assert.IsType<Square>(over.Shapes[0]);

        void Run()
        {
            buffer.ResetWrittenCount();
            formatter.Write(buffer, drawing);
            formatter.Read(reusable, ref over);
        }
    }

    private static byte[] HandCoded(Shape shape)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(shape.Id);
        switch (shape)
        {
            case Circle circle:
                writer.Write(circle.Radius);
                return Case(1, stream);
            case Square square:
                writer.Write(square.Name);
                return Case(300, stream);
            default:
                List<Shape?> shapes = ((Group)shape).Shapes;
                writer.Write(shapes.Count);
                foreach (Shape? inner in shapes)
                {
                    writer.Write(inner is not null);
                    if (inner is not null)
                        writer.Write(HandCoded(inner));
                }

                return Case(2, stream);
        }
    }

    private static byte[] Case(int tag, MemoryStream body)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write7BitEncodedInt(tag);
        writer.Write((int)body.Length);
        writer.Write(body.ToArray());
        return stream.ToArray();
    }

    private static void AssertError(MessageFormatErrorCode code, string path, Action act)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(act);
        Assert.Equal((code, path, false), (e.Code, e.MemberPath, e.IsPoison));
    }

    private sealed class Kitten : Cat;

    /// <summary>Which tag would be written?</summary>
    [Fact]
    public void AUnionThatListsATypeTwice_IsRefused()
    {
        foreach (Func<object> create in new Func<object>[] { () => new CborFormatter<HasTwice>(), () => new BinaryBodyFormatter<HasTwice>(), () => new VersionedFormatter<HasTwice>(), () => new ProtobufFormatter<HasTwice>() })
            Assert.Contains("twice", Assert.Throws<ArgumentException>(create).Message, StringComparison.Ordinal);
    }

    public sealed class HasTwice
    {
        [MessageMember(1)] public ITwice? Value { get; set; }
    }

    [MessageUnion(1, typeof(Once)), MessageUnion(2, typeof(Once))]
    public interface ITwice;

    public sealed class Once : ITwice
    {
        [MessageMember(1)] public int Value { get; set; }
    }

    [MessageUnion(1, typeof(EndlessCircle))]
    private abstract class EndlessShape;

    private sealed class EndlessCircle : EndlessShape
    {
        public EndlessShape Next { get; set; } = null!;
    }

    private sealed class EndlessOwner
    {
        public EndlessShape Shape { get; set; } = null!;
    }

    [MessageUnion(1, typeof(EndingBox)), MessageUnion(2, typeof(EndingCircle))]
    private abstract class EndingShape;

    private sealed class EndingBox : EndingShape
    {
        public EndingShape Inner { get; set; } = null!;
    }

    private sealed class EndingCircle : EndingShape
    {
        public int Radius { get; set; }
    }

    private sealed class EndingOwner
    {
        public EndingShape Shape { get; set; } = null!;
    }
}

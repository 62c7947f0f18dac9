using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Linq;
using System.Numerics;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Unions, formatters of members, private members and callbacks in the versioned wire format. Random values and mutants of them are in <see cref="VersionedDifferentialTests"/>.</summary>
public class VersionedMemberTests
{
    [Fact]
    public void Union_IsByteCountTagAndRecord()
    {
        byte[] circle = [0x13, 0, 0, 0, 1, 0x0E, 0, 0, 0, 2, 0x43, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F];
        foreach (MessageFormatter<Shape> formatter in Both(Shape.MessageContract))
        {
            Assert.Equal(circle, formatter.Write(new Circle { Id = 1, Radius = 0.5 }));
            Assert.Equal(0.5, Assert.IsType<Circle>(formatter.Read(circle)).Radius);
            Assert.Equal(new byte[] { 0x10, 0, 0, 0, 0xAC, 2, 0x0A, 0, 0, 0, 2, 0x63, 7, 0, 0, 0, 3 }, formatter.Write(new Square(7, "abc"))[..17]);
            Assert.Equal(new byte[] { 5, 0, 0, 0, 4, 7, 0, 0, 0 }, formatter.Write(new Flushing { Number = 7 }));
            Assert.Equal(7, Assert.IsType<Flushing>(formatter.Read([5, 0, 0, 0, 4, 7, 0, 0, 0])).Number);
            Assert.Equal(new byte[] { 5, 0, 0, 0, 0xE8, 7, 1, 2, 3 }, formatter.Write(new UnknownShape { Tag = 1000, Body = new byte[] { 1, 2, 3 }, BodyType = BodyTypes.Versioned }));
        }
    }

    [Fact]
    public void NewCasesAndMembers_SurviveAnOlderRelay()
    {
        var drawing = new Drawing
        {
            First = new Circle { Id = 5, Radius = 1 },
            Shapes = [new Square(1, "a"), new Circle { Id = 6, Radius = 2 }, new Group { Id = 7, Shapes = [new Circle(), null] }],
            Maybe = new Square(2, new string('x', 300)),
            Last = 5,
            ByNumber = { [3] = new Flushing { Number = 4 } },
        };
        byte[] newer = new VersionedFormatter<Drawing>(Drawing.MessageContract).Write(drawing);
        foreach (MessageFormatter<OldDrawing> relay in Both(OldDrawing.MessageContract))
        {
            OldDrawing read = relay.Read(newer);
            Assert.Equal((1.0, 5), (Assert.IsType<OldCircle>(read.First).Radius, read.Last));
            Assert.Equal(300, Assert.IsType<UnknownOldShape>(read.Shapes[0]).Tag);
            Assert.Equal(2.0, Assert.IsType<OldCircle>(read.Shapes[1]).Radius);
            Assert.Equal(2, Assert.IsType<UnknownOldShape>(read.Shapes[2]).Tag);
            Assert.True(read.Unknown!.Contains(3) && read.Unknown.Contains(5));
            Assert.Equal(newer, relay.Write(read));

            read.Last = 8;
            ((OldCircle)read.First).Radius = 9;
            Drawing back = new VersionedFormatter<Drawing>(Drawing.MessageContract).Read(relay.Write(read));
            Assert.Equal((8, 5, 9.0, 300), (back.Last, back.First.Id, ((Circle)back.First).Radius, ((Square)back.Maybe!).Name.Length));
            Assert.Equal(["Square", "Circle", "Group"], back.Shapes.Select(s => s.GetType().Name));
        }
    }

    [Fact]
    public void UnknownTag_WithoutACaseForIt_IsNamed()
    {
        byte[] body = [0x12, 0, 0, 0, 3, 0x73, 7, 1, 0, 0, 0, 3, 0, 0, 0, 0xAD, 2, 9, 0, 0, 0, 0];
        foreach (MessageFormatter<HasPet> formatter in Both(HasPet.MessageContract))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.UnknownTag, 15L, "HasPet.Pet", true), (e.Code, e.ByteOffset, e.MemberPath, e.IsPoison));
            Assert.Contains("tag 301", e.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("06000000 04 07000000 00", MessageFormatErrorCode.BadLength, 9)]
    [InlineData("04000000 04 07000000", MessageFormatErrorCode.BadLength, 9)]
    [InlineData("FFFFFFFF 04 07000000", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("FFFFFF7F 04 07000000", MessageFormatErrorCode.Truncated, 9)]
    [InlineData("00000000 04 07000000", MessageFormatErrorCode.BadLength, 4)]
    [InlineData("01000000 E807 010203", MessageFormatErrorCode.BadLength, 4)]
    [InlineData("06000000 8400 07000000", MessageFormatErrorCode.BadLength, 4)]
    [InlineData("05000000 FFFFFFFF0F", MessageFormatErrorCode.BadLength, 4)]
    public void Read_BadUnion_IsRefused(string hex, MessageFormatErrorCode code, int offset)
    {
        foreach (MessageFormatter<Shape> formatter in Both(Shape.MessageContract))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex(hex)));
            Assert.Equal((code, offset, "Shape"), (e.Code, (int)e.ByteOffset, e.MemberPath));
        }
    }

    [Fact]
    public void Write_UnlistedTypeOrNull_IsRefused()
    {
        foreach (MessageFormatter<HasPet> formatter in Both(HasPet.MessageContract))
        {
            AssertError(MessageFormatErrorCode.TypeNotAllowed, "HasPet.Pet", () => formatter.Write(new HasPet { Pet = new Bird() }));
            AssertError(MessageFormatErrorCode.UnexpectedNull, "HasPet.Pet", () => formatter.Write(new HasPet { Pet = null! }));
            AssertError(MessageFormatErrorCode.UnexpectedNull, "HasPet.Pet.Name", () => formatter.Write(new HasPet { Pet = new Cat { Name = null! } }));
        }

        foreach (MessageFormatter<Shape> formatter in Both(Shape.MessageContract))
            AssertError(MessageFormatErrorCode.BadValue, "Shape", () => formatter.Write(new UnknownShape { Tag = -1 }));
    }

    [Fact]
    public void LongCases_MoveWithTheirByteCounts()
    {
        var group = new Group();
        for (int i = 0; i < 40; i++)
            group.Shapes.Add(new Group { Shapes = [new Square(i, new string('x', i * 137)), null, new Group { Shapes = [new Square(i, new string('é', 3000))] }] });
        byte[] expected = Versions.Reflection<Shape>().Write(group);
        foreach (MessageFormatter<Shape> formatter in Both(Shape.MessageContract))
        {
            Assert.Equal(expected, formatter.Write(group));
            var stingy = new StingyBufferWriter();
            formatter.Write(stingy, group);
            Assert.Equal(expected, stingy.ToArray());
            Assert.Equal(expected, formatter.Write(formatter.Read(expected)));
        }
    }

    [Fact]
    public void Formatted_IsABlockThatOthersSkip()
    {
        var value = new HasFormatted { Cents = 1.25m, MaybeCents = 2, Money = new Money(3, "EUR"), Monies = [new Money(4, "USD")], Buffer = [1, 2], Level = Level.High, Last = 9 };
        foreach (MessageFormatter<HasFormatted> formatter in Both(HasFormatted.MessageContract))
        {
            byte[] body = formatter.Write(value);
            // The byte count, the table (9 members) and the first member: 8 bytes behind their count.
            Assert.Equal(new byte[] { 9, 0xF7, 0xF7, 0x77, 0x77, 3, 8, 0, 0, 0, 125, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 200 }, body[4..28]);
            HasFormatted same = formatter.Read(body);
            Assert.Equal((1.25m, 2m, new Money(3, "EUR"), Level.High, 9), (same.Cents, same.MaybeCents, same.Money, same.Level, same.Last));
            foreach (MessageFormatter<FormattedPart> part in Both(FormattedPart.MessageContract))
            {
                Assert.Equal(9, part.Read(body).Last);
                Assert.Equal(body, part.Write(part.Read(body)));
            }
        }
    }

    [Fact]
    public void PrivateMembers_AreReadFromOtherTables()
    {
        byte[] part = new VersionedFormatter<OptInPart>(OptInPart.MessageContract).Write(new OptInPart { First = "one", Further = 30 });
        foreach (MessageFormatter<OptInDerived> formatter in Both(OptInDerived.MessageContract))
        {
            var value = new OptInDerived(1, "first", 2, 5);
            OptInDerived same = formatter.Read(formatter.Write(value));
            Assert.Equal("1 first 2 5 0", same.Text);
            OptInDerived evolved = formatter.Read(part);
            Assert.Equal("3 one 4 0 0", evolved.Text);
            Assert.True(evolved.Unknown!.Contains(30));
            formatter.Read(part, ref same);
            Assert.Equal("3 one 4 0 0", same.Text);
        }

        foreach (MessageFormatter<VersionedOfBinary> formatter in Both(VersionedOfBinary.MessageContract))
        {
            var value = new VersionedOfBinary { Name = "n" };
            value.SetId(5);
            Assert.Equal(5, formatter.Read(formatter.Write(value)).GetId());
        }

        foreach (MessageFormatter<Marked> formatter in Both(Marked.MessageContract))
        {
            Marked same = formatter.Read(formatter.Write(new Marked(6) { Name = "n" }));
            Assert.Equal((6, "n", 2), (same.Number(), same.Name, same.Point!.Value.Y));
        }
    }

    [Fact]
    public void Callbacks_AreCalled_WhateverTheTable()
    {
        byte[] newer = new VersionedFormatter<CalledNew>(CalledNew.MessageContract).Write(new CalledNew { Id = 3, Further = 4 });
        foreach (MessageFormatter<Called> formatter in Both(Called.MessageContract))
        {
            var value = new Called { Id = 1, Text = "t", Struct = new CalledStruct { Twice = 8 } };
            byte[] body = formatter.Write(value);
            Assert.Equal(["base serializing", "serializing 1", "serialized"], value.Calls);
            Called same = formatter.Read(body);
            Assert.Equal(["deserializing", "base deserialized 1", "deserialized t"], same.Calls);
            Assert.Equal(8, same.Struct.Twice);
            Called evolved = formatter.Read(newer);
            Assert.Equal(["deserializing", "base deserialized 3", "deserialized "], evolved.Calls);
            evolved.Calls.Clear();
            Assert.Equal(4, new VersionedFormatter<CalledNew>(CalledNew.MessageContract).Read(formatter.Write(evolved)).Further);
            Assert.Equal(["base serializing", "serializing 3", "serialized"], evolved.Calls);
        }

        foreach (MessageFormatter<HasRefusing> formatter in Both(HasRefusing.MessageContract))
        {
            byte[] bad = formatter.Write(new HasRefusing { List = [new Refusing { Number = 1 }, new Refusing { Number = -1 }] });
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(bad));
            Assert.Equal((MessageFormatErrorCode.BadValue, "HasRefusing.List[1]", true), (e.Code, e.MemberPath, e.IsPoison));
        }

        foreach (MessageFormatter<CalledRecord> formatter in Both(CalledRecord.MessageContract))
        {
            Assert.Equal("deserializing 1 0, deserialized 1 2", formatter.Read(formatter.Write(new CalledRecord(1) { Set = 2 })).Log());
            Assert.Equal("deserializing 3 0, deserialized 3 0", formatter.Read(newer).Log());
        }
    }

    [Fact]
    public void FurtherValues_AgreeWithReflection()
    {
        var place = new Place { Name = "p", Latitude = 1 };
        var value = new Further
        {
            Uri = new Uri("https://example.org/ä"),
            Version = new Version(1, 2),
            Big = BigInteger.Pow(-7, 40),
            Memory = new byte[] { 1, 2, 3 },
            Set = [3],
            Queue = new Queue<Place>([place, new Place()]),
            Stack = new Stack<string>(["a", "b"]),
            Immutable = [4, 5],
            Map = ImmutableDictionary<string, Place>.Empty.Add("x", place),
            Sorted = new SortedDictionary<string, int> { ["a"] = 1, ["b"] = 2 },
            Grid = new[,] { { 1, 2, 3 }, { 4, 5, 6 } },
            Table = new Hashtable { ["k"] = 1 },
            Objects = new ArrayList { place },
            ReadOnly = new ReadOnlyCollection<int>([7]),
        };
        var formatter = new VersionedFormatter<Further>(Further.MessageContract);
        VersionedFormatter<Further> reflection = Versions.Reflection<Further>();
        byte[] body = formatter.Write(value);
        Assert.Equal(new byte[] { 14, 0xD6, 0x77, 0x77, 0x77, 0x7F, 0x77, 0x77 }, body[4..12]);
        Assert.Equal(body, reflection.Write(value));
        Assert.Equal(body, formatter.Write(formatter.Read(body)));
        Assert.Equal(body, reflection.Write(reflection.Read(body)));
        foreach (MessageFormatter<FurtherOld> old in Both(FurtherOld.MessageContract))
            Assert.Equal(value.Uri, old.Read(body).Uri);
        var random = new Random(20261121);
        for (int i = 0; i < 3000; i++)
        {
            byte[] mutant = Mutant.Of(body, random);
            (byte[]? expected, string? expectedError) = Mutant.Outcome(() => reflection.Write(reflection.Read(mutant)));
            (byte[]? bytes, string? error) = Mutant.Outcome(() => formatter.Write(formatter.Read(mutant)));
            Assert.True(expectedError == error, $"{Convert.ToHexString(mutant)}: {expectedError} / {error}");
            Assert.Equal(expected, bytes);
        }
    }

    [Fact]
    public void MissingCollections_AreEmpty_AndOthersRefused()
    {
        byte[] old = new VersionedFormatter<FurtherOld>(FurtherOld.MessageContract).Write(new FurtherOld());
        foreach (MessageFormatter<FurtherNulls> formatter in Both(FurtherNulls.MessageContract))
        {
            FurtherNulls value = formatter.Read(old);
            Assert.False(value.Immutable.IsDefault);
            Assert.Equal((0, 0, 0, 0, 0, 0, 0), (value.Set.Count, value.Queue.Count, value.Immutable.Length, value.Sorted.Count, value.Grid.Length, value.Table.Count, value.Objects.Count));
            Assert.Equal(BigInteger.Zero, value.Big);
        }

        foreach (MessageFormatter<FurtherRecord> formatter in Both(FurtherRecord.MessageContract))
        {
            FurtherRecord value = formatter.Read(old);
            Assert.False(value.Immutable.IsDefault);
            Assert.Empty(value.Set);
        }

        foreach (MessageFormatter<NeedsVersion> formatter in Both(NeedsVersion.MessageContract))
            Assert.Equal(("NeedsVersion.Version", MessageFormatErrorCode.MissingMember), Error(() => formatter.Read(old)));
    }

    private static IEnumerable<MessageFormatter<T>> Both<T>(MessageContract<T> contract) => [new VersionedFormatter<T>(contract), Versions.Reflection<T>()];

    private static (string? Path, MessageFormatErrorCode Code) Error(Action act)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(act);
        return (e.MemberPath, e.Code);
    }

    private static void AssertError(MessageFormatErrorCode code, string path, Action act) => Assert.Equal((path, code), Error(act));

    private sealed class Bird : IPet;
}

/// <summary>The last member of <see cref="HasFormatted"/>.</summary>
[MessageContract(Formats = ContractFormats.Versioned)]
public partial class FormattedPart
{
    [MessageMember(9)] public int Last { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Protobuf;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>Unions whose cases are fields of the containing message, and lists that are not packed: generated and by reflection.</summary>
public class ProtobufOneofTests
{
    public static TheoryData<bool> Ways => new() { true, false };

    private static ProtobufFormatter<T> FormatterOf<T>(MessageContract<T> contract, bool isGenerated) => isGenerated ? new(contract) : new(ByReflection.Protobuf);

    private static string Hex(byte[] bytes) => string.Concat(bytes.Select(static b => b.ToString("X2", System.Globalization.CultureInfo.InvariantCulture)));

    private static byte[] Bytes(string hex) => [.. Enumerable.Range(0, hex.Length / 2).Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16))];

    [Theory]
    [MemberData(nameof(Ways))]
    public void Cases_AreFieldsOfTheMessage_InTheOrderOfTheNumbers(bool isGenerated)
    {
        ProtobufFormatter<HasOneof> formatter = FormatterOf(HasOneof.MessageContract, isGenerated);
        var value = new HasOneof { Id = 5, Note = "n", Pet = new Cat { Name = "c" }, Second = new Fish { Length = 7 } };
        Assert.Equal("0A030A0163" + "1005" + "1A016E" + "A201020807", Hex(formatter.Write(value)));
        value.Pet = new Fish { Length = 1 };
        value.Second = new Cat();
        byte[] body = formatter.Write(value);
        Assert.Equal("1005" + "1A016E" + "22020801" + "920100", Hex(body));
        HasOneof read = formatter.Read(body);
        Assert.Equal(1, Assert.IsType<Fish>(read.Pet).Length);
        Assert.Equal("", Assert.IsType<Cat>(read.Second).Name);
        Assert.Null(read.Unknown);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void NoCase_IsNull(bool isGenerated)
    {
        ProtobufFormatter<HasOneof> formatter = FormatterOf(HasOneof.MessageContract, isGenerated);
        Assert.Equal("1005", Hex(formatter.Write(new HasOneof { Id = 5 })));
        HasOneof over = new() { Pet = new Cat { Name = "before" }, Second = new Fish() };
        formatter.Read(Bytes("1005"), ref over);
        Assert.Null(over.Pet);
        Assert.Null(over.Second);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void LastCase_Counts_AndTwoInSuccessionAreMerged(bool isGenerated)
    {
        ProtobufFormatter<HasOneof> formatter = FormatterOf(HasOneof.MessageContract, isGenerated);
        // Cat "a", fish 1: the fish.
        Assert.Equal(1, Assert.IsType<Fish>(formatter.Read(Bytes("0A030A0161" + "22020801")).Pet).Length);
        // Cat "a" with prey, fish, cat without fields: a new cat.
        Cat cat = Assert.IsType<Cat>(formatter.Read(Bytes("0A030A0161" + "22020801" + "0A00")).Pet);
        Assert.Equal("", cat.Name);
        // Cat "a", then the prey of the same cat.
        cat = Assert.IsType<Cat>(formatter.Read(Bytes("0A030A0161" + "1005" + "0A0412020A00")).Pet);
        Assert.Equal("a", cat.Name);
        Assert.IsType<Cat>(cat.Prey);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void FieldOfAnotherWireType_IsUnknown_AndKept(bool isGenerated)
    {
        ProtobufFormatter<HasOneof> formatter = FormatterOf(HasOneof.MessageContract, isGenerated);
        HasOneof read = formatter.Read(Bytes("0805" + "22020801"));
        Assert.IsType<Fish>(read.Pet);
        Assert.Equal("22020801" + "0805", Hex(formatter.Write(read)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void NotNullable_HasWhatANewObjectHas_OrIsRefused(bool isGenerated)
    {
        ProtobufFormatter<NeedsOneof> formatter = FormatterOf(NeedsOneof.MessageContract, isGenerated);
        Assert.Equal("made", Assert.IsType<Cat>(formatter.Read(Bytes("2A00")).Made).Name);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes("1200")));
        Assert.Equal((MessageFormatErrorCode.MissingMember, "NeedsOneof.NotMade"), (e.Code, e.MemberPath));
        e = Assert.Throws<MessageFormatException>(() => formatter.Write(new NeedsOneof()));
        Assert.Equal((MessageFormatErrorCode.UnexpectedNull, "NeedsOneof.NotMade"), (e.Code, e.MemberPath));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void ObjectOfNoCase_IsRefused(bool isGenerated)
    {
        ProtobufFormatter<HasOneof> formatter = FormatterOf(HasOneof.MessageContract, isGenerated);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Write(new HasOneof { Pet = new Dog() }));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "HasOneof.Pet"), (e.Code, e.MemberPath));
        Assert.Contains("Dog is not a case of the oneof", e.Message);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void CasesThatAreMembers_TheLastCounts(bool isGenerated)
    {
        ProtobufFormatter<HasCases> formatter = FormatterOf(HasCases.MessageContract, isGenerated);
        // 0 is a value of a case.
        Assert.Equal("1000", Hex(formatter.Write(new HasCases { Number = 0 })));
        Assert.Equal("1A00", Hex(formatter.Write(new HasCases { Text = "" })));
        // 5, "a": the text; "a", 5: the number. Into an existing object too.
        foreach (HasCases over in new[] { new HasCases(), new HasCases { Cat = new Cat { Name = "before" }, SetByCode = new Cat() } })
        {
            HasCases read = over;
            formatter.Read(Bytes("1005" + "1A0161"), ref read);
            Assert.Equal((null, "a", null, null), (read.Number, read.Text, read.Cat, read.SetByCode));
            formatter.Read(Bytes("1A0161" + "1005" + "0801"), ref read);
            Assert.Equal((5, null, 1), (read.Number, read.Text, read.Id));
        }

        // Cat "a", bytes, a cat without fields: a new cat. Without the bytes between them they are merged.
        Assert.Equal("", formatter.Read(Bytes("2A030A0161" + "2200" + "2A00")).Cat!.Name);
        Assert.Equal("a", formatter.Read(Bytes("2A030A0161" + "2A00")).Cat!.Name);
        Assert.Equal("", formatter.Read(Bytes("9201030A0161" + "980101" + "920100")).SetByCode!.Name);
        Assert.Equal("a", formatter.Read(Bytes("9201030A0161" + "1005" + "920100")).SetByCode!.Name);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void CasesThatAreMembers_OfMessagesThatAreMerged(bool isGenerated)
    {
        ProtobufFormatter<PositionalCases> formatter = FormatterOf(PositionalCases.MessageContract, isGenerated);
        // The number of the first part of Flat, the text of the second.
        FlatCases flat = formatter.Read(Bytes("2209" + "090000000000000840" + "2203" + "120161")).Flat!;
        Assert.Equal((null, "a"), (flat.Number, flat.Text));
        Assert.Equal(3, formatter.Read(Bytes("2209" + "090000000000000840" + "2200")).Flat!.Number);
        PositionalCases read = formatter.Read(Bytes("0801" + "1A030A0161" + "120162"));
        Assert.Equal((null, "b", null), (read.Number, read.Text, read.Cat));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void TwoCasesWithValues_AreRefused(bool isGenerated)
    {
        ProtobufFormatter<HasCases> formatter = FormatterOf(HasCases.MessageContract, isGenerated);
        Assert.NotEmpty(formatter.Write(new HasCases { Number = 0, Other = 1 }));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Write(new HasCases { Number = 0, Cat = new Cat() }));
        Assert.Equal((MessageFormatErrorCode.BadValue, "HasCases"), (e.Code, e.MemberPath));
        Assert.Contains("oneof 'value'", e.Message);
        Assert.Contains("Number Cat", e.Message);
        ProtobufFormatter<PositionalCases> outer = FormatterOf(PositionalCases.MessageContract, isGenerated);
        e = Assert.Throws<MessageFormatException>(() => outer.Write(new PositionalCases(null, null, null, new FlatCases { Text = "a", Flag = false })));
        Assert.Equal((MessageFormatErrorCode.BadValue, "PositionalCases.Flat"), (e.Code, e.MemberPath));
    }

    [Fact]
    public void CasesThatAreMembers_AreAOneofOfTheSchema()
    {
        string schema = ProtobufSchema.Export<FlatCases>("test");
        Assert.Contains("  oneof value {\n    double number = 1;\n    string text = 2;\n    bool flag = 3;\n  }\n", schema);
        schema = ProtobufSchema.Export<HasCases>("test");
        Assert.Contains("  oneof other {\n    Cat set_by_code = 18;\n    sint64 other_2 = 19;\n  }\n", schema);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void UnpackedLists_HaveATagForEachElement_AndBothFormsAreRead(bool isGenerated)
    {
        ProtobufFormatter<Unpacked> formatter = FormatterOf(Unpacked.MessageContract, isGenerated);
        var value = new Unpacked { Ints = [1, 300], Longs = [-1, 1], Fixed = [2], Bools = new Queue<bool>([true, false]), Packed = [1, 2] };
        byte[] body = formatter.Write(value);
        Assert.Equal("0801" + "08AC02" + "1001" + "1002" + "1D02000000" + "3001" + "3000" + "3A020102", Hex(body));
        Assert.Equal([1, 300], formatter.Read(body).Ints);
        Unpacked packed = formatter.Read(Bytes("0A0301AC02" + "1A0402000000" + "3801" + "3802"));
        Assert.Equal([1, 300], packed.Ints);
        Assert.Equal([2U], packed.Fixed);
        Assert.Equal([1, 2], packed.Packed);
        // One after the other, and both forms in one body.
        Assert.Equal([1, 300, 7], formatter.Read(Bytes("0A0301AC02" + "0807")).Ints);
    }

    private sealed class Dog : IPet;
}

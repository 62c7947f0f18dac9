using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Serialization;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Members that attributes choose and order: docs/wire/binary.md, "Contracts". Random values are in <see cref="DifferentialTests"/>.</summary>
public class OptInTests
{
    [Fact]
    public void DataContract_TakesItsDataMembersByOrder()
    {
        OptInDerived value = new(1, "é", 3, 4) { NotAMember = 9, Own = 5 };
        byte[] expected = Bytes(w =>
        {
            w.Write(1);
            w.Write("é");
            w.Write(3L);
            w.Write(4);
            w.Write(6);
            w.Write(5);
            w.Write(false);
        });
        OptInDerived read = AssertBytes(OptInDerived.MessageContract, value, expected);
        Assert.Equal((0, 5, "1 é 3 4 6"), (read.NotAMember, read.Own, read.Text));
    }

    [Fact]
    public void MessageMember_MakesAMemberOfWhatIsNotPublic()
    {
        Marked value = new(7) { Name = "n", Other = 1 };
        Marked read = AssertBytes(Marked.MessageContract, value, Bytes(w =>
        {
            w.Write(7);
            w.Write(true);
            w.Write(1);
            w.Write(2);
            w.Write("n");
        }));
        Assert.Equal((7, "n", 0), (read.Number, read.Name, read.Other));
    }

    [Fact]
    public void Member_OfAPrivateType_IsWrittenInEveryFormat()
    {
        var value = PrivateTypes.Create();
        const string text = "1 1 1 2 3 2";
        Assert.Equal(text, value.Text);
        Assert.All(AssertSame(value), read => Assert.Equal(text, read.Text));
    }

    /// <summary>What is private, static, a method or a type hides the name of a member, but does not take its place.</summary>
    [Fact]
    public void Member_WhoseNameIsHidden_IsThatOfTheBaseClass()
    {
        var value = new Hiding { Own = 6, Replaced = 7 };
        HiddenBase part = value;
        (part.Private, part.Static, part.Method, part.Type, part.Replaced) = (1, 2, "3", 4, 5);
        Assert.All(
            AssertSame(value),
            read =>
            {
                HiddenBase other = read;
                Assert.Equal((1, 2, "3", 4, 0), (other.Private, other.Static, other.Method, other.Type, other.Replaced));
                Assert.Equal((6, 7L, 77), (read.Own, read.Replaced, read.GetPrivate()));
            });
    }

    [Fact]
    public void Callback_WhoseNameIsHidden_IsCalledToo()
    {
        Assert.Equal("base derived ", new BinaryBodyFormatter<CalledTwice>(CalledTwice.MessageContract).Read(new byte[4]).Calls);
        Assert.Equal("base derived ", new BinaryBodyFormatter<CalledTwice>(ByReflection.Binary).Read(new byte[4]).Calls);
    }

    [Fact]
    public void Number_OnTheParameterOfARecordStruct_IsThatOfItsProperty()
    {
        var value = new PositionalPoint(5, 6);
        Assert.All(AssertSame(value), read => Assert.Equal(value, read));
        Assert.Equal("08061005", Convert.ToHexString(new ProtobufFormatter<PositionalPoint>(PositionalPoint.MessageContract).Write(value)));
        Assert.Equal("920605", Convert.ToHexString(new MessagePackFormatter<PositionalPoint>(PositionalPoint.MessageContract).Write(value)));
    }

    /// <summary>Checks that both formatters of every format write the same bytes.</summary>
    /// <returns>What each of them reads.</returns>
    private static IEnumerable<T> AssertSame<T>(T value)
    {
        (string Name, MessageFormatter<T> Formatter)[] all = AllFormats.Of<T>();
        for (int i = 0; i < all.Length; i += 2)
        {
            byte[] body = all[i].Formatter.Write(value);
            Assert.Equal((all[i].Name, Convert.ToHexString(body)), (all[i].Name, Convert.ToHexString(all[i + 1].Formatter.Write(value))));
            yield return all[i].Formatter.Read(body);
            yield return all[i + 1].Formatter.Read(body);
        }
    }

    [Fact]
    public void XmlOrder_IsTheOrder() => AssertBytes(XmlOrdered.MessageContract, new XmlOrdered { A = [1], B = 2, C = "c", D = 4 }, Bytes(w =>
    {
        w.Write(4);
        w.Write(1);
        w.Write(1);
        w.Write("c");
        w.Write(2);
    }));

    [Fact]
    public void Reflection_RefusesAMemberThatCannotBeSet()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new BinaryBodyFormatter<CannotSet>(ByReflection.Binary));
        Assert.StartsWith("CannotSet.Id has an attribute that makes it a member", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Reflection_RefusesAPublicMemberThatIsMarkedAndCannotBeSet()
    {
        foreach (Func<object> create in new Func<object>[] { () => new BinaryBodyFormatter<MarkedList>(), () => new VersionedFormatter<MarkedList>() })
        {
            ArgumentException e = Assert.Throws<ArgumentException>(create);
            Assert.StartsWith("MarkedList.Lines has an attribute that makes it a member", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Reflection_RefusesARequiredMemberThatIsLeftOut()
    {
        Assert.All<Func<object>>(
            [() => new BinaryBodyFormatter<RequiredLeftOut>(ByReflection.Binary), () => new MessagePackFormatter<RequiredLeftOut>(ByReflection.MessagePack), () => new CborFormatter<RequiredLeftOut>(), () => new CompactFormatter<RequiredLeftOut>(), () => new ProtobufFormatter<RequiredLeftOut>(ByReflection.Protobuf)],
            make => Assert.StartsWith("RequiredLeftOut.Name: RequiredLeftOut has the required member 'Name'", Assert.Throws<ArgumentException>(make).Message, StringComparison.Ordinal));
        Assert.Equal([1, 0, 0, 0], new BinaryBodyFormatter<RequiredSet>(ByReflection.Binary).Write(new RequiredSet { Id = 1 }));
    }

    [Fact]
    public void Reflection_RefusesAHiddenMemberForUnknownMembers()
    {
        Assert.All<Func<object>>(
            [
                () => new VersionedFormatter<HiddenUnknown>(ByReflection.Versioned),
                () => new MessagePackFormatter<HiddenUnknown>(ByReflection.MessagePack),
                () => new CborFormatter<HiddenUnknown>(),
                () => new CompactFormatter<HiddenUnknown>(),
                () => new ProtobufFormatter<HiddenUnknown>(ByReflection.Protobuf),
            ],
            make => Assert.Equal("HiddenUnknown.Unknown keeps the unknown members: it is not public.", Assert.Throws<ArgumentException>(make).Message));
    }

    [Fact]
    public void MessageMember_LetsAPrivateSetterCount() =>
        Assert.Equal(7, AssertBytes(MarkedSetter.MessageContract, new MarkedSetter(7), [7, 0, 0, 0]).Id);

    [Fact]
    public void Members_ThatDifferInCaseOnly_AreTold()
    {
        CaseRecord record = new(1) { x = 2 };
        Assert.Equal(record, AssertBytes(CaseRecord.MessageContract, record, [2, 0, 0, 0, 1, 0, 0, 0]));
        CaseClass value = AssertBytes(CaseClass.MessageContract, new CaseClass(1) { id = 2 }, [2, 0, 0, 0, 1, 0, 0, 0]);
        Assert.Equal((1, 2), (value.Id, value.id));
        CasePair pair = new(1, 2);
        Assert.Equal(pair, AssertBytes(CasePair.MessageContract, pair, [1, 0, 0, 0, 2, 0, 0, 0]));
        AssertSame(new VersionedFormatter<CasePair>(CasePair.MessageContract), new VersionedFormatter<CasePair>(ByReflection.Versioned));
        AssertSame(new MessagePackFormatter<CasePair>(CasePair.MessageContract), new MessagePackFormatter<CasePair>(ByReflection.MessagePack));
        AssertSame(new ProtobufFormatter<CasePair>(CasePair.MessageContract), new ProtobufFormatter<CasePair>(ByReflection.Protobuf));

        void AssertSame(MessageFormatter<CasePair> generated, MessageFormatter<CasePair> reflection)
        {
            Assert.Equal(generated.Write(pair), reflection.Write(pair));
            Assert.Equal(pair, generated.Read(reflection.Write(pair)));
            Assert.Equal(pair, reflection.Read(generated.Write(pair)));
        }
    }

    private static T AssertBytes<T>(MessageContract<T> contract, T value, byte[] expected)
    {
        var formatter = new BinaryBodyFormatter<T>(contract);
        Assert.Equal(expected, formatter.Write(value));
        foreach (bool isCompiled in new[] { false, true })
        {
            var reflection = new BinaryBodyFormatter<T>(ByReflection.Binary with { UseCompiledCode = isCompiled });
            Assert.Equal(expected, reflection.Write(value));
            Assert.Equal(expected, formatter.Write(reflection.Read(expected)));
        }

        return formatter.Read(expected);
    }

    private static byte[] Bytes(Action<BinaryWriter> write)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        write(writer);
        return stream.ToArray();
    }

    private sealed class MarkedList
    {
        [MessageMember(1)]
        public System.Collections.Generic.List<int> Lines { get; } = [];
    }

    private sealed class HiddenUnknown
    {
        [MessageMember(1)]
        public int Id { get; set; }

        internal UnknownMembers? Unknown { get; set; }
    }

    private sealed class RequiredLeftOut
    {
        [MessageMember(1)]
        public int Id { get; set; }

        [IgnoreDataMember]
        public required string Name { get; init; }
    }

    private sealed class RequiredSet
    {
        [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
        public RequiredSet() => Name = "";

        public int Id { get; set; }

        [IgnoreDataMember]
        public required string Name { get; init; }
    }

    [DataContract]
    private sealed class CannotSet
    {
        [DataMember]
        public int Id { get; } = 1;
    }
}

using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>What generated contracts must find as reflection does: fields that no source names, and names that are not those of the fields.</summary>
public partial class GeneratedContractTests
{
    private const string Sender = "Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null";

    private static readonly LegacyBinaryFormatter<object> Generated = new(PeculiarContracts.LegacyBinaryContract);

    private static readonly LegacyBinaryFormatter<object> Reflected = new(options: LegacyBinaryOptions.Default
        .WithType(typeof(Position)).WithType(typeof(WithEvent)).WithType(typeof(Captured)).WithType(typeof(Explicit)).WithType(typeof(Space.Same)).WithType(typeof(Box<int>))
        .WithType(typeof(Box<Position>)).WithType(typeof(Renamed)).WithType(typeof(Hidden)).WithType(typeof(Pair)));

    public static TheoryData<string> Names => new(Values.Keys);

    private static Dictionary<string, object> Values { get; } = new()
    {
        ["a positional record"] = new Position(1, "x") { Third = 3.5 },
        ["the field of an event"] = new WithEvent { Number = 7 },
        ["fields that are called alike"] = new Space.Same(1, 2),
        ["an explicit implementation"] = new Explicit(5),
        ["a generic class"] = new Box<int>(7),
        ["a generic class of a class"] = new Box<Position>(new Position(1, null)),
        ["fields that are hidden"] = new Hidden(1, 2, 3),
        ["a struct with private fields"] = new Pair(1, "x"),
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void Values_AreWrittenAndReadAsByThePeer(string name)
    {
        byte[] theirs = Peer.Write(Values[name]);

        Bodies.AssertEqual(theirs, Reflected.Write(Values[name]), name + ", by reflection");
        Bodies.AssertEqual(theirs, Generated.Write(Values[name]), name);
        Bodies.AssertEqual(theirs, Reflected.Write(Generated.Read(theirs)), name + ", read");
    }

    [Fact]
    public void ACapturedParameter_Travels()
    {
        var captured = new Captured(42);

        Bodies.AssertEqual(Peer.Write(captured), Generated.Write(captured), "a parameter of the class that a method uses");
        Assert.Equal(42, ((Captured)Generated.Read(Peer.Write(captured))).Number);
    }

    [Fact]
    public void NamesByAttribute_AreWrittenAndRead()
    {
        var renamed = new Renamed { Id = 7, Note = "x" };
        byte[] body = Generated.Write(renamed);

        Bodies.AssertEqual(Reflected.Write(renamed), body, "an object under other names");
        string text = System.Text.Encoding.ASCII.GetString(body);
        foreach (string name in new[] { Sender, "Shop.Order", "m_id", "m_note" })
            Assert.Contains(name, text, StringComparison.Ordinal);
        foreach (LegacyBinaryFormatter<object> formatter in new[] { Generated, Reflected })
        {
            var read = (Renamed)formatter.Read(body);
            Assert.Equal((7, "x"), (read.Id, read.Note));
        }
    }

    [Fact]
    public void OptionsForNames_HoldForGeneratedContracts()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(typeof(Position), "Old.Position", Sender).WithMember(typeof(Position), "<Second>k__BackingField", "second");
        var generated = new LegacyBinaryFormatter<Position>(PeculiarContracts.LegacyBinaryContract, options);

        byte[] body = generated.Write(new Position(1, "x"));

        Bodies.AssertEqual(new LegacyBinaryFormatter<Position>(options).Write(new Position(1, "x")), body, "an object under other names");
        Assert.Equal(new Position(1, "x"), generated.Read(body));
    }

    [Fact]
    public void OptionalFields_MayBeMissing_OthersNot()
    {
        LegacyBinaryOptions old = LegacyBinaryOptions.Default.WithType(typeof(Version1), "V", Sender);
        LegacyBinaryOptions current = LegacyBinaryOptions.Default.WithType(typeof(Version2), "V", Sender) with { RequireAllMembers = true };
        LegacyBinaryOptions next = LegacyBinaryOptions.Default.WithType(typeof(Version3), "V", Sender) with { RequireAllMembers = true };
        byte[] body = new LegacyBinaryFormatter<Version1>(VersionContracts.LegacyBinaryContract, old).Write(new Version1 { Id = 7, Gone = "x" });

        Assert.Equal(7, new LegacyBinaryFormatter<Version2>(VersionContracts.LegacyBinaryContract, current).Read(body).Id);
        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<Version3>(VersionContracts.LegacyBinaryContract, next).Read(body));
        Assert.Equal("Version3.Added", error.MemberPath);
    }

    [Fact]
    public void ATypeOutsideTheContract_IsRefusedWhenTheFormatterIsMade()
    {
        Assert.Throws<ArgumentException>(() => new LegacyBinaryFormatter<Leaf>(PeculiarContracts.LegacyBinaryContract));
        Assert.Throws<ArgumentException>(() => new LegacyBinaryFormatter<Position>(PeculiarContracts.LegacyBinaryContract, LegacyBinaryOptions.Default.WithType(typeof(Leaf))));
        Assert.Throws<ArgumentNullException>(() => new LegacyBinaryFormatter<Position>((LegacyBinaryContract)null!));
    }

    [Fact]
    public void AContractOnAType_ReachesItsPrivateTypes()
    {
        var formatter = new LegacyBinaryFormatter<Owner>(Owner.LegacyBinaryContract);
        var owner = new Owner(3);

        Bodies.AssertEqual(Peer.Write(owner), formatter.Write(owner), "an object with a private type in it");
        Assert.Equal(3, formatter.Read(Peer.Write(owner)).Number);
    }

    [Fact]
    public void TypesThatWriteTheirOwnMembers_AreSaidByTheOptions()
    {
        LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithSerializable<SerializableTests.Rate>(
            static members => new SerializableTests.Rate(members.Get<int>("percent")), static (rate, members) => members.Add("percent", rate.Percent));
        var formatter = new LegacyBinaryFormatter<SerializableTests.Rate[]>(RateContracts.LegacyBinaryContract, options);

        SerializableTests.Rate[] read = formatter.Read(formatter.Write([new(5)]));

        Assert.Equal(5, read[0].Percent);
    }

    [LegacyBinaryContract(
        typeof(Position), typeof(WithEvent), typeof(Captured), typeof(Explicit), typeof(Space.Same), typeof(Box<int>), typeof(Box<Position>), typeof(Renamed), typeof(Hidden),
        typeof(Pair))]
    private static partial class PeculiarContracts;

    [LegacyBinaryContract(typeof(Version1), typeof(Version2), typeof(Version3))]
    private static partial class VersionContracts;

    [LegacyBinaryContract(typeof(SerializableTests.Rate[]))]
    private static partial class RateContracts;

    [Serializable]
    public sealed record Position(int First, string? Second)
    {
        public double Third { get; init; }
    }

    [Serializable]
    public sealed class WithEvent
    {
        public int Number;

        public event EventHandler? Changed;

        [field: NonSerialized]
        public event EventHandler? Left;

        public void Raise()
        {
            Changed?.Invoke(this, EventArgs.Empty);
            Left?.Invoke(this, EventArgs.Empty);
        }
    }

    [Serializable]
    public sealed class Captured(int number)
    {
        public int Number => number;
    }

    public interface INumber
    {
        int Number { get; }
    }

    [Serializable]
    public sealed class Explicit(int number) : INumber
    {
        int INumber.Number { get; } = number;
    }

    /// <summary>A class whose base class has its name.</summary>
    [Serializable]
    public class Same(int inner)
    {
        private readonly int _inner = inner;

        public int Inner => _inner;
    }

    public static class Space
    {
        [Serializable]
        public class Middle(int inner) : GeneratedContractTests.Same(inner)
        {
            private protected string? _middle = "m";
        }

        [Serializable]
        public sealed class Same(int inner, int outer) : Middle(inner)
        {
            private readonly int _inner = outer;

            public int Outer => _inner;
        }
    }

    [Serializable]
    public class Box<T>(T value)
    {
        private readonly T _value = value;
        private T? _other;

        public T Value => _value;

        public T? Other
        {
            get => _other;
            set => _other = value;
        }
    }

    [Serializable]
    public class Level1(int id)
    {
        internal readonly int Id = id;
        protected int _number = id + 1;
    }

    [Serializable]
    public class Level2(int id, int second) : Level1(id)
    {
        internal new readonly int Id = second;
    }

    [Serializable]
    public sealed class Hidden(int id, int second, int third) : Level2(id, second)
    {
        public new int Id = third;
    }

    [Serializable]
    public readonly struct Pair(int first, string second)
    {
        private readonly int _first = first;

        public int First => _first;

        public string Second { get; } = second;
    }

    [Serializable, LegacyBinaryName("Shop.Order", AssemblyName = Sender)]
    public sealed class Renamed
    {
        [LegacyBinaryName("m_id")]
        private int _id;

        public int Id
        {
            get => _id;
            set => _id = value;
        }

        [LegacyBinaryName("m_note")]
        public string? Note { get; set; }
    }

    public sealed class Version1
    {
        public int Id;
        public string? Gone;
    }

    public sealed class Version2
    {
        public int Id;
        [OptionalField]
        public string? Added;
    }

    public sealed class Version3
    {
        public int Id;
        public string? Added;
    }

    [Serializable, LegacyBinaryContract]
    public sealed partial class Owner(int number)
    {
        private readonly List<Inner?> _inner = [new Inner { Number = number }, null];

        public int Number => _inner[0]!.Number;

        [Serializable]
        private sealed class Inner
        {
            public int Number { get; init; }
        }
    }
}

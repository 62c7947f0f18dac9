using System;
using System.Collections;
using System.Collections.Generic;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>A member that the type no longer has: what only it refers to is not looked at.</summary>
public class PassedOverTests
{
    private static readonly LegacyBinaryOptions AsOld = LegacyBinaryOptions.Default.WithType(typeof(New), typeof(Old).FullName);

    public static TheoryData<string> Names => new(Values.Keys);

    private static Dictionary<string, Func<Gadget, object>> Values { get; } = new()
    {
        ["an object"] = static gadget => gadget,
        ["an array list"] = static gadget => new ArrayList { gadget, "x", 1, gadget },
        ["an array of objects"] = static gadget => new object[] { 1, gadget },
        ["an array of them"] = static gadget => new[] { gadget },
        ["a jagged array of them"] = static gadget => new[] { new[] { gadget } },
        ["lists in lists"] = static gadget => new ArrayList { new ArrayList { new object[] { gadget } } },
        ["the values of a hash table"] = static gadget => new Hashtable { ["a"] = gadget },
        ["the keys of a hash table"] = static gadget => new Hashtable { [gadget] = "a" },
        ["a hash table with a comparer"] = static gadget => new Hashtable(new GadgetComparer()) { ["a"] = gadget },
        ["a list of them"] = static gadget => new List<Gadget> { gadget },
        ["a dictionary of them"] = static gadget => new Dictionary<string, Gadget> { ["a"] = gadget },
        ["structs"] = static gadget => new ArrayList { new Part { Gadget = gadget, Number = 1 } },
        ["a declared class that holds one"] = static gadget => new ArrayList { new Holder { Name = "h", Any = gadget, List = new ArrayList { gadget } } },
        ["an exception"] = static _ => new ArrayList { new InvalidOperationException("x") },
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void AMemberThatTheTypeLacks_IsPassedOver(string name)
    {
        var gadget = new Gadget { Name = "g" };
        string shared = new('s', 3);
        var old = new Old { Gone = Values[name](gadget), Shared = shared, List = new ArrayList { 1, shared }, Table = new Hashtable { ["k"] = shared }, Number = 7 };
        old.Gone = new object[] { old.Gone, shared, old.List, old.Table, old };
        byte[] body = BodyOf(old);

        New read = new LegacyBinaryFormatter<New>(AsOld.WithType(typeof(Holder))).Read(body);

        Assert.Equal(("sss", 7), (read.Shared, read.Number));
        Assert.Equal([1, "sss"], read.List!);
        Assert.Same(read.Shared, read.List![1]);
        Assert.Same(read.Shared, read.Table!["k"]);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void WhatAMemberStillHolds_IsRefusedAsBefore(string name)
    {
        var old = new Old { Any = Values[name](new Gadget()), Gone = new ArrayList { new Gadget() } };

        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<New>(AsOld.WithType(typeof(Holder))).Read(BodyOf(old)));

        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, error.Code);
        Assert.True(error.MemberPath is not null, error.ToString());
    }

    [Fact]
    public void OneObject_FromAMemberThatIsThereAndOneThatIsNot_IsRefused()
    {
        var list = new ArrayList { new Gadget() };
        byte[] body = BodyOf(new Old { Gone = list, List = list });

        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<New>(AsOld).Read(body));

        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "object[]"), (error.Code, error.MemberPath));
    }

    [Fact]
    public void AChainOfLists_AtWhoseSideSomethingIsPassedOver_TakesNoStack()
    {
        ArrayList? chain = null;
        for (int i = 0; i < 100_000; i++)
            chain = new ArrayList(1) { chain };
        byte[] body = new LegacyBinaryFormatter<Old>(LegacyBinaryOptions.Default.WithType(typeof(Gadget)))
            .Write(new Old { Gone = new object[] { chain!, new ArrayList { new Gadget() } }, List = chain, Number = 7 });
        New? read = null;
        var thread = new System.Threading.Thread(() => read = new LegacyBinaryFormatter<New>(AsOld).Read(body), maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();

        Assert.Equal(7, read!.Number);
    }

    /// <summary>Types are held by the class that holds DBNull: .NET Framework writes them so, .NET not at all.</summary>
    [Fact]
    public void ATypeInAMemberThatTheTypeLacks_IsPassedOver()
    {
        byte[] body = BodyOf(new Old { Gone = new ArrayList { DBNull.Value }, Number = 7 });
        int at = body.AsSpan().IndexOf("UnitySerializationHolder"u8);
        at += body.AsSpan(at).IndexOf(new byte[] { 10, 2, 0, 0, 0 });
        body[at + 1] = 4;

        Assert.Equal(7, new LegacyBinaryFormatter<New>(AsOld).Read(body).Number);
        var error = Assert.Throws<MessageFormatException>(() => new LegacyBinaryFormatter<Old>().Read(body));
        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, error.Code);
    }

    private static byte[] BodyOf(Old old) => Peer.Write(old);

    [Serializable]
    public sealed class Old
    {
        public object? Gone;
        public string? Shared;
        public ArrayList? List;
        public Hashtable? Table;
        public object? Any;
        public int Number;
    }

    [Serializable]
    public sealed class New
    {
        public string? Shared;
        public ArrayList? List;
        public Hashtable? Table;
        public object? Any;
        public int Number;
    }

    [Serializable]
    public sealed class Gadget
    {
        public string? Name;
    }

    [Serializable]
    public struct Part
    {
        public Gadget? Gadget;
        public int Number;
    }

    [Serializable]
    public sealed class Holder
    {
        public string? Name;
        public object? Any;
        public ArrayList? List;
    }

    [Serializable]
    public sealed class GadgetComparer : IEqualityComparer
    {
        public new bool Equals(object? x, object? y) => object.Equals(x, y);

        public int GetHashCode(object obj) => obj.GetHashCode();
    }
}

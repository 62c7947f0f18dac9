using System;
#if !FORMATTERS_NETSTANDARD
using System.Collections.Frozen;
#endif
using System.Collections.Generic;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Members of rare types, generated and by reflection.</summary>
public class OddMemberTests
{
    [Fact]
    public void ATupleWithoutItems_AndAReadOnlyReferenceOfAConstructor_AreSupported()
    {
        int count = 0;
        int x = 7;
        foreach ((string name, MessageFormatter<OddMembers> formatter) in AllFormats.Of<OddMembers>())
        {
            count++;
            OddMembers read = formatter.Read(formatter.Write(new OddMembers { Number = 5, Place = new ByReadOnlyReference(in x, 8) }));
            Assert.Equal((name, 5, 7, 8), (name, read.Number, read.Place.X, read.Place.Y));
        }

        Assert.Equal(AllFormats.Count, count);
    }

#if !FORMATTERS_NETSTANDARD
    /// <summary>A frozen collection with the default comparer, or one of StringComparer, hashes strings without a key, so that a sender could make them collide.</summary>
    [Theory]
    [FormatsOf<FrozenMembers>]
    public void FrozenCollectionsOfStrings_HashWithAKey(string name)
    {
        MessageFormatter<FrozenMembers> formatter = AllFormats.Of<FrozenMembers>(name);
        string[] keys = [.. Enumerable.Range(0, 50).Select(static i => "key " + i)];
        FrozenMembers read = formatter.Read(formatter.Write(new FrozenMembers
        {
            Set = keys.ToFrozenSet(), Map = keys.ToFrozenDictionary(static key => key, static _ => 1), IgnoringCase = keys.ToFrozenSet(StringComparer.OrdinalIgnoreCase),
        }));
        foreach (object collection in new object[] { read.Set, read.Map, read.IgnoringCase })
            Assert.StartsWith("Default", collection.GetType().Name, StringComparison.Ordinal);
        Assert.Equal((name, 50, 50, true, false), (name, read.Set.Count, read.Map.Count, read.IgnoringCase.Contains("KEY 7"), read.Set.Contains("KEY 7")));
    }
#endif

    /// <summary>https://www.rfc-editor.org/rfc/rfc8949#section-3.4.6: the tag says only that the body is CBOR.</summary>
    [Theory]
    [InlineData("D9D9F7")]
    [InlineData("DA0000D9F7")]
    [InlineData("DB000000000000D9F7")]
    public void ACborBody_MayBeMarkedAsOne(string tag)
    {
        foreach ((string name, MessageFormatter<OddMembers> formatter) in AllFormats.Of<OddMembers>().Where(static row => row.Name.StartsWith("CBOR", StringComparison.Ordinal)))
        {
            byte[] mark = Bytes.Hex(tag);
            byte[] body = [.. mark, .. formatter.Write(new OddMembers { Number = 5 })];
            Assert.Equal((name, 5), (name, formatter.Read(body).Number));
            OddMembers existing = new();
            formatter.Read(body, ref existing);
            Assert.Equal(5, existing.Number);
            for (int length = 0; length < body.Length; length++)
                Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, length).ToArray())).Code);
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read([.. mark, 0xF4]));
            Assert.Equal((MessageFormatErrorCode.BadValue, mark.Length), (error.Code, error.ByteOffset));
        }
    }
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class OddMembers
{
    [MessageMember(1)] public int Number { get; set; }
    [MessageMember(2)] public ValueTuple Nothing { get; set; }
    [MessageMember(3)] public ByReadOnlyReference Place { get; set; }
}

public readonly struct ByReadOnlyReference(ref readonly int x, in int y)
{
    [MessageMember(1)] public int X { get; } = x;
    [MessageMember(2)] public int Y { get; } = y;
}

#if !FORMATTERS_NETSTANDARD
[MessageContract(Formats = KeptAll.Every)]
public sealed partial class FrozenMembers
{
    [MessageMember(1)] public FrozenSet<string> Set { get; set; } = FrozenSet<string>.Empty;
    [MessageMember(2)] public FrozenDictionary<string, int> Map { get; set; } = FrozenDictionary<string, int>.Empty;
    [MessageMember(3)] public FrozenSet<string> IgnoringCase { get; set; } = FrozenSet.ToFrozenSet<string>(["a"], StringComparer.OrdinalIgnoreCase);
}
#endif

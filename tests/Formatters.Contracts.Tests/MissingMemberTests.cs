using System;
using System.Collections.Generic;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Bodies that lack members for which nothing stands; and members that cannot be set.</summary>
public class MissingMemberTests
{
    [Theory]
    [InlineData("90", "MissingArray.Id")]
    [InlineData("91 05", "MissingArray.Name")]
    [InlineData("92 05 A161", "")]
    [InlineData("93 05 A161 A162", "")]
    public void MessagePack_AShortArray_LacksWhatTheConstructorTakes(string body, string path) =>
        AssertMissing<MissingArray>(body, path, value => Assert.Equal(("a", body.StartsWith("93", StringComparison.Ordinal) ? "b" : null, "kg", 1, null), (value.Name, value.Note, value.Unit, value.Count, value.Other)), MissingArray.MessageContract);

    [Theory]
    [InlineData("80", "MissingMap.Id")]
    [InlineData("82 A24964 05 A44E6F7465 A162", "MissingMap.Name")]
    [InlineData("82 A24964 05 A44E616D65 A161", "")]
    public void MessagePack_AMap_LacksWhatTheConstructorTakes(string body, string path) =>
        AssertMissing<MissingMap>(body, path, value => Assert.Equal((5, "a", null, "kg"), (value.Id, value.Name, value.Note, value.Unit)), MissingMap.MessageContract);

    [Theory]
    [InlineData("90", "MissingRequired.Name")]
    [InlineData("91 A161", "MissingRequired.Note")]
    [InlineData("92 A161 C0", "")]
    public void MessagePack_AShortArray_LacksWhatIsRequired(string body, string path) =>
        AssertMissing<MissingRequired>(body, path, value => Assert.Equal(("a", null, "init", "plain"), (value.Name, value.Note, value.Init, value.Plain)), MissingRequired.MessageContract);

    [Theory]
    [InlineData("80", "MissingInMap.Name")]
    [InlineData("81 A5506C61696E A162", "MissingInMap.Name")]
    [InlineData("81 A44E616D65 A161", "")]
    public void MessagePack_AMap_LacksWhatIsRequired(string body, string path) =>
        AssertMissing<MissingInMap>(body, path, value => Assert.Equal(("a", "plain"), (value.Name, value.Plain)), MissingInMap.MessageContract);

    /// <summary>Otherwise the reader would decide which of two values counts.</summary>
    [Theory]
    [InlineData("82 A44E616D65 A161 A44E616D65 A162")]
    [InlineData("83 A44E616D65 A161 A5506C61696E A162 A5506C61696E A163")]
    public void MessagePack_AMap_HasEachMemberOnce(string body)
    {
        foreach (var formatter in new MessagePackFormatter<MissingInMap>[] { new(MissingInMap.MessageContract), new(ByReflection.MessagePack) })
            Assert.Equal(MessageFormatErrorCode.DuplicateKey, Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Hex(body))).Code);
    }

    [Theory]
    [FormatsOf<MissingArray>]
    public void AnOlderBody_LacksWhatTheConstructorTakes_InEveryFormat(string name)
    {
        MessageFormatter<MissingArray> formatter = AllFormats.Of<MissingArray>(name);
        byte[] body = AllFormats.Of<MissingOlder>(name).Write(new MissingOlder(5));
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((name, MessageFormatErrorCode.MissingMember, "MissingArray.Name", (long)body.Length, true), (name, error.Code, error.MemberPath, error.ByteOffset, error.IsPoison));
        MissingArray read = formatter.Read(AllFormats.Of<MissingOld>(name).Write(new MissingOld(5, "a")));
        Assert.Equal((name, 5, "a", null, "kg", 1, null), (name, read.Id, read.Name, read.Note, read.Unit, read.Count, read.Other));
    }

    [Theory]
    [FormatsOf<MissingRequired>]
    public void AnOlderBody_LacksWhatIsRequired_InEveryFormat(string name)
    {
        MessageFormatter<MissingRequired> formatter = AllFormats.Of<MissingRequired>(name);
        byte[] body = AllFormats.Of<MissingRequiredOlder>(name).Write(new MissingRequiredOlder { Name = "a" });
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((name, MessageFormatErrorCode.MissingMember, "MissingRequired.Note", (long)body.Length), (name, error.Code, error.MemberPath, error.ByteOffset));
        MissingRequired value = new() { Name = "n", Note = "n", Init = "n", Plain = "n" };
        Assert.Throws<MessageFormatException>(() => formatter.Read(body, ref value));
    }

    [Fact]
    public void MessagePack_ASmallerRecordInARecord_IsNamed()
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<List<MissingArray>>(MissingContracts.Arrays).Read(Bytes.Hex("92 9205A161 9105")));
        Assert.Equal((MessageFormatErrorCode.MissingMember, "List<MissingArray>[1].Name", 7L), (error.Code, error.MemberPath, error.ByteOffset));
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void Json_LacksWhatTheConstructorTakes()
    {
        var formatter = new JsonFormatter<MissingMap>();
        Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => formatter.Read("""{"Id":5,"Note":null}"""u8)).Code);
        Assert.Equal("kg", formatter.Read("""{"Id":5,"Name":"a","Note":null}"""u8).Unit);
    }
#endif

    [Fact]
    public void ACollectionWithoutASetter_IsNoMember_ByReflection()
    {
        AssertRefused<UnsetList>(nameof(UnsetList.Lines));
        AssertRefused<UnsetField>(nameof(UnsetField.Id));
        AssertRefused<UnsetProperty>(nameof(UnsetProperty.Id));
        // What is computed is written for others to read.
        Assert.Equal("92 05 0A", Spaced(new MessagePackFormatter<ComputedTwice>().Write(new ComputedTwice { Id = 5 })));
        Assert.Equal("08 05 10 0A", Spaced(new ProtobufFormatter<ComputedTwice>().Write(new ComputedTwice { Id = 5 })));

        static void AssertRefused<T>(string member)
        {
            foreach (Func<object> make in new Func<object>[] { () => new MessagePackFormatter<T>(), () => new CborFormatter<T>(), () => new CompactFormatter<T>(), () => new ProtobufFormatter<T>(), () => new VersionedFormatter<T>(ByReflection.Versioned), () => new BinaryBodyFormatter<T>(ByReflection.Binary) })
                Assert.StartsWith($"{typeof(T).Name}.{member} has an attribute that makes it a member, but cannot be", Assert.Throws<ArgumentException>(make).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void ARetiredNumber_ThatNoMemberCanHave_IsRefused_ByReflection()
    {
        Assert.Contains("[RetiredMembers] has the number 300", Assert.Throws<ArgumentException>(() => new VersionedFormatter<RetiredTooHigh>(ByReflection.Versioned)).Message, StringComparison.Ordinal);
        Assert.Contains("[RetiredMembers] has the number 0", Assert.Throws<ArgumentException>(() => new MessagePackFormatter<RetiredZero>()).Message, StringComparison.Ordinal);
        Assert.Contains("[RetiredMembers] has the number 0", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<RetiredZero>()).Message, StringComparison.Ordinal);
        Assert.Contains("which is retired", Assert.Throws<ArgumentException>(() => new MessagePackFormatter<RetiredUsed>()).Message, StringComparison.Ordinal);
        Assert.Equal("91 01", Spaced(new MessagePackFormatter<RetiredTooHigh>().Write(new RetiredTooHigh { Id = 1 })));
    }

    [Fact]
    public void AFormatterThatIsNull_IsRefused_ByReflection()
    {
        Assert.ThrowsAny<ArgumentException>(() => new BinaryBodyFormatter<NoFormatter>(ByReflection.Binary));
        Assert.ThrowsAny<ArgumentException>(() => new MessagePackFormatter<NoFormatter>());
        Assert.ThrowsAny<ArgumentException>(() => new ProtobufFormatter<NoFormatter>());
        Assert.ThrowsAny<ArgumentException>(() => new CborFormatter<NoFormatter>());
        Assert.ThrowsAny<ArgumentException>(() => new CompactFormatter<NoFormatter>());
    }

    private static string Spaced(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", " ", StringComparison.Ordinal);

    private static void AssertMissing<T>(string body, string path, Action<T> check, MessageContract<T> contract)
    {
        foreach (MessagePackFormatter<T> formatter in new[] { new MessagePackFormatter<T>(contract), new MessagePackFormatter<T>(ByReflection.MessagePack) })
        {
            byte[] bytes = Bytes.Hex(body);
            if (path.Length == 0)
            {
                check(formatter.Read(bytes));
                continue;
            }

            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(bytes));
            Assert.Equal((MessageFormatErrorCode.MissingMember, path, (long)bytes.Length, true), (error.Code, error.MemberPath, error.ByteOffset, error.IsPoison));
        }
    }
}

[MessageContract(Formats = Formats.Traversed)]
public sealed partial record MissingOlder([MessageMember(1)] int Id);

[MessageContract(Formats = Formats.Traversed)]
public sealed partial record MissingOld([MessageMember(1)] int Id, [MessageMember(2)] string Name);

[MessageContract(Formats = Formats.Traversed)]
public sealed partial class MissingRequiredOlder
{
    [MessageMember(1)] public string Name { get; set; } = "";
}

[MessageContract(Formats = Formats.Traversed)]
public sealed partial record MissingArray([MessageMember(1)] int Id, [MessageMember(2)] string Name, [MessageMember(3)] string? Note, [MessageMember(4)] string Unit = "kg", [MessageMember(5)] int Count = 1, [MessageMember(6)] string Other = null!);

[MessageContract(Formats = ContractFormats.MessagePack)]
public sealed partial record MissingMap(int Id, string Name, string? Note, string Unit = "kg");

[MessageContract(Formats = Formats.Traversed)]
public sealed partial class MissingRequired
{
    [MessageMember(1)] public required string Name { get; set; }
    [MessageMember(2)] public required string? Note { get; init; }
    [MessageMember(3)] public string Init { get; init; } = "init";
    [MessageMember(4)] public string Plain { get; set; } = "plain";
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public sealed partial class MissingInMap
{
    public required string Name { get; set; }
    public string Plain { get; set; } = "plain";
}

[MessageContractFor(typeof(List<MissingArray>), Name = "Arrays", Formats = ContractFormats.MessagePack)]
internal static partial class MissingContracts;

public sealed class UnsetList
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public List<int> Lines { get; } = [];
}

public sealed class UnsetField
{
    [MessageMember(1)] public readonly int Id = 1;
}

public sealed class UnsetProperty
{
    [MessageMember(1)] public int Id { get; }
}

public sealed class ComputedTwice
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public int Twice => 2 * Id;
}

[RetiredMembers(300)]
public sealed class RetiredTooHigh
{
    [MessageMember(1)] public int Id { get; set; }
}

[RetiredMembers(0)]
public sealed class RetiredZero
{
    [MessageMember(1)] public int Id { get; set; }
}

[RetiredMembers(1)]
public sealed class RetiredUsed
{
    [MessageMember(1)] public int Id { get; set; }
}

public sealed class NoFormatter
{
    [MessageMember(1), MemberCodec(null!)] public int Id { get; set; }
}

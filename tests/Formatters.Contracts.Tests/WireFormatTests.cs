using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Contracts.Tests;

public class WireFormatTests
{
    public static TheoryData<string> Names => [.. WireFormat.All.Select(static format => format.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Create_ByTypeArgumentAndByType_GivesTheFormatterOfTheFormat(string name)
    {
        WireFormat format = WireFormat.Find(name)!;
        FormatterLimits limits = FormatterLimits.Default with { MaxDepth = 7 };
        MessageFormatter<WholeBodyItem> typed = MessageFormatter.Create<WholeBodyItem>(format, limits);
        IMessageFormatter untyped = MessageFormatter.Create(typeof(WholeBodyItem), format, limits);
        Assert.Equal(typed.GetType(), untyped.GetType());
        Assert.Equal((format.ContentType, format.BodyType, 7), (typed.ContentType, typed.BodyType, typed.Limits.MaxDepth));
        byte[] bytes = typed.Write(new WholeBodyItem { Id = 5, Name = "x" });
        var body = new MessageBody();
        untyped.Write(body, new WholeBodyItem { Id = 5, Name = "x" });
        Assert.Equal(bytes, body.ToArray());
        Assert.Equal("x", Assert.IsType<WholeBodyItem>(untyped.Read(body)).Name);
        Assert.Same(format, WireFormat.Find(format.ContentType.ToUpperInvariant()));
        Assert.Same(format.Inspector, MessageInspector.Find(format.ContentType));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Streams_AreWrittenAndReadAsynchronously(string name)
    {
        MessageFormatter<WholeBodyItem> formatter = MessageFormatter.Create<WholeBodyItem>(WireFormat.Find(name)!);
        var item = new WholeBodyItem { Id = 5, Name = new string('x', 70_000) };
        using var stream = new MemoryStream();
        await formatter.WriteAsync(stream, item);
        Assert.Equal(formatter.Write(item), stream.ToArray());
        stream.Position = 0;
        Assert.Equal(item.Name, (await formatter.ReadAsync(stream)).Name);
        Assert.Equal(stream.Length, stream.Position);
        stream.Position = 0;
        var small = MessageFormatter.Create<WholeBodyItem>(WireFormat.Find(name)!, FormatterLimits.Default with { MaxBodyByteCount = 100 });
        MessageFormatException error = await Assert.ThrowsAsync<MessageFormatException>(() => small.ReadAsync(stream));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, 101), (error.Code, stream.Position));
        using var canceled = new CancellationTokenSource();
        canceled.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => formatter.ReadAsync(stream, canceled.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => formatter.WriteAsync(stream, item, canceled.Token));
        await Assert.ThrowsAsync<ArgumentNullException>(() => formatter.ReadAsync((Stream)null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => formatter.WriteAsync((Stream)null!, item));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Create_WithOptions_UsesThem_AndRejectsThoseOfAnotherFormat(string name)
    {
        WireFormat format = WireFormat.Find(name)!;
        FormatterOptions options = format.DefaultOptions with { Limits = FormatterLimits.Default with { MaxDepth = 7 } };
        var formatter = MessageFormatter.Create<WholeBodyItem>(format, options);
        Assert.Same(options.Limits, formatter.Limits);
        Assert.IsType(formatter.GetType(), MessageFormatter.Create(typeof(WholeBodyItem), format, options));
        if (options is ContractOptions contract)
        {
            Assert.Equal(formatter.Write(new WholeBodyItem { Id = 5 }), MessageFormatter.Create<WholeBodyItem>(format, contract with { UseGeneratedContract = false }).Write(new WholeBodyItem { Id = 5 }));
            Assert.Throws<ArgumentException>(() => MessageFormatter.Create(WholeBodyItem.MessageContract, format, contract with { UseGeneratedContract = false }));
        }

        foreach (WireFormat other in WireFormat.All.Where(other => other != format))
        {
            Assert.Equal("options", Assert.Throws<ArgumentException>(() => MessageFormatter.Create<WholeBodyItem>(format, other.DefaultOptions)).ParamName);
            Assert.Equal("options", Assert.Throws<ArgumentException>(() => MessageFormatter.Create(typeof(WholeBodyItem), format, other.DefaultOptions)).ParamName);
            Assert.Equal("options", Assert.Throws<ArgumentException>(() => MessageFormatter.Create(WholeBodyItem.MessageContract, format, other.DefaultOptions)).ParamName);
        }

        Assert.Throws<ArgumentNullException>(() => MessageFormatter.Create<WholeBodyItem>(format, (FormatterOptions)null!));
        Assert.Throws<ArgumentNullException>(() => MessageFormatter.Create(typeof(WholeBodyItem), format, (FormatterOptions)null!));
    }

    [Fact]
    public void Find_OfAnUnknownName_ReturnsNull() => Assert.Null(WireFormat.Find("no such format"));

    [Fact]
    public void Create_OfWhatHasNoContract_ThrowsTheErrorOfTheFormatter()
    {
        Assert.Throws<ArgumentException>(() => MessageFormatter.Create(typeof(IDisposable), WireFormat.Cbor));
        Assert.Throws<ArgumentException>(() => MessageFormatter.Create<IDisposable>(WireFormat.Binary));
        Assert.Throws<ArgumentException>(() => MessageFormatter.Create(typeof(System.Collections.Generic.List<>), WireFormat.Cbor));
        Assert.Equal("type", Assert.Throws<ArgumentException>(() => MessageFormatter.Create(typeof(Span<byte>), WireFormat.Cbor)).ParamName);
        Assert.Equal("type", Assert.Throws<ArgumentException>(() => MessageFormatter.Create(typeof(void), WireFormat.Cbor)).ParamName);
        Assert.Throws<ArgumentNullException>(() => MessageFormatter.Create<int>(null!));
        Assert.Throws<ArgumentNullException>(() => MessageFormatter.Create(null!, WireFormat.Cbor));
        Assert.Throws<ArgumentNullException>(() => MessageFormatter.Create(typeof(int), null!));
    }

    [Fact]
    public void CreateOfAFormat_NeedsTheGeneratedContract()
    {
        Assert.Equal(
            BinaryBodyFormatter.Create<WholeBodyItem>().Write(new WholeBodyItem { Id = 5, Name = "x" }),
            new BinaryBodyFormatter<WholeBodyItem>(ByReflection.Binary).Write(new WholeBodyItem { Id = 5, Name = "x" }));
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => CborFormatter.Create<Version>());
        Assert.StartsWith("Version has no generated contract for Cbor. Declare it partial, with [MessageContract(Formats = ContractFormats.Cbor)]", error.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => XmlFormatter.Create<Version>());
        Assert.Throws<ArgumentException>(() => CborFormatter.Create<WholeBodyItem>(new CborOptions { UnannotatedAllowsNull = true }));
        Assert.Throws<ArgumentException>(() => new CborFormatter<WholeBodyItem>(WholeBodyItem.MessageContract, ByReflection.Cbor));
        Assert.Equal(ContractFormats.Cbor, WholeBodyItem.MessageContract.Formats & ContractFormats.Cbor);
    }
}

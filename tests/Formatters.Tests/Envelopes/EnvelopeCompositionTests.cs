using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Envelopes;
using Formatters.Orders;
using Xunit;

namespace Formatters.Tests.Envelopes;

/// <summary>Envelopes around envelopes, in any order, around formatters of every kind.</summary>
public class EnvelopeCompositionTests
{
    private static readonly SigningKey SigningKey = SigningKey.HmacSha256("s", new byte[32]);
#if !FORMATTERS_NETSTANDARD
    private static readonly EncryptionKey EncryptionKey = EncryptionKey.AesGcm("e", new byte[32]);
#endif

    private static readonly Order Sample = SampleOrders.Create(2026, 50, SampleText.Ascii);

    public static TheoryData<string> Orders
    {
        get
        {
#if FORMATTERS_NETSTANDARD
            const string Kinds = "SC";
#else
            const string Kinds = "SEC";
#endif
            var data = new TheoryData<string>();
            foreach (char a in Kinds)
            {
                data.Add($"{a}");
                foreach (char b in Kinds)
                {
                    data.Add($"{a}{b}");
                    foreach (char c in Kinds)
                        data.Add($"{a}{b}{c}");
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Orders))]
    public void RoundTrip_InAnyOrder(string envelopes)
    {
        foreach (MessageFormatter<Order> inner in new MessageFormatter<Order>[]
        {
            new HandCodedFormatter<Order>(), new XmlFormatter<Order>(), new BinaryBodyFormatter<Order>(), new MessagePackFormatter<Order>(),
        })
        {
            MessageFormatter<Order> formatter = envelopes.Reverse().Aggregate(inner, Around);
            byte[] body = formatter.Write(Sample);
            Assert.Equal(inner.Write(Sample), inner.Write(formatter.Read(body)));
            var registry = new FormatterRegistry(inner, formatter);
            var message = new MessageBody();
            ((IMessageFormatter)formatter).Write(message, Sample);
            Assert.Same(formatter, registry.Find(message));
            Assert.Equal(inner.Write(Sample), inner.Write(registry.Read<Order>(message)));

            // The same by formatters that name no type.
            IMessageFormatter untyped = envelopes.Reverse().Aggregate((IMessageFormatter)inner, Around);
            Assert.Equal(inner.Write(Sample), inner.Write((Order)untyped.Read(message)!));
            untyped.Write(message, Sample);
            Assert.Equal(inner.Write(Sample), inner.Write(formatter.Read(message)));

            // In batches: around each payload, and around all of them.
            var each = new BatchFormatter<Order>(formatter);
            Assert.Equal(3, each.ReadEach(each.Write([Sample, Sample, Sample])).Count(static item => item.IsGood));
            MessageFormatter<IReadOnlyList<Order>> all = envelopes.Reverse().Aggregate((MessageFormatter<IReadOnlyList<Order>>)new BatchFormatter<Order>(inner), Around);
            Assert.Equal(3, all.Read(all.Write([Sample, Sample, Sample])).Count);
        }
    }

    [Theory]
    [MemberData(nameof(Orders))]
    public void Limits_HoldInside(string envelopes)
    {
        var inner = new HandCodedFormatter<Order>(FormatterLimits.Default with { MaxElementCount = 49 });
        byte[] body = envelopes.Reverse().Aggregate((MessageFormatter<Order>)new HandCodedFormatter<Order>(), Around).Write(Sample);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => envelopes.Reverse().Aggregate((MessageFormatter<Order>)inner, Around).Read(body)).Code);
    }

    [Fact]
    public void Registry_TellsEnvelopesOfOneTypeApart()
    {
        var inner = new HandCodedFormatter<Order>();
        string[] kinds = [.. ((IEnumerable<object[]>)Orders).Select(static row => (string)row[0]).Where(static row => row.Length < 3)];
        var registry = new FormatterRegistry(inner, [.. kinds.Select(kind => kind.Reverse().Aggregate((MessageFormatter<Order>)inner, Around))]);
        foreach (IMessageFormatter formatter in registry.Readers)
        {
            var body = new MessageBody();
            formatter.Write(body, Sample);
            Assert.Same(formatter, registry.Find(body));
        }
    }

    [Fact]
    public void Read_ABodyOfAnotherOrder_IsRefused()
    {
        var inner = new HandCodedFormatter<Order>();
        byte[] body = Around(Around(inner, 'C'), 'S').Write(Sample);
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => Around(inner, 'S').Read(body)).Code);
    }

    private static MessageFormatter<T> Around<T>(MessageFormatter<T> inner, char kind) => kind switch
    {
        'S' => new SignedFormatter<T>(inner, SigningKey),
#if !FORMATTERS_NETSTANDARD
        'E' => new EncryptedFormatter<T>(inner, EncryptionKey),
#endif
        _ => new CompressedFormatter<T>(inner),
    };

    private static IMessageFormatter Around(IMessageFormatter inner, char kind) => kind switch
    {
        'S' => new SignedFormatter(inner, new KeyRing<SigningKey>(SigningKey)),
#if !FORMATTERS_NETSTANDARD
        'E' => new EncryptedFormatter(inner, new KeyRing<EncryptionKey>(EncryptionKey)),
#endif
        _ => new CompressedFormatter(inner),
    };
}

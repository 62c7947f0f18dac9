using System;
using System.Buffers;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using Formatters.Buffers;
using Formatters.Envelopes;
using Formatters.Orders;
using Formatters.TestSupport;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Envelopes;

public class SignedFormatterTests
{
    private static readonly HandCodedFormatter<Order> Orders = new();

    private static readonly SigningKey Hmac = SigningKey.HmacSha256("k1", Secret(1));

    private static readonly Order Sample = SampleOrders.Create(2026, 3, SampleText.Ascii);

    /// <summary>One-bit changes of signed bodies: FORMATTERS_BIT_CHANGES.</summary>
    private static int BitChangeCount => TestScale.Count("FORMATTERS_BIT_CHANGES", full: 20_000, quick: 5_000, night: 1_000_000);

    public static TheoryData<string> Keys => ["hmac", "ecdsa", "ecdsa, lent"];

    [Theory]
    [MemberData(nameof(Keys))]
    public void RoundTrip_WithEachKey(string name)
    {
        using ECDsa pair = Pair();
        SigningKey key = Key(name, pair);
        var formatter = new SignedFormatter<Order>(Orders, key);
        byte[] body = formatter.Write(Sample);

        Assert.Equal(Orders.Write(Sample), Orders.Write(formatter.Read(body)));
        Assert.Equal(Orders.Write(Sample), Orders.Write(formatter.Read(Bytes.Segmented(body, 1))));
        var existing = new Order();
        Order same = existing;
        formatter.Read(body, ref existing);
        Assert.Same(same, existing);
        Assert.Equal((ContentTypes.Signed, BodyTypes.Signed), (formatter.ContentType, formatter.BodyType));
        Assert.Equal(Orders.Write(Sample).Length + 2 + 3 + 1 + ContentTypes.Binary.Length + 3 + (name == "hmac" ? 32 : 64), body.Length);
    }

    [Fact]
    public void Write_IsWhatTheWirePageSays()
    {
        byte[] inner = Orders.Write(Sample);
        byte[] expected =
        [
            1, 1, // version, HMAC-SHA256
            0x81, 0x8C, 0x01, // body type 0x4601
            (byte)ContentTypes.Binary.Length, .. Encoding.ASCII.GetBytes(ContentTypes.Binary),
            2, (byte)'k', (byte)'1',
            .. inner,
        ];
        byte[] signature = HMACSHA256.HashData(Secret(1), expected);
        Assert.Equal([.. expected, .. signature], new SignedFormatter<Order>(Orders, Hmac).Write(Sample));
    }

    [Fact]
    public void Write_WithEcdsa_IsVerifiedByThePublicKeyAlone()
    {
        using ECDsa pair = Pair();
        byte[] body = new SignedFormatter<Order>(Orders, SigningKey.EcdsaP256("e", pair.ExportParameters(true))).Write(Sample);
        Assert.True(pair.VerifyData(body.AsSpan(0, body.Length - 64), body.AsSpan(body.Length - 64), HashAlgorithmName.SHA256, DSASignatureFormat.IeeeP1363FixedFieldConcatenation));

        var receiver = new SignedFormatter<Order>(Orders, SigningKey.EcdsaP256("e", pair.ExportParameters(false)));
        Assert.Equal(Orders.Write(Sample), Orders.Write(receiver.Read(body)));
        Assert.Contains("no private part", Assert.Throws<InvalidOperationException>(() => receiver.Write(Sample)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_IntoAnyBufferWriter_GivesTheSameBytes()
    {
        var formatter = new SignedFormatter<Order>(Orders, Hmac);
        byte[] body = formatter.Write(Sample);
        for (int i = 0; i < 3; i++)
        {
            var stingy = new StingyBufferWriter();
            formatter.Write(stingy, Sample);
            Assert.Equal(body, stingy.ToArray());
        }

        using var after = new PooledBufferWriter(16);
        after.Write((ReadOnlySpan<byte>)[7, 7, 7]);
        formatter.Write(after, Sample);
        Assert.Equal([7, 7, 7, .. body], after.WrittenSpan.ToArray());
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public void Read_ABodyWithOneBitChanged_IsRefused(string name)
    {
        using ECDsa pair = Pair();
        var formatter = new SignedFormatter<Order>(Orders, new KeyRing<SigningKey>(Key(name, pair), SigningKey.HmacSha256("k3", Secret(3)), SigningKey.HmacSha256("other", Secret(4))));
        int count = name == "hmac" ? BitChangeCount : Math.Min(BitChangeCount, 2000), done = 0;
        for (int seed = 1; done < count; seed++)
        {
            // Every bit of one order, then every bit of the next.
            byte[] body = formatter.Write(SampleOrders.Create(seed, 1, SampleText.Ascii));
            for (int bit = 0; bit < 8 * body.Length && done < count; bit++, done++)
            {
                body[bit >> 3] ^= (byte)(1 << (bit & 7));
                Assert.False(formatter.TryRead(body, out _, out MessageFormatException? error), $"seed {seed}, bit {bit}");
                Assert.NotEqual(MessageFormatErrorCode.None, error.Code);
                body[bit >> 3] ^= (byte)(1 << (bit & 7));
            }

            formatter.Read(body);
        }
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public void Read_EveryPrefixAndAByteMore_IsRefused(string name)
    {
        using ECDsa pair = Pair();
        var formatter = new SignedFormatter<Order>(Orders, Key(name, pair));
        byte[] body = formatter.Write(SampleOrders.Create(2026, 1, SampleText.Ascii));
        for (int i = 0; i < body.Length; i++)
            Assert.NotEqual(MessageFormatErrorCode.None, Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, i))).Code);
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, Assert.Throws<MessageFormatException>(() => formatter.Read([.. body, 0])).Code);
    }

    [Fact]
    public void Read_ErrorsSayWhatAndWhere()
    {
        var formatter = new SignedFormatter<Order>(Orders, Hmac);
        byte[] body = formatter.Write(Sample);
        int keyOffset = 6 + ContentTypes.Binary.Length;

        MessageFormatException changed = Refused(formatter, body, body.Length - 40);
        Assert.Equal((MessageFormatErrorCode.NotAuthentic, body.Length - 32L, true), (changed.Code, changed.ByteOffset, changed.IsPoison));
        MessageFormatException key = Refused(formatter, body, keyOffset + 1);
        Assert.Equal((MessageFormatErrorCode.UnknownKey, (long)keyOffset, false), (key.Code, key.ByteOffset, key.IsPoison));
        MessageFormatException version = Refused(formatter, body, 0);
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, 0L), (version.Code, version.ByteOffset));
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, Refused(formatter, body, 1).Code);

        // Another key under the same id.
        var stranger = new SignedFormatter<Order>(Orders, SigningKey.HmacSha256("k1", Secret(2)));
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, Assert.Throws<MessageFormatException>(() => stranger.Read(body)).Code);
    }

    [Fact]
    public void Read_AnEcdsaPublicKeyAsAnHmacSecret_IsRefused()
    {
        using ECDsa pair = Pair();
        var receiver = new SignedFormatter<Order>(Orders, SigningKey.EcdsaP256("e", pair.ExportParameters(false)));
        var forger = new SignedFormatter<Order>(Orders, SigningKey.HmacSha256("e", pair.ExportSubjectPublicKeyInfo()));
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, Assert.Throws<MessageFormatException>(() => receiver.Read(forger.Write(Sample))).Code);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(255)]
    public void Read_SignaturesOfExtremeNumbers_AreRefused(int value)
    {
        using ECDsa pair = Pair();
        var formatter = new SignedFormatter<Order>(Orders, SigningKey.EcdsaP256("e", pair.ExportParameters(true)));
        byte[] body = formatter.Write(Sample);
        body.AsSpan(body.Length - 64).Fill((byte)value);
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
    }

    [Fact]
    public void KeyRing_WritesWithTheCurrentKey_ReadsWithAny()
    {
        SigningKey second = SigningKey.HmacSha256("k2", Secret(2));
        var before = new KeyRing<SigningKey>(Hmac);
        KeyRing<SigningKey> prepared = before.WithKey(second), rotated = prepared.WithCurrent(second), after = rotated.Without("k1");
        byte[] old = new SignedFormatter<Order>(Orders, before).Write(Sample), newer = new SignedFormatter<Order>(Orders, rotated).Write(Sample);

        Assert.Equal(old, new SignedFormatter<Order>(Orders, prepared).Write(Sample));
        foreach (KeyRing<SigningKey> ring in new[] { prepared, rotated })
        {
            new SignedFormatter<Order>(Orders, ring).Read(old);
            new SignedFormatter<Order>(Orders, ring).Read(newer);
        }

        Assert.Equal(MessageFormatErrorCode.UnknownKey, Assert.Throws<MessageFormatException>(() => new SignedFormatter<Order>(Orders, after).Read(old)).Code);
        Assert.Equal(["k2", "k1"], rotated.Keys.Select(key => key.KeyId));
        Assert.Throws<ArgumentException>(() => rotated.Without("k2"));
        Assert.Throws<ArgumentException>(() => rotated.WithKey(SigningKey.HmacSha256("k1", Secret(5))));
    }

    /// <summary>Ids of which one begins with another, and such as differ in case: each body finds its own key, wherever that is in the ring.</summary>
    [Fact]
    public void KeyRing_FindsAKeyByItsWholeId()
    {
        SigningKey[] keys = [.. new[] { "k", "k1", "k10", "K1", "1", new string('k', 64) }.Select(static (id, i) => SigningKey.HmacSha256(id, Secret((byte)(10 + i))))];
        foreach (SigningKey key in keys)
        {
            byte[] body = new SignedFormatter<Order>(Orders, key).Write(Sample);
            for (int first = 0; first < keys.Length; first++)
            {
                SigningKey[] turned = [.. keys.Skip(first), .. keys.Take(first)];
                var formatter = new SignedFormatter<Order>(Orders, new KeyRing<SigningKey>(turned[0], [.. turned.Skip(1)]));
                Assert.Equal(Orders.Write(Sample), Orders.Write(formatter.Read(body)));
            }

            foreach (SigningKey other in keys.Where(other => other != key))
            {
                MessageFormatException e = Assert.Throws<MessageFormatException>(() => new SignedFormatter<Order>(Orders, other).Read(body));
                Assert.Equal((MessageFormatErrorCode.UnknownKey, false), (e.Code, e.IsPoison));
                Assert.Contains($"'{key.KeyId}'", e.Message, StringComparison.Ordinal);
                Assert.Contains($"'{other.KeyId}'", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void Keys_ThatAreNone_AreRefused()
    {
        Assert.Throws<ArgumentException>(() => SigningKey.HmacSha256("k", new byte[31]));
        Assert.Throws<ArgumentException>(() => SigningKey.HmacSha256("", Secret(1)));
        Assert.Throws<ArgumentException>(() => SigningKey.HmacSha256(new string('k', 65), Secret(1)));
        Assert.Throws<ArgumentException>(() => SigningKey.HmacSha256("a b", Secret(1)));
        Assert.Throws<ArgumentException>(() => SigningKey.HmacSha256("\u00E4", Secret(1)));
        using ECDsa wide = ECDsa.Create(ECCurve.NamedCurves.nistP384);
        Assert.Throws<ArgumentException>(() => SigningKey.EcdsaP256("k", wide.ExportParameters(true)));
        Assert.Throws<ArgumentException>(() => SigningKey.EcdsaP256("k", wide, canSign: true));
    }

    [Fact]
    public void Read_ABodyOfAnotherFormatInside_IsRefused()
    {
        DelegateFormatter<Order> other = DelegateFormatter.FromArrays<Order>("application/x-own", 0x8001, Orders.Write, Orders.Read);
        byte[] body = new SignedFormatter<Order>(other, Hmac).Write(Sample);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new SignedFormatter<Order>(Orders, Hmac).Read(body));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (e.Code, e.IsPoison));
    }

    [Fact]
    public void Read_ATagThatTheFormatterInsideAlsoReads_IsRead()
    {
        // ActiveX reads a string from other body types than the one that it writes.
        var untyped = new SignedFormatter(new ActiveXFormatter(), new KeyRing<SigningKey>(Hmac));
        var text = new SignedFormatter<string>(new ActiveXFormatter<string>(), Hmac);
        var message = new MessageBody();
        untyped.Write(message, "text");
        Assert.Equal("text", text.Read(message));
        Assert.Equal("text", untyped.Read(new MessageBody(text.Write("text"))));
        untyped.Write(message, 42);
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => text.Read(message)).Code);
        Assert.Equal(42, untyped.Read(message));
    }

    [Fact]
    public void Registry_TellsSignedBodiesFromPlainOnes()
    {
        var signed = new SignedFormatter<Order>(Orders, Hmac);
        var registry = new FormatterRegistry(signed, Orders, new XmlFormatter<Order>());
        foreach (IMessageFormatter formatter in registry.Readers)
        {
            var body = new MessageBody();
            formatter.Write(body, Sample);
            Assert.Same(formatter, registry.Find(body));
            Assert.Same(formatter, registry.Find(new MessageBody(body.Bytes, body.BodyType)));
            Assert.Equal(Orders.Write(Sample), Orders.Write(registry.Read<Order>(body)));
        }
    }

    [Fact]
    public void Registry_SignedBodiesOfTwoTypes_AreToldByTheFormatInside()
    {
        var order = new SignedFormatter<Order>(Orders, Hmac);
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(order, new SignedFormatter<Address>(new HandCodedFormatter<Address>(), Hmac)));

        DelegateFormatter<Address> own = DelegateFormatter.FromArrays<Address>("application/x-address", 0x8001, new HandCodedFormatter<Address>().Write, new HandCodedFormatter<Address>().Read);
        var registry = new FormatterRegistry(
            order, new SignedFormatter<Address>(own, Hmac), new SignedFormatter<LineItem>(new XmlFormatter<LineItem>(), Hmac), new SignedFormatter<string>(new XmlFormatter<string>(), Hmac));
        foreach ((IMessageFormatter formatter, object value) in registry.Readers.Zip([Sample, Sample.BillingAddress!, Sample.LineItems![0]!, (object)"text"]))
        {
            var body = new MessageBody();
            formatter.Write(body, value);
            Assert.Same(formatter, registry.Find(body));
            Assert.IsType(value.GetType(), registry.Read(body));
        }
    }

    [Fact]
    public void Around_ARegistry_AllItsFormatsAreSigned()
    {
        var plain = new FormatterRegistry(Orders, new XmlFormatter<Order>());
        var signed = new SignedFormatter(plain, new KeyRing<SigningKey>(Hmac));
        byte[] xml = new SignedFormatter<Order>(new XmlFormatter<Order>(), Hmac).Write(Sample);
        Assert.Equal(Orders.Write(Sample), Orders.Write((Order)signed.Read(new MessageBody(xml, BodyTypes.Signed))!));
        var body = new MessageBody();
        signed.Write(body, Sample);
        Assert.Equal(new SignedFormatter<Order>(Orders, Hmac).Write(Sample), body.ToArray());
        Assert.True(signed.CanRead(body));
        Assert.False(signed.CanRead(new MessageBody(Orders.Write(Sample), BodyTypes.Binary)));
        Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => signed.Read(new MessageBody())).Code);
    }

    [Fact]
    public void Limits_HoldForTheWholeBodyAndInside()
    {
        byte[] body = new SignedFormatter<Order>(Orders, Hmac).Write(Sample);
        var tight = new SignedFormatter<Order>(new HandCodedFormatter<Order>(FormatterLimits.Default with { MaxBodyByteCount = body.Length - 1 }), Hmac);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => tight.Read(body)).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => tight.Write(Sample)).Code);
        foreach (int byteCount in new[] { body.Length, body.Length - 1 })
        {
            // A body of exactly the greatest size is written and read, also by the formatter without a type.
            FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = byteCount };
            var typed = new SignedFormatter<Order>(new HandCodedFormatter<Order>(limits), Hmac);
            var untyped = new SignedFormatter(Orders, new KeyRing<SigningKey>(Hmac), limits);
            Action[] runs = [() => typed.Write(Sample), () => typed.Read(body), () => untyped.Write(new MessageBody(), Sample), () => untyped.Read(new MessageBody(body, BodyTypes.Signed))];
            foreach (Action run in runs)
                Assert.Equal(byteCount < body.Length ? MessageFormatErrorCode.LimitExceeded : (MessageFormatErrorCode?)null, (Record.Exception(run) as MessageFormatException)?.Code);
        }

        var inside = new SignedFormatter<Order>(new HandCodedFormatter<Order>(FormatterLimits.Default with { MaxElementCount = 2 }), Hmac);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => inside.Read(body)).Code);
    }

    [Fact]
    public async Task ManyThreads_SignAndVerify()
    {
        using ECDsa pair = Pair();
        foreach (string name in new[] { "hmac", "ecdsa", "ecdsa, lent" })
        {
            var formatter = new SignedFormatter<Order>(Orders, Key(name, pair));
            byte[] plain = Orders.Write(Sample);
            await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() =>
            {
                for (int i = 0; i < 200; i++)
                {
                    var written = new ArrayBufferWriter<byte>();
                    formatter.Write(written, Sample);
                    Assert.Equal(plain, Orders.Write(formatter.Read(written.WrittenSpan)));
                }
            })));
        }
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void WriteAndRead_WithHmac_AllocateNothingBesideThePayload()
    {
        var formatter = new SignedFormatter<Order>(Orders, Hmac);
        using var buffer = new PooledBufferWriter(64 * 1024);
        var other = new ArrayBufferWriter<byte>(64 * 1024);
        byte[] body = formatter.Write(Sample);
        Order value = formatter.Read(body);
        long allocated = long.MaxValue;
        for (int run = 0; run < 10; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                buffer.Clear();
                formatter.Write(buffer, Sample);
                other.ResetWrittenCount();
                formatter.Write(other, Sample);
                formatter.Read(body, ref value);
            }

            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        long plain = long.MaxValue;
        for (int run = 0; run < 10; run++)
        {
            byte[] inner = Orders.Write(Sample);
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
                Orders.Read(inner, ref value);
            plain = Math.Min(plain, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(plain, allocated);
    }
#endif

    private static MessageFormatException Refused(SignedFormatter<Order> formatter, byte[] body, int changed)
    {
        byte[] copy = [.. body];
        copy[changed] ^= 2;
        return Assert.Throws<MessageFormatException>(() => formatter.Read(copy));
    }

    private static SigningKey Key(string name, ECDsa pair) => name switch
    {
        "hmac" => Hmac,
        "ecdsa" => SigningKey.EcdsaP256("k1", pair.ExportParameters(includePrivateParameters: true)),
        _ => SigningKey.EcdsaP256("k1", pair, canSign: true),
    };

    private static ECDsa Pair() => ECDsa.Create(ECCurve.NamedCurves.nistP256);

    private static byte[] Secret(byte seed) => [.. Enumerable.Range(seed, 32).Select(static i => (byte)(i * 7))];
}

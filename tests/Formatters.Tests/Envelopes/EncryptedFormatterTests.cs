#if !FORMATTERS_NETSTANDARD
using Formatters.Buffers;

using Formatters.Envelopes;

using System;
using System.Buffers;
using System.Linq;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Envelopes;

public class EncryptedFormatterTests
{
    private static readonly HandCodedFormatter<Order> Orders = new();

    private static readonly byte[] PlainText = "plain text here!"u8.ToArray();

    private static readonly Order Sample = SampleOrders.Create(2026, 3, SampleText.Ascii);

    [Theory]
    [InlineData(16)]
    [InlineData(24)]
    [InlineData(32)]
    public void RoundTrip_WithEachLengthOfKey(int keyByteCount)
    {
        var formatter = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, keyByteCount)));
        byte[] body = formatter.Write(Sample), plain = Orders.Write(Sample);
        Assert.Equal(plain, Orders.Write(formatter.Read(body)));
        Assert.Equal(plain, Orders.Write(formatter.Read(Bytes.Segmented(body, 1))));
        Assert.Equal((ContentTypes.Encrypted, BodyTypes.Encrypted), (formatter.ContentType, formatter.BodyType));
        Assert.NotEqual(body, formatter.Write(Sample));

        // Another process with the same key: another salt, in both directions.
        var other = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, keyByteCount)));
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(plain, Orders.Write(other.Read(body)));
            Assert.Equal(plain, Orders.Write(formatter.Read(other.Write(Sample))));
        }
    }

    /// <summary>It is not taken for a body that was changed.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void Read_AnotherAlgorithm_IsAnUnknownFormat(byte algorithm)
    {
        var formatter = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        byte[] body = formatter.Write(Sample);
        body[1] = algorithm;
        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, 1L), (error.Code, error.ByteOffset));
    }

    [Fact]
    public void Write_IsWhatTheWirePageSays()
    {
        byte[] key = Secret(1, 32);
        byte[] body = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", key)).Write(Sample);
        byte[] header = [1, 1, 0x81, 0x8C, 0x01, (byte)ContentTypes.Binary.Length, .. Encoding.ASCII.GetBytes(ContentTypes.Binary), 2, (byte)'k', (byte)'1'];
        Assert.Equal(header, body[..header.Length]);
        ReadOnlySpan<byte> salt = body.AsSpan(header.Length, 16), nonce = body.AsSpan(header.Length + 16, 12);
        int bodyOffset = header.Length + 28;
        byte[] derived = HKDF.DeriveKey(HashAlgorithmName.SHA256, key, 32, salt.ToArray(), "formatters encrypted body 1"u8.ToArray());
        byte[] plain = new byte[body.Length - bodyOffset - 16];
        using var aes = new AesGcm(derived, 16);
        aes.Decrypt(nonce, body.AsSpan(bodyOffset, plain.Length), body.AsSpan(body.Length - 16), plain, body.AsSpan(0, bodyOffset));
        Assert.Equal(Orders.Write(Sample), plain);
    }

    [Fact]
    public void Write_IntoAnyBufferWriter_IsRead()
    {
        var formatter = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        var stingy = new StingyBufferWriter();
        formatter.Write(stingy, Sample);
        Assert.Equal(Orders.Write(Sample), Orders.Write(formatter.Read(stingy.ToArray())));
        using var after = new PooledBufferWriter(16);
        after.Write((ReadOnlySpan<byte>)[7, 7, 7]);
        formatter.Write(after, Sample);
        Assert.Equal(Orders.Write(Sample), Orders.Write(formatter.Read(after.WrittenSpan[3..])));
    }

    [Fact]
    public void Read_ABodyWithOneBitChanged_IsRefused()
    {
        var formatter = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        byte[] body = formatter.Write(SampleOrders.Create(2026, 1, SampleText.Ascii));
        formatter.Read(body);
        for (int bit = 0; bit < 8 * body.Length; bit++)
        {
            body[bit >> 3] ^= (byte)(1 << (bit & 7));
            Assert.False(formatter.TryRead(body, out _, out MessageFormatException? error), $"bit {bit}");
            Assert.NotEqual(MessageFormatErrorCode.None, error.Code);
            body[bit >> 3] ^= (byte)(1 << (bit & 7));
        }

        formatter.Read(body);
        for (int i = 0; i < body.Length; i++)
            Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, i)));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read([.. body, 0]));
        Assert.Equal((MessageFormatErrorCode.NotAuthentic, true), (e.Code, e.IsPoison));
        Assert.Null(e.InnerException);
    }

    [Fact]
    public void Keys_Rotate()
    {
        EncryptionKey first = EncryptionKey.AesGcm("k1", Secret(1, 32)), second = EncryptionKey.AesGcm("k2", Secret(2, 16));
        var before = new KeyRing<EncryptionKey>(first);
        KeyRing<EncryptionKey> rotated = before.WithKey(second).WithCurrent(second);
        byte[] old = new EncryptedFormatter<Order>(Orders, before).Write(Sample), newer = new EncryptedFormatter<Order>(Orders, rotated).Write(Sample);
        new EncryptedFormatter<Order>(Orders, rotated).Read(old);
        new EncryptedFormatter<Order>(Orders, rotated).Read(newer);
        Assert.Equal(MessageFormatErrorCode.UnknownKey, Assert.Throws<MessageFormatException>(() => new EncryptedFormatter<Order>(Orders, before).Read(newer)).Code);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(9, 32))).Read(old));
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, e.Code);
        Assert.Throws<ArgumentException>(() => EncryptionKey.AesGcm("k", Secret(1, 31)));
    }

    [Fact]
    public void Body_ShowsNothingOfThePayload()
    {
        var formatter = new EncryptedFormatter<string>(new XmlFormatter<string>(), EncryptionKey.AesGcm("k1", Secret(1, 32)));
        byte[] body = formatter.Write("secret word");
        Assert.DoesNotContain("secret", Encoding.ASCII.GetString(body), StringComparison.Ordinal);
        Assert.Equal("secret word", formatter.Read(body));
    }

    [Fact]
    public async Task ManyThreadsAndManySenders()
    {
        var senders = Enumerable.Range(0, 100).Select(_ => new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)))).ToArray();
        var receiver = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        byte[] plain = Orders.Write(Sample);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(thread => Task.Run(() =>
        {
            for (int i = 0; i < 300; i++)
            {
                var written = new ArrayBufferWriter<byte>();
                senders[(thread * 31 + i) % senders.Length].Write(written, Sample);
                Assert.Equal(plain, Orders.Write(receiver.Read(written.WrittenSpan)));
            }
        })));
    }

    [Fact]
    public void WriteAndRead_AllocateNothingBesideThePayload()
    {
        var formatter = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        using var buffer = new PooledBufferWriter(64 * 1024);
        byte[] body = formatter.Write(Sample), inner = Orders.Write(Sample);
        Order value = formatter.Read(body);
        long allocated = long.MaxValue, plain = long.MaxValue;
        for (int run = 0; run < 10; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                buffer.Clear();
                formatter.Write(buffer, Sample);
                formatter.Read(body, ref value);
            }

            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
            before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
                Orders.Read(inner, ref value);
            plain = Math.Min(plain, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(plain, allocated);
    }

    /// <summary>docs/wire/envelopes.md: a sender chooses a random salt when it starts, and another one after 4,294,967,296 bodies.</summary>
    [Fact]
    public void Salt_IsOfTheSenderAndOfSoManyBodies()
    {
        string[] salts = [.. Enumerable.Range(0, 20).Select(static _ => SaltOf(new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32))).Write(Sample)))];
        Assert.Equal(salts.Length, salts.Distinct().Count());

        EncryptionKey key = EncryptionKey.AesGcm("k1", Secret(1, 32));
        var sender = new EncryptedFormatter<Order>(Orders, key);
        string first = SaltOf(sender.Write(Sample));
        Assert.Equal(first, SaltOf(sender.Write(Sample)));

        // As if all but one of these bodies had been written.
        object writing = typeof(EncryptionKey).GetField("_writing", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(key)!;
        writing.GetType().GetField("_bodyCount", BindingFlags.Instance | BindingFlags.NonPublic)!.SetValue(writing, (1L << 32) - 1);
        byte[] last = sender.Write(Sample), next = sender.Write(Sample);
        Assert.Equal(first, SaltOf(last));
        Assert.NotEqual(first, SaltOf(next));
        Assert.Equal(SaltOf(next), SaltOf(sender.Write(Sample)));
        foreach (byte[] body in new[] { last, next })
            Assert.Equal(Orders.Write(Sample), Orders.Write(sender.Read(body)));
    }

    [Fact]
    public void Nonce_IsAnotherOneForEachBody()
    {
        var sender = new EncryptedFormatter<Order>(Orders, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        string[] nonces = [.. Enumerable.Range(0, 500).Select(_ => Convert.ToHexString(sender.Write(Sample), SaltOffset + 16, 12))];
        Assert.Equal(nonces.Length, nonces.Distinct().Count());
    }

    /// <summary>Arrays that held plain bytes are cleared before they go back to the shared pool: when a body is read or refused inside, and when it is written,
    /// while the buffer grows or if the formatter inside fails.</summary>
    [Theory]
    [InlineData(20)]
    [InlineData(1_000)]
    [InlineData(100_000)]
    public void PlainBytes_DoNotStayInTheSharedPool(int byteCount)
    {
        byte[] plain = [.. Enumerable.Range(0, byteCount).Select(static i => PlainText[i % PlainText.Length])];
        bool fails = false;
        DelegateFormatter<byte[]> inner = DelegateFormatter.FromBuffers<byte[]>(
            "application/x-raw",
            0x8001,
            (destination, value) =>
            {
                // In small parts, so that the buffer grows.
                for (int i = 0; i < value.Length; i += 16)
                    destination.Write(value.AsSpan(i, Math.Min(16, value.Length - i)));
                if (fails)
                    throw new InvalidOperationException();
            },
            content => fails ? throw new InvalidOperationException() : content.ToArray());
        var formatter = new EncryptedFormatter<byte[]>(inner, EncryptionKey.AesGcm("k1", Secret(1, 32)));
        byte[] body = formatter.Write(plain);
        AssertPoolIsClean();
        formatter.Write(new ArrayBufferWriter<byte>(), plain);
        AssertPoolIsClean();
        using (var buffer = new PooledBufferWriter(16))
            formatter.Write(buffer, plain);
        AssertPoolIsClean();
        Assert.Equal(plain, formatter.Read(body));
        AssertPoolIsClean();
        fails = true;
        Assert.ThrowsAny<Exception>(() => formatter.Read(body));
        AssertPoolIsClean();
        Assert.ThrowsAny<Exception>(() => formatter.Write(plain));
        AssertPoolIsClean();

        // What this thread returned last of each size is what it gets first.
        static void AssertPoolIsClean()
        {
            for (int arrayByteCount = 16; arrayByteCount <= 1 << 20; arrayByteCount *= 2)
            {
                byte[] array = ArrayPool<byte>.Shared.Rent(arrayByteCount);
                Assert.True(array.AsSpan().IndexOf(PlainText) < 0, $"An array of {arrayByteCount} bytes");
                ArrayPool<byte>.Shared.Return(array);
            }
        }
    }

    private static int SaltOffset => 6 + ContentTypes.Binary.Length + 3;

    private static string SaltOf(byte[] body) => Convert.ToHexString(body, SaltOffset, 16);

    private static byte[] Secret(int seed, int byteCount) => [.. Enumerable.Range(seed, byteCount).Select(static i => (byte)(i * 7))];
}
#endif

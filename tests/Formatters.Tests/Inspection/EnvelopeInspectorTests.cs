using System;
using System.Linq;
using System.Text.Json;
using Formatters.Envelopes;
using Formatters.Inspection;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Inspection;

public class EnvelopeInspectorTests
{
    private static readonly KeyRing<SigningKey> Keys = new(SigningKey.HmacSha256("k1", new byte[32]));

    private static readonly MessagePackFormatter<string[]> Texts = new();

    private static readonly InspectionOptions WithKeys = new()
    {
        SigningKeys = Keys,
#if !FORMATTERS_NETSTANDARD
        EncryptionKeys = new KeyRing<EncryptionKey>(EncryptionKey.AesGcm("e1", new byte[32])),
#endif
    };

    [Fact]
    public void Signed_IsPrintedWithItsBody()
    {
        byte[] body = new SignedFormatter<string[]>(Texts, Keys).Write(["a", "b"]);
        Assert.Equal(
            """
            {
              "$signed": "HMAC-SHA256",
              "$key": "k1",
              "$bodyType": 17923,
              "$contentType": "application/x-msgpack",
              "$signature": "good",
              "$body": [
                "a",
                "b"
              ]
            }

            """.ReplaceLineEndings("\n"),
            MessageInspector.Detect(new MessageBody(body, BodyTypes.Signed)).Inspect(body, WithKeys));
        Assert.Contains("\"$signature\": \"not verified: the key is not available\"", MessageInspector.Signed.Inspect(body), StringComparison.Ordinal);
        body[^33] ^= 1;
        Assert.Contains("\"$signature\": \"wrong\"", MessageInspector.Signed.Inspect(body, WithKeys), StringComparison.Ordinal);
    }

    [Fact]
    public void Detect_WithTheBytesAlone_FindsTheEnvelope()
    {
        string[] texts = ["a", "b"], many = [.. Enumerable.Repeat("text", 1000)];
        var binary = new BinaryBodyFormatter<string[]>();
        var cbor = new CborFormatter<string[]>();
        foreach (MessageFormatter<string[]> inner in new MessageFormatter<string[]>[] { Texts, binary, cbor, new SignedFormatter<string[]>(cbor, Keys) })
        {
            Check("signed", new SignedFormatter<string[]>(inner, Keys), texts);
            Check("batch", new BatchFormatter<string[]>(inner), [texts, many]);
            Check("compressed", new CompressedFormatter<string[]>(inner), texts);
            Check("compressed", new CompressedFormatter<string[]>(inner), many);
#if !FORMATTERS_NETSTANDARD
            // The salt is random. A binary body could be anything, so that one salt in 500 does not look random.
            Assert.Contains("encrypted", Enumerable.Range(0, inner == binary ? 20 : 1).Select(
                _ => DetectedName(new EncryptedFormatter<string[]>(inner, WithKeys.EncryptionKeys!), many)));
#endif
        }

        // The format of the body inside is not known, so that the header could be anything.
        Assert.Equal("binary", MessageInspector.Detect(new MessageBody("\u0001\u0001\0\u0001x\u0001k"u8.ToArray().Concat(new byte[64]).ToArray())).Name);

        static void Check<T>(string name, MessageFormatter<T> formatter, T value) => Assert.Equal(name, DetectedName(formatter, value));

        static string DetectedName<T>(MessageFormatter<T> formatter, T value) => MessageInspector.Detect(new MessageBody(formatter.Write(value))).Name;
    }

    [Fact]
    public void Offsets_AreThoseOfTheWholeBody()
    {
        byte[] body = new SignedFormatter<string[]>(Texts, Keys).Write(["a", "b"]);
        string[] lines = MessageInspector.Signed.Inspect(body, WithKeys with { ShowOffsets = true }).Split('\n');
        int bodyOffset = 2 + 3 + 1 + ContentTypes.MessagePack.Length + 3;
        Assert.Contains(lines, line => line.StartsWith($"/* {bodyOffset:X8} */   \"$body\": [", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.StartsWith($"/* {bodyOffset + 1:X8} */     \"a\"", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.StartsWith($"/* {bodyOffset + 3:X8} */     \"b\"", StringComparison.Ordinal));
    }

    [Fact]
    public void Batch_IsPrintedPayloadByPayload()
    {
        byte[] body = new BatchFormatter<string[]>(Texts).Write([["a"], [], ["b", "c"]]);
        using JsonDocument document = JsonDocument.Parse(MessageInspector.Batch.Inspect(body));
        Assert.Equal(3, document.RootElement.GetProperty("$batch").GetInt32());
        Assert.Equal(["a", "bc"], document.RootElement.GetProperty("$payloads").EnumerateArray().Where(static p => p.GetArrayLength() > 0)
            .Select(static p => string.Concat(p.EnumerateArray().Select(static text => text.GetString()))));
    }

    [Fact]
    public void EnvelopesInsideEachOther_AreOpened()
    {
        string[] value = [.. Enumerable.Repeat("text", 1000)];
        var signed = new SignedFormatter<string[]>(new CompressedFormatter<string[]>(Texts), Keys);
#if FORMATTERS_NETSTANDARD
        byte[] body = signed.Write(value);
        string text = MessageInspector.Signed.Inspect(body, WithKeys);
#else
        var encrypted = new EncryptedFormatter<string[]>(signed, WithKeys.EncryptionKeys!);
        byte[] body = encrypted.Write(value);
        string text = MessageInspector.Encrypted.Inspect(body, WithKeys);
        string without = MessageInspector.Encrypted.Inspect(body);
        Assert.Contains("\"$binary\"", without, StringComparison.Ordinal);
        Assert.DoesNotContain("\"text\"", without, StringComparison.Ordinal);
        body[^1] ^= 1;
        Assert.Equal(MessageFormatErrorCode.NotAuthentic, Assert.Throws<MessageFormatException>(() => MessageInspector.Encrypted.Inspect(body, WithKeys)).Code);
#endif
        Assert.Equal(1000, text.Split("\"text\"").Length - 1);
        Assert.Contains("\"$signature\": \"good\"", text, StringComparison.Ordinal);
    }

    [Fact]
    public void EveryPrefix_GivesTheTypedError()
    {
        foreach (byte[] body in new[]
        {
            new SignedFormatter<string[]>(Texts, Keys).Write(["a", "b"]),
            new CompressedFormatter<string[]>(Texts).Write([.. Enumerable.Repeat("text", 1000)]),
            new BatchFormatter<string[]>(Texts).Write([["a"], ["b"]]),
#if !FORMATTERS_NETSTANDARD
            new EncryptedFormatter<string[]>(Texts, WithKeys.EncryptionKeys!).Write(["a"]),
#endif
        })
        {
            MessageInspector[] inspectors = [MessageInspector.Signed, MessageInspector.Encrypted, MessageInspector.Compressed, MessageInspector.Batch];
            MessageInspector own = Assert.Single(inspectors, inspector => Record.Exception(() => inspector.Inspect(body, WithKeys)) is null);
            for (int i = 0; i < body.Length; i++)
            {
                foreach (MessageInspector inspector in inspectors)
                {
                    Exception? error = Record.Exception(() => inspector.Inspect(body.AsSpan(0, i), WithKeys));
                    // Random bytes may be a whole envelope of another kind.
                    bool isOther = inspector != own && error is null;
                    Assert.True(isOther || (error is MessageFormatException e && e.ByteOffset >= 0 && e.ByteOffset <= i), $"{inspector} of {i} bytes: {error}");
                }
            }
        }
    }

    [Fact]
    public void Towers_AreRefused()
    {
        var key = SigningKey.HmacSha256("k", new byte[32]);
        IMessageFormatter tower = new MessagePackFormatter<int>();
        var body = new MessageBody();
        for (int i = 0; i < 16; i++)
            tower = new SignedFormatter(tower, new KeyRing<SigningKey>(key));
        tower.Write(body, 1);
        MessageInspector.Signed.Inspect(body.ToArray());
        new SignedFormatter(tower, new KeyRing<SigningKey>(key)).Write(body, 1);
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => MessageInspector.Signed.Inspect(body.ToArray())).Code);

        // Each payload may expand to 64 KiB, and all of them come from a few bytes: together they are more than the body may ask for.
        DelegateFormatter<byte[]> raw = DelegateFormatter.FromArrays<byte[]>("application/x-raw", 0x8001, static bytes => bytes, static bytes => bytes);
        var bombs = new CompressedFormatter<System.Collections.Generic.IReadOnlyList<byte[]>>(new BatchFormatter<byte[]>(new CompressedFormatter<byte[]>(raw)));
        byte[] bomb = bombs.Write([.. Enumerable.Repeat(new byte[60_000], 500)]);
        Assert.InRange(bomb.Length, 1, 20_000);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => MessageInspector.Compressed.Inspect(bomb)).Code);
    }

    [Fact]
    public void Registry_OfInspectors_FindsEnvelopesByTheirTags()
    {
        foreach ((string contentType, int bodyType, MessageInspector inspector) in new[]
        {
            (ContentTypes.Signed, BodyTypes.Signed, MessageInspector.Signed),
            (ContentTypes.Encrypted, BodyTypes.Encrypted, MessageInspector.Encrypted),
            (ContentTypes.Compressed, BodyTypes.Compressed, MessageInspector.Compressed),
            (ContentTypes.Batch, BodyTypes.Batch, MessageInspector.Batch),
        })
        {
            Assert.Same(inspector, MessageInspector.Find(inspector.Name));
            Assert.Same(inspector, MessageInspector.Detect(new MessageBody(default(ReadOnlyMemory<byte>), 0, contentType)));
            Assert.Same(inspector, MessageInspector.Detect(new MessageBody(default(ReadOnlyMemory<byte>), bodyType)));
        }
    }
}

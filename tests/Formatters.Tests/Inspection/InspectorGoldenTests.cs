using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Formatters.Inspection;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.Inspection;

/// <summary>Every golden body by every inspector: found by its bytes, printed whole, printed damaged.</summary>
public sealed class InspectorGoldenTests(ITestOutputHelper output)
{
    private static readonly JsonDocumentOptions WithComments = new() { CommentHandling = JsonCommentHandling.Skip, MaxDepth = 1000 };

    public static TheoryData<string, string> Files()
    {
        var files = new TheoryData<string, string>();
        foreach ((string folder, string prefix, string format) in new[]
        {
            ("system-messaging", "bin-", "legacy-binary"), ("system-messaging", "xml-", "xml"), ("nrbf", "", "legacy-binary"), ("versioned", "", "versioned"), ("binary", "", "binary"),
        })
        {
            string[] found = [.. Directory.GetFiles(Golden.Directory(folder), prefix + "*").Where(path => Path.GetExtension(path) is ".bin" or ".nrbf" or ".xml").Order(StringComparer.Ordinal)];
            Assert.NotEmpty(found);
            foreach (string path in found)
                files.Add(Path.Combine(folder, Path.GetFileName(path)), format);
        }

        return files;
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void A_body_is_recognized_and_printed(string file, string format)
    {
        byte[] body = Golden.Read("", file);
        MessageInspector inspector = MessageInspector.Detect(new MessageBody(body));
        Assert.Equal(format, inspector.Name);
        FormatterLimits limits = file.Contains("largeArray", StringComparison.Ordinal) ? FormatterLimits.Default with { MaxElementCount = int.MaxValue } : FormatterLimits.Default;
        if (file.Contains("TypesWhenNeeded", StringComparison.Ordinal))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => inspector.Inspect(body));
            Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (e.Code, e.IsPoison));
            return;
        }

        using JsonDocument plain = JsonDocument.Parse(inspector.Inspect(body, new InspectionOptions { Limits = limits }), WithComments);
        string text = inspector.Inspect(body, new InspectionOptions { Limits = limits, ShowOffsets = true });
        using JsonDocument withOffsets = JsonDocument.Parse(text, WithComments);
        Assert.True(JsonElement.DeepEquals(plain.RootElement, withOffsets.RootElement));

        // Offsets lie in the body and, but for XML, where names are put together, do not go back.
        int last = 0;
        foreach (string line in text.Split('\n').Where(line => line.StartsWith("/* 0", StringComparison.Ordinal)))
        {
            int offset = Convert.ToInt32(line.Substring(3, 8), 16);
            Assert.InRange(offset, format == "xml" ? 0 : last, body.Length);
            last = offset;
        }
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void A_body_that_was_cut_or_changed_is_printed_or_refused(string file, string format)
    {
        byte[] body = Golden.Read("", file);
        MessageInspector inspector = MessageInspector.Find(format)!;
        int step = Math.Max(1, body.Length / 300);
        int refused = 0;
        for (int length = 0; length < body.Length; length += step)
            refused += Try(inspector, body[..length]);
        if (format != "binary")
            Assert.InRange(refused, body.Length / step, int.MaxValue);
        var random = new Random(20041120);
        for (int i = 0; i < 100; i++)
        {
            byte[] damaged = Mutation.Damage(random, body);
            Try(inspector, damaged);
            Try(MessageInspector.Detect(new MessageBody(damaged)), damaged);
        }

        output.WriteLine($"{file}: {refused} prefixes refused.");
    }

    [Fact]
    public void ActiveX_bodies_are_printed_by_their_body_types()
    {
        foreach (string file in GoldenBody.Files("activex-"))
        {
            GoldenBody body = GoldenBody.Get(file);
            MessageInspector inspector = MessageInspector.Detect(new MessageBody(body.Bytes, body.BodyType));
            Assert.Equal("activex", inspector.Name);
            using JsonDocument document = JsonDocument.Parse(inspector.Inspect(body.Bytes));
            if (body.Type is "System.Int32" or "System.Int16" or "System.String" or "System.Boolean")
                Assert.True(JsonElement.DeepEquals(body.Expected, document.RootElement), body.File);
            // Numbers of one byte less are none; neither are texts of an odd length.
            if (body.Bytes.Length > 1 && body.Type != "System.Byte[]")
                Assert.Equal(1, Try(inspector, body.Bytes[..^1]));
        }

        Assert.Throws<ArgumentException>(() => MessageInspector.ActiveX(9));
    }

    /// <summary>Prints a body.</summary>
    /// <returns>1 if it was refused.</returns>
    private static int Try(MessageInspector inspector, byte[] body)
    {
        using var printed = new StringWriter();
        try
        {
            inspector.Inspect(body, printed);
            return 0;
        }
        catch (MessageFormatException e)
        {
            Assert.NotEqual(MessageFormatErrorCode.None, e.Code);
            Assert.InRange(e.ByteOffset, -1, body.Length);
            return 1;
        }
    }
}

using System;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>A formatter over a generated contract, and one over the contract found by reflection: they must agree on bytes, on what any body is read as, and on errors.</summary>
internal sealed class FormatterPair<T>(MessageFormatter<T> generated, MessageFormatter<T> reflection)
{
    /// <summary>Whether every body that ends early is an error; not where members may be absent.</summary>
    internal bool RefusesPrefixes { get; init; } = true;

    /// <summary>The same two in canonical mode, where there is one.</summary>
    internal FormatterPair<T>? Canonical { get; init; }

    internal byte[] Write(T value) => generated.Write(value);

    /// <summary>Checks random values, their bodies cut short, and as many damaged ones.</summary>
    /// <param name="seed">Where the values come from.</param>
    /// <param name="count">How many.</param>
    /// <param name="checkFurther">Checks a body as its format needs besides.</param>
    /// <returns>How many of the damaged bodies were refused.</returns>
    internal int CheckRandomValues(int seed, int count, Action<byte[]>? checkFurther = null)
    {
        var values = new RandomValues(seed) { BodyType = generated.BodyType };
        var random = new Random(seed);
        T? over = default;
        int failed = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] body = CheckValue(values.Next<T>());
            T target = over is null || i % 7 == 0 ? generated.Read(body) : over;
            generated.Read(body, ref target);
            Assert.Equal(body, generated.Write(target));
            reflection.Read(body, ref target);
            Assert.Equal(body, generated.Write(target));
            over = target;
            checkFurther?.Invoke(body);
            if (i == 0)
                CheckPrefixes(body);
            if (i % 50 == 0 && body.Length > 0)
                failed += CheckMutants(body, random, 25);
        }

        return failed;
    }

    /// <summary>Checks a value, its body cut short, and damaged.</summary>
    /// <inheritdoc cref="CheckRandomValues"/>
    internal int CheckOne(T value, int seed, int count)
    {
        byte[] body = CheckValue(value);
        CheckPrefixes(body);
        return CheckMutants(body, new Random(seed), count);
    }

    internal int CheckMutants(byte[] good, Random random, int count)
    {
        int failed = 0;
        for (int i = 0; i < count; i++)
            failed += CheckBody(Mutant.Of(good, random), good) is null ? 0 : 1;
        return failed;
    }

    /// <summary>Checks that a body is read alike by both; also over what was read of a good one, if there is one.</summary>
    /// <returns>The error.</returns>
    internal string? CheckBody(byte[] body, byte[]? good = null)
    {
        (byte[]? expected, string? expectedError) = Mutant.Outcome(() => reflection.Write(reflection.Read(body)));
        (byte[]? bytes, string? error) = Mutant.Outcome(() => generated.Write(generated.Read(body)));
        string text = $"{typeof(T).Name} {Convert.ToHexString(body)}: {expectedError} / {error}";
        Assert.True(error == expectedError, text);
        Assert.True(expected.AsSpan().SequenceEqual(bytes), text);
        if (good is null)
            return error;
        foreach (MessageFormatter<T> formatter in new[] { generated, reflection })
        {
            (byte[]? overBytes, string? overError) = Mutant.Outcome(() =>
            {
                T target = generated.Read(good);
                formatter.Read(body, ref target);
                return generated.Write(target);
            });
            Assert.True(overError == expectedError, $"{text} / over: {overError}");
            Assert.True(expected.AsSpan().SequenceEqual(overBytes), text);
        }

        return error;
    }

    private byte[] CheckValue(T value)
    {
        byte[] body = reflection.Write(value);
        Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(generated.Write(value)));
        Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(reflection.Write(generated.Read(body))));
        Canonical?.CheckCanonical(value, generated);
        return body;
    }

    private void CheckCanonical(T value, MessageFormatter<T> reader)
    {
        byte[] body = reflection.Write(value);
        Assert.Equal(body, generated.Write(value));
        Assert.Equal(body, generated.Write(reader.Read(body)));
    }

    private void CheckPrefixes(byte[] body)
    {
        for (int byteCount = 0; byteCount < body.Length; byteCount++)
        {
            string? error = CheckBody(body.AsSpan(0, byteCount).ToArray());
            Assert.True(!RefusesPrefixes || error?.StartsWith($"{MessageFormatErrorCode.Truncated} {byteCount} ", StringComparison.Ordinal) == true, error);
        }
    }
}

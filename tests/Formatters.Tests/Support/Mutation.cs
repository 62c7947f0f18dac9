using System;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.Support;

/// <summary>Damages a body in random ways and reads it: only <see cref="MessageFormatException"/> may come out.</summary>
internal static class Mutation
{
    public static void Run(ITestOutputHelper output, int seed, int count, byte[] body, Action<byte[]> read)
    {
        var random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] damaged = Damage(random, body);
            try
            {
                read(damaged);
            }
            catch (MessageFormatException e)
            {
                Assert.NotEqual(MessageFormatErrorCode.None, e.Code);
                Assert.InRange(e.ByteOffset, -1, damaged.Length);
                refused++;
            }
        }

        output.WriteLine($"seed {seed}: {count} damaged bodies of about {body.Length} bytes, {refused} refused.");
        Assert.True(refused > 0, "No damage was ever found.");
    }

    public static byte[] Damage(Random random, byte[] body)
    {
        byte[] copy = [.. body];
        for (int changes = random.Next(1, 4); changes > 0 && copy.Length > 0; changes--)
        {
            int at = random.Next(copy.Length);
            int length = Math.Min(random.Next(1, 9), copy.Length - at);
            switch (random.Next(5))
            {
                case 0:
                    copy[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    copy[at] = (byte)random.Next(256);
                    break;
                case 2:
                    copy = [.. copy.AsSpan(0, at), .. copy.AsSpan(at + length)];
                    break;
                case 3:
                    copy = [.. copy.AsSpan(0, at), .. copy.AsSpan(random.Next(copy.Length - length + 1), length), .. copy.AsSpan(at)];
                    break;
                default:
                    copy = copy[..at];
                    break;
            }
        }

        return copy;
    }
}

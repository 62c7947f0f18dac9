using System;
using System.Collections.Generic;

namespace Formatters.Contracts.Tests;

/// <summary>Damaged bodies, and what became of them.</summary>
internal static class Mutants
{
    internal static (byte[]? Bytes, string? Error) Outcome(Func<byte[]> run)
    {
        try
        {
            return (run(), null);
        }
        catch (MessageFormatException e)
        {
            return (null, $"{e.Code} {e.ByteOffset} {e.MemberPath} {e.IsPoison} {e.InnerException?.GetType().Name}");
        }
    }

    internal static byte[] Of(byte[] good, Random random)
    {
        var body = new List<byte>(good);
        for (int n = random.Next(1, 4); n > 0; n--)
        {
            int at = random.Next(body.Count);
            switch (random.Next(5))
            {
                case 0:
                    body[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    body[at] = (byte)random.Next(256);
                    break;
                case 2:
                    body[at] = (byte)random.Next(3);
                    break;
                case 3 when body.Count > 1:
                    body.RemoveAt(at);
                    break;
                default:
                    body.Insert(at, (byte)random.Next(256));
                    break;
            }
        }

        return [.. body];
    }
}

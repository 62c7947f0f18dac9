using System;
using System.Collections.Generic;
using Xunit;

namespace Formatters.Tests.Support;

/// <summary>Damages bodies for two formatters that must agree on each: on the value, or on the error.</summary>
internal static class Mutant
{
    /// <summary>A body with one to three bytes changed, inserted or removed; often to what a presence byte or a small count may be.</summary>
    public static byte[] Of(byte[] good, Random random)
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

    /// <summary>What comes of reading a body and writing it again: the bytes, or all that an error says.</summary>
    public static (byte[]? Bytes, string? Error) Outcome(Func<byte[]> run)
    {
        try
        {
            return (run(), null);
        }
        catch (MessageFormatException e)
        {
            // An error without a member path is that of a body with bytes behind the value, or one on which two runs do not agree.
            Assert.True(e.MemberPath is not null || e.Code == MessageFormatErrorCode.TrailingBytes, e.ToString());
            return (null, $"{e.Code} {e.ByteOffset} {e.MemberPath} {e.IsPoison} {e.InnerException?.GetType().Name}");
        }
    }
}

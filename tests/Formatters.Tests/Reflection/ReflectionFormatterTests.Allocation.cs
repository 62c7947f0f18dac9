using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Tests.Reflection;

public class ReflectionFormatterAllocationTests
{
    public struct Large
    {
        public long A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P;
    }

    public class Holder
    {
        public List<Large?> Values = [];
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_NullsOfALargeStructure_AreChargedBeforeTheyAreAllocated(bool compiled)
    {
        var formatter = new BinaryBodyFormatter<Holder>(BinaryBodyOptions.Default with { UseCompiledCode = compiled });
        byte[] body = [.. BitConverter.GetBytes(900_000), .. new byte[900_000]];
        Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 256 * 1024);
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, "Holder.Values", false), (e.Code, e.MemberPath, e.IsPoison));

        // Few of them, and many under a higher limit, are read.
        Assert.Equal(400, formatter.Read([.. BitConverter.GetBytes(400), .. new byte[400]]).Values.Count);
        var generous = new BinaryBodyFormatter<Holder>(new BinaryBodyOptions { Limits = FormatterLimits.Default with { MaxAllocationFactor = 200 } });
        Assert.Equal(900_000, generous.Read(body).Values.Count(v => v is null));
    }
}

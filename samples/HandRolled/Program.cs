// A hand-written contract to copy: two lines a member, nested objects and lists, a version, limits, a buffer that is used again and again.
// Claims, each checked below: the bytes are those of System.IO.BinaryWriter; every member comes back; a write allocates nothing; bad bytes are refused. The speed is only printed:
// on a busy machine a few milliseconds prove nothing, and Formatters.Benchmarks measures it.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using Formatters;
using Formatters.Buffers;

Trade trade = Trade.Sample(lineCount: 50);
var formatter = new HandCodedFormatter<Trade>(FormatterLimits.Default with { MaxBodyByteCount = 64 << 10 });
using var buffer = new PooledBufferWriter(4096); // the bytes of one message after the other: clear it when a message is sent
using var stream = new MemoryStream();
using var classic = new BinaryWriter(stream);

Write();
WriteClassic();
byte[] body = buffer.WrittenMemory.ToArray();
Check(body.AsSpan().SequenceEqual(stream.ToArray()), "the bytes are those of System.IO.BinaryWriter");
Check(formatter.Read(body).Equals(trade), "every member comes back");

for (int i = 0; i < 20_000; i++) // until the JIT is done with both
    (i % 2 == 0 ? (Action)Write : WriteClassic)();
long before = GC.GetAllocatedBytesForCurrentThread();
for (int i = 0; i < 1_000; i++)
    Write();
Check(GC.GetAllocatedBytesForCurrentThread() == before, "a write allocates nothing");
double ratio = Enumerable.Range(0, 25).Select(_ => Time(WriteClassic) / Time(Write)).Order().ElementAt(12); // in turn, the median
Console.WriteLine(FormattableString.Invariant($"     a write was {ratio:0.0} times as fast as by System.IO.BinaryWriter"));

byte[] later = [.. body];
later[0] = Trade.Version + 1;
Check(Refused(later) && Refused(body[..^1]) && Refused(new byte[100_000]), "a later version, a body cut short and one over the limit are refused");
return 0;

void Write()
{
    buffer.Clear();
    formatter.Write(buffer, trade);
}

void WriteClassic()
{
    stream.SetLength(0);
    trade.Save(classic);
    classic.Flush();
}

static double Time(Action action)
{
    long start = Stopwatch.GetTimestamp();
    for (int i = 0; i < 500; i++)
        action();
    return Stopwatch.GetElapsedTime(start).TotalSeconds;
}

bool Refused(byte[] bytes)
{
    try
    {
        return formatter.Read(bytes) is null;
    }
    catch (MessageFormatException e)
    {
        Console.WriteLine($"  {e.Code} at byte {e.ByteOffset}: {e.Message}");
        return true;
    }
}

static void Check(bool isTrue, string claim)
{
    Console.WriteLine($"{(isTrue ? "yes" : "NO")}: {claim}");
    if (!isTrue)
        Environment.Exit(1);
}

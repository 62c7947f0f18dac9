namespace System;

/// <summary>What RandomGraphs uses and .NET Framework lacks, beside the polyfills of the contracts' tests.</summary>
internal static class MoreRandomNumbers
{
    extension(Random random)
    {
        public long NextInt64() => random.NextInt64(0, long.MaxValue);

        public float NextSingle() => (float)random.NextDouble();
    }
}

namespace System;

/// <summary>What the shared sources use and .NET Framework lacks, beside the polyfills of the contracts' tests.</summary>
internal static class MorePolyfills
{
    extension(Random random)
    {
        public long NextInt64() => random.NextInt64(0, long.MaxValue);

        public float NextSingle() => (float)random.NextDouble();
    }

    extension(Type type)
    {
        public bool IsByRefLike => type.IsDefined(typeof(Runtime.CompilerServices.IsByRefLikeAttribute), inherit: false);
    }

    extension(string text)
    {
        public bool Contains(char value, StringComparison comparison) => text.IndexOf(value.ToString(), comparison) >= 0;

        public string[] Split(char separator) => text.Split([separator]);
    }
}

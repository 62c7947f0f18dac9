// What the shared sources of these tests use and .NET Framework lacks, beside what those of contracts do.
namespace System
{
    internal static class RandomExtensions
    {
        extension(Random random)
        {
            public long NextInt64() => random.NextInt64(0, long.MaxValue);

            public float NextSingle() => (float)random.NextDouble();
        }
    }
}

namespace System.Runtime.CompilerServices
{
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class ModuleInitializerAttribute : Attribute;
}

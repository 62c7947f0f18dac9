// What the shared sources use and .NET Framework lacks.
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Serialization;

namespace System
{
    internal static class BaseLibraryExtensions
    {
        extension(Convert)
        {
            public static string ToHexString(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "");

            public static byte[] FromHexString(string hex) => [.. Enumerable.Range(0, hex.Length / 2).Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16))];
        }

        extension(BitConverter)
        {
            public static float Int32BitsToSingle(int value) => BitConverter.ToSingle(BitConverter.GetBytes(value), 0);
        }

        extension(Enum)
        {
            public static T[] GetValues<T>() => (T[])Enum.GetValues(typeof(T));
        }

        extension(Runtime.CompilerServices.RuntimeHelpers)
        {
            public static object GetUninitializedObject(Type type) => FormatterServices.GetUninitializedObject(type);
        }

        extension(Random random)
        {
            public long NextInt64(long maxValue) => random.NextInt64(0, maxValue);

            public long NextInt64(long minValue, long maxValue)
            {
                var bytes = new byte[8];
                random.NextBytes(bytes);
                return unchecked(minValue + (long)(BitConverter.ToUInt64(bytes, 0) % (ulong)(maxValue - minValue)));
            }
        }

        extension(string text)
        {
            public string Replace(string oldValue, string newValue, StringComparison comparison) =>
                comparison == StringComparison.Ordinal ? text.Replace(oldValue, newValue) : throw new NotSupportedException();
        }

        extension<T>(IEnumerable<T> items)
        {
            public IEnumerable<T> Order(IComparer<T> comparer) => items.OrderBy(i => i, comparer);
        }
    }

    internal readonly struct Index(int value, bool fromEnd = false)
    {
        public int GetOffset(int length) => fromEnd ? length - value : value;

        public static implicit operator Index(int value) => new(value);
    }
}

namespace System.Runtime.CompilerServices
{
    internal static class IsExternalInit;

    [AttributeUsage(AttributeTargets.All)]
    internal sealed class RequiredMemberAttribute : Attribute;

    [AttributeUsage(AttributeTargets.All, AllowMultiple = true)]
    internal sealed class CompilerFeatureRequiredAttribute(string featureName) : Attribute
    {
        public string FeatureName { get; } = featureName;
    }
}

namespace System.Diagnostics.CodeAnalysis
{
    [AttributeUsage(AttributeTargets.Constructor)]
    internal sealed class SetsRequiredMembersAttribute : Attribute;
}

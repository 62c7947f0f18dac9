// Members that netstandard2.0 lacks, with the behavior of .NET's, as far as the queues use them. Internal: not part of the public API.
#if !NET
global using Int128 = System.Numerics.BigInteger;
global using UInt128 = System.Numerics.BigInteger;
global using static System.BaseLibraryPolyfills;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace System
{
    internal static class BaseLibraryPolyfills
    {
        extension(ArgumentNullException)
        {
            public static void ThrowIfNull(object? argument, [CallerArgumentExpression(nameof(argument))] string? paramName = null)
            {
                if (argument is null)
                    throw new ArgumentNullException(paramName);
            }
        }

        extension(ArgumentException)
        {
            public static void ThrowIfNullOrEmpty(string? argument, [CallerArgumentExpression(nameof(argument))] string? paramName = null)
            {
                ArgumentNullException.ThrowIfNull(argument, paramName);
                if (argument!.Length == 0)
                    throw new ArgumentException("The value cannot be an empty string.", paramName);
            }
        }

        extension(ObjectDisposedException)
        {
            public static void ThrowIf(bool condition, object instance)
            {
                if (condition)
                    throw new ObjectDisposedException(instance.GetType().FullName);
            }
        }

        extension(ExceptionDispatchInfo)
        {
            public static void Throw(Exception exception) => ExceptionDispatchInfo.Capture(exception).Throw();
        }

        extension(Environment)
        {
            public static long TickCount64 => (long)(Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1000d));
        }

        extension(Stopwatch)
        {
            public static TimeSpan GetElapsedTime(long start) =>
            new((long)((Stopwatch.GetTimestamp() - start) * (TimeSpan.TicksPerSecond / (double)Stopwatch.Frequency)));
        }

        extension(double)
        {
            public static bool IsFinite(double value) => !double.IsNaN(value) && !double.IsInfinity(value);
        }
    }

    internal static class TextPolyfills
    {
        extension(char)
        {
            public static bool IsAsciiDigit(char value) => value is >= '0' and <= '9';

            public static bool IsAsciiHexDigit(char value) => value is (>= '0' and <= '9') or (>= 'a' and <= 'f') or (>= 'A' and <= 'F');
        }

        extension(string)
        {
            public static string Create(IFormatProvider provider, FormattableString text) => text.ToString(provider);

            public static string Join<T>(char separator, IEnumerable<T> values) => string.Join(separator.ToString(), values);

            public static string Concat(ReadOnlySpan<char> first, ReadOnlySpan<char> second, ReadOnlySpan<char> third) =>
                string.Concat(first.ToString(), second.ToString(), third.ToString());
        }

        // An ordinal comparison of a character needs no comparison type.
        extension(string text)
        {
            public bool Contains(char value, StringComparison comparison) => text.IndexOf(value) >= 0;

            public bool Contains(string value, StringComparison comparison) => text.IndexOf(value, comparison) >= 0;

            public bool EndsWith(char value) => text.Length > 0 && text[text.Length - 1] == value;

            public int IndexOf(char value, StringComparison comparison) => text.IndexOf(value);

            public string Replace(string oldValue, string newValue, StringComparison comparison) =>
                comparison == StringComparison.Ordinal ? text.Replace(oldValue, newValue) : throw new NotSupportedException();

            public int GetHashCode(StringComparison comparison) => comparison == StringComparison.Ordinal
            ? StringComparer.Ordinal.GetHashCode(text)
            : throw new NotSupportedException();
        }

        extension(ReadOnlySpan<char> span)
        {
            public bool Contains(char value) => span.IndexOf(value) >= 0;

            public int Count(char value)
            {
                int count = 0;
                foreach (char one in span)
                    count += one == value ? 1 : 0;
                return count;
            }
        }
    }

    internal static class CollectionPolyfills
    {
        extension<T>(IEnumerable<T> items)
        {
            public IEnumerable<T> Order() => items.OrderBy(item => item);
        }

        extension<T>(List<T> list)
        {
            public void AddRange(ReadOnlySpan<T> items)
            {
                foreach (T item in items)
                    list.Add(item);
            }
        }

        extension<TKey, TValue>(Dictionary<TKey, TValue> dictionary)
            where TKey : notnull
        {
            public bool TryAdd(TKey key, TValue value)
            {
                if (dictionary.ContainsKey(key))
                    return false;
                dictionary.Add(key, value);
                return true;
            }

            public TValue? GetValueOrDefault(TKey key) => dictionary.TryGetValue(key, out TValue value) ? value : default;
        }

        extension<TKey, TValue>(ConcurrentDictionary<TKey, TValue> dictionary)
            where TKey : notnull
        {
            public TValue GetOrAdd<TArgument>(TKey key, Func<TKey, TArgument, TValue> make, TArgument argument) =>
            dictionary.GetOrAdd(key, one => make(one, argument));

            public bool TryRemove(KeyValuePair<TKey, TValue> item) => ((ICollection<KeyValuePair<TKey, TValue>>)dictionary).Remove(item);
        }

        extension<T>(ReadOnlySequence<T> sequence)
        {
            public ReadOnlySpan<T> FirstSpan => sequence.First.Span;
        }
    }
}

namespace System.Numerics
{
    internal static class BitOperations
    {
        public static int TrailingZeroCount(uint value)
        {
            int count = 0;
            while (count < 32 && (value & (1u << count)) == 0)
                count++;
            return count;
        }
    }
}

namespace System.Text
{
    /// <summary>A code point.</summary>
    internal readonly struct Rune(int value)
    {
        private const int Replacement = 0xFFFD;

        public int Value => value;

        public static void DecodeFromUtf16(ReadOnlySpan<char> text, out Rune rune, out int charCount)
        {
            bool isPair = text.Length > 1 && char.IsSurrogatePair(text[0], text[1]);
            charCount = isPair ? 2 : 1;
            rune = new Rune(isPair ? char.ConvertToUtf32(text[0], text[1]) : char.IsSurrogate(text[0]) ? Replacement : text[0]);
        }

        public override string ToString() => char.ConvertFromUtf32(value);
    }
}

#endif

using System;
using System.Collections.Generic;
using Xunit;

namespace Formatters.Tests;

public class TypeNamesTests
{
    [Fact]
    public void ErrorOfAFormatter_NamesItsTypeAsCSharpDoes()
    {
        AssertName<int>("int");
        AssertName<DateTime>("DateTime");
        AssertName<DayOfWeek>("DayOfWeek");
        AssertName<object>("object");
        AssertName<int?>("int?");
        AssertName<string[]>("string[]");
        AssertName<byte[][,]>("byte[][,]");
        AssertName<List<int>>("List<int>");
        AssertName<Dictionary<string, List<decimal?>[]>>("Dictionary<string, List<decimal?>[]>");
        AssertName<Dictionary<int, bool>.KeyCollection>("KeyCollection");
        AssertName<Outer<int>.Inner<string>>("Inner<string>");
    }

    private static void AssertName<T>(string name)
    {
        DelegateFormatter<T> formatter = DelegateFormatter.FromBuffers<T>("text/plain", 0x8000, static (_, _) => { }, static _ => throw new FormatException());
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read([1]));
        Assert.Equal($"The body could not be read as {name}: see the inner exception.", e.Message);
    }

    private static class Outer<T>
    {
        internal sealed class Inner<TInner>;
    }
}

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using Formatters.Contracts.Tests.Protobuf;
using Formatters.Contracts.Tests.Versioned;
using Formatters.Contracts.Tests.Xml;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>Runs the differential tests, or those whose name has the argument in it; exits with 1 on a difference, or if too few did run.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        string filter = args.FirstOrDefault() ?? "";
        // Errors, which most damaged bodies give, take Mono a hundred times as long as .NET.
        if (Environment.GetEnvironmentVariable("FORMATTERS_TEST_PERCENT") is null)
            Environment.SetEnvironmentVariable("FORMATTERS_TEST_PERCENT", "8");
        var tests = new DifferentialTests(new ConsoleOutput());
        var versioned = new VersionedDifferentialTests(new ConsoleOutput());
        var protobuf = new ProtobufDifferentialTests(new ConsoleOutput());
        var xml = new XmlDifferentialTests(new ConsoleOutput());
        var messagePack = new MessagePackDifferentialTests(new ConsoleOutput());
        (string Name, int ValueCount, Action Test)[] all =
        [
            .. Rows(DifferentialTests.Payloads, "", DifferentialTests.ValueCount, tests.RandomValuesAndMutants_AgreeWithReflection),
            ("Orders", 0, tests.Orders_HaveTheBytesOfTheHandCodedOnes),
            .. Rows(VersionedDifferentialTests.Payloads, "versioned ", VersionedDifferentialTests.ValueCount, versioned.RandomValuesAndMutants_AgreeWithReflection),
            .. Rows(MessagePackDifferentialTests.Payloads, "MessagePack ", MessagePackDifferentialTests.ValueCount, messagePack.RandomValuesAndMutants_AgreeWithReflection),
            .. Rows(ProtobufDifferentialTests.Payloads, "protobuf ", ProtobufDifferentialTests.ValueCount, protobuf.RandomValuesAndMutants_AgreeWithReflection),
            .. Rows(XmlDifferentialTests.Payloads, "XML ", XmlDifferentialTests.ValueCount, xml.RandomValues_AreReadByXmlSerializerAndByGeneratedCode),
        ];
        var chosen = all.Where(test => test.Name.IndexOf(filter, StringComparison.Ordinal) >= 0).ToArray();
        int differences = chosen.Count(static test => !Succeeds(test.Name, test.Test));
        Console.WriteLine($"{chosen.Length} payloads, {chosen.Sum(static test => test.ValueCount)} values, {differences} with differences, on {RuntimeInformation.FrameworkDescription}, with {Library()}.");
        return differences == 0 && chosen.Length > (filter.Length > 0 ? 0 : 100) ? 0 : 1;
    }

    private static IEnumerable<(string Name, int ValueCount, Action Test)> Rows(IEnumerable<object[]> payloads, string prefix, int valueCount, Action<string> test) =>
        payloads.Select(row => (prefix + row[0], valueCount, (Action)(() => test((string)row[0]))));

    private static bool Succeeds(string name, Action test)
    {
        Console.Write(name + ": ");
        try
        {
            test();
            Console.WriteLine("ok");
            return true;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Console.WriteLine(e);
            return false;
        }
    }

    private static string Library() =>
        typeof(MessageFormatException).Assembly.GetCustomAttributes(false).OfType<System.Runtime.Versioning.TargetFrameworkAttribute>().Single().FrameworkName;

    private sealed class ConsoleOutput : ITestOutputHelper
    {
        public void WriteLine(string message) => Console.Write(message + " ");

        public void WriteLine(string format, params object[] args) => WriteLine(string.Format(System.Globalization.CultureInfo.InvariantCulture, format, args));
    }
}

using System;
using System.Diagnostics;
using System.Linq;
using System.Runtime.InteropServices;
using Formatters.Contracts.Tests.Versioned;
using Formatters.Contracts.Tests.Xml;
using Xunit.Abstractions;

namespace Formatters.Contracts.Tests;

/// <summary>Runs the differential test; exits with 1 on a difference, or if it did not run at all.</summary>
internal static class Program
{
    private static int Main()
    {
        var tests = new DifferentialTests(new ConsoleOutput());
        var versioned = new VersionedDifferentialTests(new ConsoleOutput());
        string[] payloads = [.. from object[] row in DifferentialTests.Payloads select (string)row[0]];
        string[] versionedPayloads = [.. from object[] row in VersionedDifferentialTests.Payloads select (string)row[0]];
        int differences = 0;
        foreach (string payload in payloads)
            differences += Run(payload, () => tests.RandomValuesAndMutants_AgreeWithReflection(payload));
        differences += Run("Orders", tests.Orders_HaveTheBytesOfTheHandCodedOnes);
        foreach (string payload in versionedPayloads)
            differences += Run("versioned " + payload, () => versioned.RandomValuesAndMutants_AgreeWithReflection(payload));
        string[] xmlPayloads = [.. from object[] row in XmlDifferentialTests.Payloads select (string)row[0]];
        var xml = new XmlDifferentialTests(new ConsoleOutput());
        foreach (string payload in xmlPayloads)
            differences += Run("XML " + payload, () => xml.RandomValues_AreReadByXmlSerializerAndByGeneratedCode(payload));
        int payloadCount = payloads.Length + versionedPayloads.Length + xmlPayloads.Length;
        int valueCount = (payloads.Length * DifferentialTests.ValueCount) + (versionedPayloads.Length * VersionedDifferentialTests.ValueCount) + (xmlPayloads.Length * XmlDifferentialTests.ValueCount);
        Console.WriteLine($"{payloadCount} payloads, {valueCount} values, {differences} with differences, on {RuntimeInformation.FrameworkDescription}, with {Library()}.");
        return differences == 0 && payloads.Length > 20 && versionedPayloads.Length > 20 ? 0 : 1;
    }

    private static int Run(string name, Action test)
    {
        Console.Write(name + ": ");
        try
        {
            test();
            Console.WriteLine("ok");
            return 0;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Console.WriteLine(e);
            return 1;
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

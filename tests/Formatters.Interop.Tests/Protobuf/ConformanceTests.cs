using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text.RegularExpressions;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>The conformance suite of protobuf: its cases of proto3, from protobuf to protobuf, also those that are recommended only.</summary>
public class ConformanceTests(ITestOutputHelper output)
{
    private const string Variable = "FORMATTERS_PROTOBUF_CONFORMANCE";

    // Of version 3.21; later ones have more.
    private const int CaseCount = 651;

    public static string? SkipReason { get; } = TestScale.SkipReason(Variable, "The runner is missing: eval \"$(eng/protobuf-conformance)\".");

    [ConformanceTheory]
    [InlineData("generated")]
    [InlineData("reflection")]
    public void Suite_Passes(string contract)
    {
        string folder = Directory.CreateTempSubdirectory("formatters-conformance").FullName;
        try
        {
            // The runner starts a program without arguments.
            string program = Path.Combine(folder, "program");
            File.WriteAllText(program, $"#!/bin/sh\nexec dotnet '{typeof(ProtobufConformance.TestAllTypesProto3).Assembly.Location}' {contract}\n");
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            using Process runner = Process.Start(new ProcessStartInfo(Environment.GetEnvironmentVariable(Variable)!, ["--enforce_recommended", program])
            {
                WorkingDirectory = folder,
                RedirectStandardError = true,
            })!;
            string result = runner.StandardError.ReadToEnd();
            runner.WaitForExit();
            output.WriteLine(result);
            Match first = Regex.Match(result, @"CONFORMANCE SUITE (\w+): (\d+) successes, \d+ skipped, (\d+) expected failures, (\d+) unexpected failures");
            Assert.Equal(("PASSED", "0", "0", 0), (first.Groups[1].Value, first.Groups[3].Value, first.Groups[4].Value, runner.ExitCode));
            Assert.InRange(int.Parse(first.Groups[2].Value, CultureInfo.InvariantCulture), CaseCount, int.MaxValue);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class ConformanceTheoryAttribute : TheoryAttribute
    {
        public ConformanceTheoryAttribute() => Skip = SkipReason;
    }
}

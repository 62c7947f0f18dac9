using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Interop.Tests.Protobuf;

/// <summary>The compiler of protobuf, Debian's <c>protobuf-compiler</c>: it reads and writes bodies as text, too.</summary>
internal static class Protoc
{
    /// <summary>Why the tests are skipped: protoc is not installed. In CI they fail instead.</summary>
    public static string? SkipReason { get; } =
        TestScale.SkipReason(() => IsInstalled() ? null : "protoc is not installed: apt-get install protobuf-compiler.");

    private static string StandardImports { get; } =
        typeof(Protoc).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static attribute => attribute.Key == "StandardImports").Value!;

    /// <summary>Runs it in a folder of its own over one schema.</summary>
    /// <returns>What it wrote to its standard output, and what to its standard error.</returns>
    public static (byte[] Output, string Error) Run(string schema, string arguments, byte[] input)
    {
        string folder = Directory.CreateTempSubdirectory("formatters-protoc").FullName;
        try
        {
            File.WriteAllText(Path.Combine(folder, "schema.proto"), schema);
            var start = new ProcessStartInfo("protoc", $"--proto_path=. --proto_path=\"{StandardImports}\" {arguments} schema.proto")
            {
                WorkingDirectory = folder,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process protoc = Process.Start(start) ?? throw new InvalidOperationException("protoc does not start.");
            protoc.StandardInput.BaseStream.Write(input);
            protoc.StandardInput.Close();
            using var output = new MemoryStream();
            protoc.StandardOutput.BaseStream.CopyTo(output);
            string error = protoc.StandardError.ReadToEnd();
            protoc.WaitForExit();
            Assert.True(protoc.ExitCode == 0, error);
            return (output.ToArray(), error);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static bool IsInstalled()
    {
        foreach (string folder in (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator))
        {
            if (folder.Length > 0 && (File.Exists(Path.Combine(folder, "protoc")) || File.Exists(Path.Combine(folder, "protoc.exe"))))
                return true;
        }

        return false;
    }
}

/// <summary>A test that needs protoc.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ProtocFactAttribute : FactAttribute
{
    public ProtocFactAttribute() => Skip = Protoc.SkipReason;
}

using System;
using System.IO;
using System.Text;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Tools.Tests.CommandLine;

public sealed class WholeFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-files-").FullName;

    private FileInfo File => new(Path.Combine(_folder, "result.json"));

    [Fact]
    public void AWriteThatFails_LeavesTheFileAsItWasAndNothingBesideIt()
    {
        System.IO.File.WriteAllText(File.FullName, "of an earlier run");

        Assert.Throws<InvalidOperationException>(() => WholeFile.Write(File, static stream =>
        {
            stream.Write("half"u8);
            throw new InvalidOperationException();
        }));

        Assert.Equal("of an earlier run", System.IO.File.ReadAllText(File.FullName));
        Assert.Single(Directory.GetFiles(_folder));
    }

    [Fact]
    public void AReaderOfTheOldFile_SeesTheOldFileToItsEnd()
    {
        System.IO.File.WriteAllText(File.FullName, "of an earlier run");
        using var reader = new StreamReader(new FileStream(File.FullName, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));

        WholeFile.Write(File, static stream => stream.Write("new"u8));

        Assert.Equal("of an earlier run", reader.ReadToEnd());
        Assert.Equal("new", System.IO.File.ReadAllText(File.FullName));
    }

    [Fact]
    public void ALink_StaysOne()
    {
        string target = Path.Combine(_folder, "target.json");
        System.IO.File.WriteAllText(target, "old");
        System.IO.File.CreateSymbolicLink(File.FullName, target);

        WholeFile.Check(File);
        WholeFile.Write(File, static stream => stream.Write("new"u8));

        Assert.Equal(target, File.LinkTarget);
        Assert.Equal("new", System.IO.File.ReadAllText(target));
    }

    [Fact]
    public void Check_OfADeviceThatIsNotThere_Fails() => Assert.ThrowsAny<IOException>(() => WholeFile.Check(new FileInfo("/proc/nothing/result.json")));

    [Fact]
    public void Check_OfANewFile_LeavesNothing()
    {
        WholeFile.Check(File);

        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    public void ADevice_IsNotReplaced()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no /dev/null.");
        var device = new FileInfo("/dev/null");

        WholeFile.Check(device);
        WholeFile.Write(device, static stream => stream.Write(Encoding.UTF8.GetBytes("gone")));

        Assert.Equal(0, new FileInfo("/dev/null").Length);
        Assert.Empty(System.IO.File.ReadAllBytes("/dev/null"));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Doctor;
using Formatters.Bench.Measurement;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.Doctor;

public sealed class DoctorTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("formatters-doctor-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_folder_is_looked_at_and_left_as_it_was()
    {
        string json = Path.Combine(_folder.FullName, "doctor.json"), folder = _folder.CreateSubdirectory("queues").FullName;

        ToolResult result = await new Tool().RunAsync("doctor", folder, "--seconds", "0.05", "--json", json);

        // What is wrong with the machine of a test is not known.
        Assert.True(result.ExitCode is 0 or 4, result.Error + result.Output);
        Assert.True(result.LongestLine < 130);
        foreach (string name in new[] { "cores", "resolution", "pauses", "garbage collector", "file system", "flushes", "flushes a second of 1 KiB" })
            Assert.Contains(name, result.Output, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(folder));
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.Equal("doctor", document.RootElement.GetProperty("verb").GetString());
        JsonElement[] checks = [.. document.RootElement.GetProperty("checks").EnumerateArray()];
        Assert.Equal(result.ExitCode == 4, checks.Any(static check => check.GetProperty("level").GetString() == "Warning"));
        // A warning without a word on what to do helps nobody.
        Assert.All(checks.Where(static check => check.GetProperty("level").GetString() is "Warning" or "Failed"), static check => Assert.NotEqual(JsonValueKind.Null, check.GetProperty("advice").ValueKind));
    }

    [Fact]
    public async Task A_folder_that_is_not_there_is_not_made()
    {
        string folder = Path.Combine(_folder.FullName, "not", "yet");

        ToolResult result = await new Tool().RunAsync("doctor", $"file:{folder}/orders", "--seconds", "0.01");

        Assert.Contains("is not there yet", string.Join(' ', result.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder));
    }

    [Theory]
    // The ports of no service.
    [InlineData("amqp://guest:secret@127.0.0.1:1/orders")]
    [InlineData("postgres://postgres:secret@127.0.0.1:1/postgres")]
    public async Task A_server_that_was_named_and_is_not_there_is_a_failure_without_its_password(string address)
    {
        ToolResult result = await new Tool().RunAsync("doctor", address, "--seconds", "0.01");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("FAILED", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", result.Output + result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_nobody_named_is_no_failure()
    {
        IReadOnlyList<DoctorCheck> checks = await ServerChecks.CheckAsync(QueueAddress.Parse("amqp://127.0.0.1:1"), isNamed: false, new Tool().Connector, CancellationToken.None);

        Assert.Equal(DoctorLevel.Unknown, Assert.Single(checks).Level);
    }

    [Theory]
    [InlineData("msmq://here/private$/q")]
    [InlineData("amqp://localhost/a,b")]
    public async Task What_it_cannot_look_at_is_a_mistake(string place) => Assert.Equal(2, (await new Tool().RunAsync("doctor", place, "--seconds", "0.01")).ExitCode);

    [Theory]
    [InlineData("ext4 on /dev/sda1 (rw,relatime)", nameof(DoctorLevel.Ok))]
    [InlineData("ext4 on /dev/sda1 (rw,nobarrier)", nameof(DoctorLevel.Warning))]
    [InlineData("tmpfs on tmpfs (rw)", nameof(DoctorLevel.Warning))]
    [InlineData("nfs4 on host:/data (rw)", nameof(DoctorLevel.Warning))]
    [InlineData("overlay on overlay (rw,lowerdir=/a)", nameof(DoctorLevel.Warning))]
    [InlineData(null, nameof(DoctorLevel.Unknown))]
    public void File_systems_that_promise_less_are_warned_of(string? fileSystem, string level) => Assert.Equal(level, FolderChecks.JudgeFileSystem("f", fileSystem).Level.ToString());

    [Theory]
    [InlineData(new double[] { 900, 1_000, 1_100 }, nameof(DoctorLevel.Ok))]
    [InlineData(new double[] { 400, 1_000, 1_100 }, nameof(DoctorLevel.Warning))]
    [InlineData(new double[] { 80_000, 80_000, 81_000 }, nameof(DoctorLevel.Warning))]
    public void Flushes_that_are_unsteady_or_do_not_reach_a_disk_are_warned_of(double[] rates, string level) => Assert.Equal(level, FolderChecks.JudgeFlushes("f", rates, "").Level.ToString());

    [Theory]
    [InlineData("/dev/sda", true, nameof(DoctorLevel.Warning))]
    [InlineData("/dev/nvme0n1", false, nameof(DoctorLevel.Ok))]
    [InlineData("/dev/vda", true, nameof(DoctorLevel.Unknown))]
    public void Disks_of_virtual_machines_do_not_tell(string name, bool isRotational, string level) =>
        Assert.Equal(level, FolderChecks.JudgeDisk("f", new BlockDevice(name, isRotational, "write back", "none")).Level.ToString());

    [Fact]
    public void Settings_of_PostgreSql_that_promise_less_are_warned_of()
    {
        var settings = new Dictionary<string, string> { ["server_version"] = "15.1", ["fsync"] = "off", ["full_page_writes"] = "on", ["synchronous_commit"] = "off", ["commit_delay"] = "0" };

        Assert.Equal(["fsync", "synchronous_commit"], ServerChecks.JudgePostgreSql("p", settings).Where(static check => check.Level == DoctorLevel.Warning).Select(static check => check.Name));
    }

    [Theory]
    [InlineData("500000", nameof(DoctorLevel.Warning))]
    [InlineData("120", nameof(DoctorLevel.Ok))]
    public void Messages_that_are_gone_and_not_removed_are_warned_of(string deadRows, string level) =>
        Assert.Equal(level, ServerChecks.JudgePostgreSql("p", new Dictionary<string, string> { ["dead rows"] = deadRows }).Single(static check => check.Name == "dead rows").Level.ToString());

    [Theory]
    [InlineData("3.10.8", nameof(DoctorLevel.Warning))]
    [InlineData("4.1.0", nameof(DoctorLevel.Ok))]
    public void An_old_series_of_RabbitMq_is_warned_of(string version, string level) =>
        Assert.Equal(level, ServerChecks.JudgeRabbitMq("a", new Dictionary<string, string> { ["version"] = version }).Single(static check => check.Name == "series").Level.ToString());

    [Fact]
    public void A_coarse_clock_one_that_is_being_set_and_pauses_are_warned_of()
    {
        var good = new ClockSample(20, 25, 1, 0.001, 0.01, 1.1);

        Assert.DoesNotContain(ClockChecks.Judge(good, "tsc"), static check => check.Level == DoctorLevel.Warning);
        Assert.Equal(["resolution", "source"], Warnings(good with { StepNanoseconds = 15_600 }, "hpet"));
        Assert.Equal(["time of day"], Warnings(good with { DriftMilliseconds = 3 }, "tsc"));
        Assert.Equal(["pauses"], Warnings(good with { LongestPauseMilliseconds = 40 }, "tsc"));
        Assert.Equal(["timer"], Warnings(good with { SleepMilliseconds = 15.6 }, "tsc"));

        static string[] Warnings(ClockSample sample, string source) => [.. ClockChecks.Judge(sample, source).Where(static check => check.Level == DoctorLevel.Warning).Select(static check => check.Name)];
    }

    [Fact]
    public void Other_work_and_stolen_time_are_warned_of_by_the_name_of_the_program()
    {
        var none = new Dictionary<int, (string, double)>();
        var before = new SystemActivity(1_000, 100, 0, none);
        var after = new SystemActivity(2_000, 700, 50, new Dictionary<int, (string, double)> { [7] = ("csc", 500) });

        DoctorCheck[] checks = [.. MachineChecks.OfActivity(before, after, ownSeconds: 0, seconds: 1)];

        Assert.Contains("csc 50 %", Assert.Single(checks, static check => check is { Name: "other work", Level: DoctorLevel.Warning }).Finding, StringComparison.Ordinal);
        Assert.Equal(DoctorLevel.Warning, checks.Single(static check => check.Name == "stolen time").Level);
    }

    [Fact]
    public async Task Ctrl_C_ends_it_without_a_report()
    {
        using var cancel = new CancellationTokenSource();
        await cancel.CancelAsync();

        ToolResult result = await new Tool().RunAsync(cancel.Token, "doctor", _folder.FullName);

        Assert.Equal(130, result.ExitCode);
        Assert.Equal("", result.Output);
    }
}

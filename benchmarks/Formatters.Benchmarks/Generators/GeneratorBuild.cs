namespace Formatters.Benchmarks.Generators;

/// <summary>A project of contracts on disk, which <c>dotnet build</c> builds with a generator.</summary>
internal sealed class GeneratorBuild : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("generator-build-").FullName;
    private readonly string _user;
    private readonly string _userText;
    private int _buildCount;

    /// <summary>Writes the project and restores it.</summary>
    /// <exception cref="InvalidOperationException">It cannot be restored.</exception>
    internal GeneratorBuild(GeneratorCase item, int contractCount, bool isOneFile)
    {
        Name = item.Name;
        string[] files = GeneratorProject.FilesOf(item, contractCount, isOneFile);
        for (int i = 0; i < files.Length; i++)
            File.WriteAllText(PathOf(i), files[i]);
        _user = PathOf(isOneFile ? 1 : contractCount);
        _userText = File.ReadAllText(_user);
        string[] references = [typeof(MessageContractAttribute).Assembly.Location, typeof(MemoryPack.MemoryPackableAttribute).Assembly.Location];
        string analyzer = item.HasContext || item.Generator.Length == 0 ? "" : $"<Analyzer Include=\"{item.Path}\" />";
        File.WriteAllText(Path.Combine(_folder, "App.csproj"),
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework><Nullable>enable</Nullable></PropertyGroup>"
            + "<ItemGroup>" + string.Concat(references.Select(static path => $"<Reference Include=\"{path}\" />")) + analyzer
            + "</ItemGroup></Project>");
        RunDotNet("restore", Path.Combine(_folder, "App.csproj"));
    }

    internal string Name { get; }

    /// <summary>Builds the project after an edit of the body of a method.</summary>
    /// <exception cref="InvalidOperationException">The build failed.</exception>
    internal TimeSpan Build()
    {
        string number = (++_buildCount).ToString(CultureInfo.InvariantCulture);
        File.WriteAllText(_user, _userText.Replace("id + 1", "id + 1" + number, StringComparison.Ordinal));
        long start = Stopwatch.GetTimestamp();
        RunDotNet("build", Path.Combine(_folder, "App.csproj"), "--no-restore", "-v", "q", "-nodeReuse:false");
        return Stopwatch.GetElapsedTime(start);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Runs the <c>dotnet</c> of this process.</summary>
    /// <returns>What it has written.</returns>
    /// <exception cref="InvalidOperationException">It failed.</exception>
    internal static string RunDotNet(params string[] args)
    {
        string host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";
        using Process process = Process.Start(new ProcessStartInfo(host, args) { RedirectStandardOutput = true })!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? output
            : throw new InvalidOperationException($"dotnet {string.Join(' ', args)} failed with exit code {process.ExitCode}: {output}");
    }

    private string PathOf(int file) => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"File{file}.cs"));
}

namespace Formatters.Bench.CommandLine;

/// <summary>Starts this tool once more, as a process of its own.</summary>
internal static class ToolProcess
{
    /// <summary>Returns how it is started: by its own executable, or by <c>dotnet</c> and its assembly.</summary>
    internal static ProcessStartInfo Start(IEnumerable<string> args)
    {
        string program = Path.Combine(AppContext.BaseDirectory, ToolInfo.Name);
        string assembly = program + ".dll";
        ProcessStartInfo start;
        if (File.Exists(assembly))
        {
            // That of this process, if it is one; another program (a test) may run the tool within itself.
            string? host = Environment.ProcessPath;
            start = new ProcessStartInfo(Path.GetFileNameWithoutExtension(host) == "dotnet" ? host!
                : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet");
            start.ArgumentList.Add(assembly);
        }
        else
        {
            start = new ProcessStartInfo(Environment.ProcessPath!);
        }

        foreach (string arg in args)
            start.ArgumentList.Add(arg);
        start.UseShellExecute = false;
        return start;
    }
}

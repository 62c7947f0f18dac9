using System.Text;

namespace Formatters.Bench.Report;

/// <summary>Makes a PNG of each chart, by the Chromium or Chrome of this machine.</summary>
internal static class ChartImages
{
    private const int PixelWidth = 420;

    private static readonly string[] Browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    /// <param name="given">The one that was asked for, or null.</param>
    /// <returns>Its path.</returns>
    /// <exception cref="UsageException">There is none.</exception>
    internal static string FindBrowser(string? given)
    {
        if (given is not null)
            return File.Exists(given) ? given : throw new UsageException($"--browser: there is no '{given}'.");
        foreach (string folder in (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator))
        {
            foreach (string name in Browsers)
            {
                string path = Path.Combine(folder, OperatingSystem.IsWindows() ? name + ".exe" : name);
                if (File.Exists(path))
                    return path;
            }
        }

        throw new UsageException($"--png needs Chromium or Chrome, and none is on the PATH ({string.Join(", ", Browsers)}): name it with --browser.");
    }

    /// <summary>Makes the images, <c>1-title.png</c> and so on.</summary>
    /// <exception cref="IOException">The browser failed, or a file cannot be written.</exception>
    internal static async Task WriteAsync(string browser, DirectoryInfo folder, IReadOnlyList<Chart> charts, CancellationToken cancellationToken)
    {
        folder.Create();
        string scratch = Directory.CreateTempSubdirectory("formatters-report-").FullName;
        try
        {
            for (int i = 0; i < charts.Count; i++)
            {
                string page = Path.Combine(scratch, "chart.html");
                using (var writer = new StreamWriter(page, append: false, new UTF8Encoding(false)))
                    ReportPage.WriteOne(writer, charts[i]);
                string image = Path.Combine(scratch, "chart.png");
                int height = (int)(ChartSvg.HeightOf(charts[i]) * (PixelWidth - 30.0) / ChartSvg.Width) + HeightOfText(charts[i]);
                await RunAsync(browser, scratch, page, image, height, cancellationToken);
                File.Move(image, Path.Combine(folder.FullName, string.Create(CultureInfo.InvariantCulture, $"{i + 1:00}-{NameOf(charts[i])}.png")),
                    overwrite: true);
            }
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    /// <summary>About how high title, caption and legend are at that width, in pixels, and the frame.</summary>
    private static int HeightOfText(Chart chart)
    {
        int legend = chart.Lines.Count > 1 ? (chart.Lines.Sum(line => line.Name.Length + 6) / 56) + 1 : 0;
        return 60 + (24 * ((chart.Title.Length / 40) + 1)) + (21 * ((chart.Caption.Length + 18) / 48 + 1)) + (21 * legend);
    }

    private static async Task RunAsync(string browser, string scratch, string page, string image, int height, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(browser) { RedirectStandardError = true, RedirectStandardOutput = true };
        foreach (string argument in (string[])
        [
            "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--force-device-scale-factor=2",
            $"--user-data-dir={Path.Combine(scratch, "profile")}",
            string.Create(CultureInfo.InvariantCulture, $"--window-size={PixelWidth},{height}"), $"--screenshot={image}", new Uri(page).AbsoluteUri,
        ])
            start.ArgumentList.Add(argument);
        // Its own sandbox does not work for root, who runs containers; the page has no script and loads nothing.
        if (OperatingSystem.IsLinux() && Environment.UserName == "root")
            start.ArgumentList.Insert(0, "--no-sandbox");
        using Process process = Process.Start(start) ?? throw new IOException($"{browser} does not start.");
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        try
        {
            Task<string> error = process.StandardError.ReadToEndAsync(patience.Token);
            await process.StandardOutput.ReadToEndAsync(patience.Token);
            await process.WaitForExitAsync(patience.Token);
            if (process.ExitCode != 0 || !File.Exists(image))
                throw new IOException($"{browser} made no image (exit code {process.ExitCode}): {(await error).Trim().Split('\n')[^1]}");
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            if (cancellationToken.IsCancellationRequested)
                throw;
            throw new IOException($"{browser} made no image within {Patience.TotalSeconds:0} s.");
        }
    }

    private static string NameOf(Chart chart) =>
        string.Join('-', new string([.. chart.Title.ToLowerInvariant()
            .Select(character => char.IsAsciiLetterOrDigit(character) ? character : ' ')]).Split(' ', StringSplitOptions.RemoveEmptyEntries));
}

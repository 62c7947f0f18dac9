using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Formatters.Mutants;

// Weave LIST TARGET: copies the files named on standard input (paths from the current directory) to TARGET, with the bugs of LIST behind a switch.
// Prints a line for each bug, tab between: number, "fits" or what is wrong with it, name, project, filter. What is the same as before is not written again, so
// that builds are incremental.
IReadOnlyList<Mutant> mutants = Mutant.ReadList(args[0]);
string target = args[1];
string[] files = [.. Console.In.ReadToEnd().Split(['\0', '\n'], StringSplitOptions.RemoveEmptyEntries)];
var written = new HashSet<string>(StringComparer.Ordinal);
foreach (string file in files.Where(File.Exists))
{
    Mutant[] here = [.. mutants.Where(mutant => mutant.File == file)];
    if (here.Length > 0)
        Write(file, Encoding.UTF8.GetBytes(Weaving.Weave(File.ReadAllText(file), here)));
    else
        Write(file, File.ReadAllBytes(file));
}

foreach (string directory in Directory.GetDirectories(target).Where(directory => Path.GetFileName(directory) != "artifacts"))
{
    foreach (string path in Directory.GetFiles(directory, "*", SearchOption.AllDirectories))
    {
        if (!written.Contains(Path.GetRelativePath(target, path).Replace('\\', '/')))
            File.Delete(path);
    }
}

foreach (Mutant mutant in mutants)
{
    string state = mutant.Problem ?? (written.Contains(mutant.File) ? "fits" : $"there is no {mutant.File}");
    Console.WriteLine(string.Join('\t', mutant.Number, state, mutant.Name, mutant.Project, mutant.Filter));
}

void Write(string path, byte[] content)
{
    string full = Path.Combine(target, path);
    written.Add(path);
    if (File.Exists(full) && File.ReadAllBytes(full).AsSpan().SequenceEqual(content))
        return;
    Directory.CreateDirectory(Path.GetDirectoryName(full)!);
    File.WriteAllBytes(full, content);
    if (!OperatingSystem.IsWindows() && File.Exists(path))
        File.SetUnixFileMode(full, File.GetUnixFileMode(path));
}

using System;
using System.IO;

namespace Formatters.Tools.CommandLine;

/// <summary>Prints running text in lines of at most 79 characters.</summary>
internal static class TextWrap
{
    internal const int Width = 79;

    /// <summary>Prints a text, broken at spaces; a word that is longer than a line stays whole.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="head">Stands before the first line; the others are indented by its length.</param>
    /// <param name="text">The text.</param>
    internal static void Print(TextWriter output, string head, string text)
    {
        string start = head;
        string line = "";
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            if (line.Length > 0 && start.Length + line.Length + 1 + word.Length > Width)
            {
                output.WriteLine(start + line);
                start = new string(' ', head.Length);
                line = "";
            }

            line = line.Length == 0 ? word : line + " " + word;
        }

        output.WriteLine((start + line).TrimEnd());
    }
}

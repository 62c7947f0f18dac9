using System.Collections.Generic;

namespace Formatters.CodeFixes.Tests;

public class NumberMembersTests
{
    internal static IEnumerable<string> TestedIds => ["FMT110", "FMT111", "FMT112", "FMT113"];
}

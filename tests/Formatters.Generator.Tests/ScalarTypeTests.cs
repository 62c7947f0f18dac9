using System.Linq;
using Xunit;

namespace Formatters.Generator.Tests;

public class ScalarTypeTests
{
    /// <summary>A row for which nobody has said what the traversal reserves would be written with nothing reserved.</summary>
    [Fact]
    public void EveryRow_SaysWhatTheTraversalReserves()
    {
        Assert.All(ScalarTypes.Rows.Where(r => r.Form is ScalarForm.Fixed or ScalarForm.Varying), static row =>
        {
            bool reservesItself = row.Name is "Int128" or "UInt128" or "Version";
            Assert.Equal(reservesItself, row.MaxTraversedByteCount is null);
        });
        Assert.All(ScalarTypes.Rows.Where(r => r.Form is ScalarForm.Text or ScalarForm.Bytes), static row => Assert.Null(row.MaxTraversedByteCount));
    }
}

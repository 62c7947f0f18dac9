using System.Globalization;
using Formatters.Generated;

namespace Formatters;

/// <summary>The part of a member path for an element or entry: kept up with while generated code keeps account of the path, else put together while an error passes.</summary>
internal static class ItemPath
{
    /// <summary>The part of an element.</summary>
    internal static string Part(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";

    /// <summary>Goes to an element.</summary>
    /// <returns>The level to go back to; -1 without a path.</returns>
    internal static int Enter(MemberPath? path, int index)
    {
        if (path is null)
            return -1;
        int level = path.Level;
        path.Set(level, null, index);
        return level;
    }

    /// <summary>Goes back.</summary>
    internal static void Leave(MemberPath? path, int level) => path?.Set(level);
}

using Formatters.Generated;

namespace Formatters;

/// <summary>The part of a member path for an element or entry.</summary>
internal static class ItemPath
{
    /// <summary>Enters an element.</summary>
    /// <returns>The depth to return to; -1 without a path.</returns>
    internal static int Enter(MemberPath? path, int index)
    {
        if (path is null)
            return -1;
        int level = path.Depth;
        path.Set(level, null, index);
        return level;
    }

    /// <summary>Leaves an element.</summary>
    internal static void Leave(MemberPath? path, int level) => path?.Set(level);
}

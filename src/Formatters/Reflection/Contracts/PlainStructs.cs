using System.Collections.Generic;

namespace Formatters;

/// <summary>Structs of the base library that are records of their public fields, or of what their constructor takes; for reflection, and linked into the generator.</summary>
internal static class PlainStructs
{
    private static readonly HashSet<string> Names =
    [
        "System.Numerics.Complex", "System.Numerics.Vector2", "System.Numerics.Vector3", "System.Numerics.Vector4", "System.Numerics.Quaternion",
        "System.Numerics.Plane", "System.Numerics.Matrix3x2", "System.Numerics.Matrix4x4",
    ];

    /// <param name="fullName">The name in metadata.</param>
    internal static bool Contains(string fullName) => Names.Contains(fullName);

    /// <summary>Whether only fields are members: what their properties set lies in these fields.</summary>
    /// <param name="fullName">The name in metadata.</param>
    internal static bool HasFieldsOnly(string fullName) => Contains(fullName) && fullName != "System.Numerics.Complex";
}

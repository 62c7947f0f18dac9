using System.Collections.Generic;

namespace Formatters;

/// <summary>The structs of the base library that are records, with their members: for reflection, and linked into the generator.</summary>
/// <remarks>In this order, because the metadata order differs between reference assemblies and those at run time.</remarks>
internal static class PlainStructs
{
    private static readonly string[] Coordinates = ["X", "Y", "Z", "W"];

    private static readonly Dictionary<string, string[]> Members = new()
    {
        ["System.Numerics.Complex"] = ["Real", "Imaginary"],
        ["System.Numerics.Vector2"] = ["X", "Y"],
        ["System.Numerics.Vector3"] = ["X", "Y", "Z"],
        ["System.Numerics.Vector4"] = Coordinates,
        ["System.Numerics.Quaternion"] = Coordinates,
        ["System.Numerics.Plane"] = ["Normal", "D"],
        ["System.Numerics.Matrix3x2"] = ["M11", "M12", "M21", "M22", "M31", "M32"],
        ["System.Numerics.Matrix4x4"] =
            ["M11", "M12", "M13", "M14", "M21", "M22", "M23", "M24", "M31", "M32", "M33", "M34", "M41", "M42", "M43", "M44"],
    };

    /// <param name="fullName">The name of a type in metadata.</param>
    internal static bool Contains(string fullName) => Members.ContainsKey(fullName);

    /// <param name="fullName">The name of a type in metadata.</param>
    /// <returns>The names of its members in the order of the contract; null if it is not one of these structs.</returns>
    internal static string[]? MembersOf(string fullName) => Members.TryGetValue(fullName, out string[]? members) ? members : null;
}

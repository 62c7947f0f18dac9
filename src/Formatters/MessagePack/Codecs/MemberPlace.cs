using System.Reflection;

namespace Formatters;

/// <summary>A member, and its position in the array form and in the map form.</summary>
/// <param name="Info">The field or property.</param>
/// <param name="Type">Its type.</param>
/// <param name="Index">Its place in the array form.</param>
/// <param name="Key">Its name in the map form.</param>
/// <param name="CanSet">Whether it can be set when the object is made.</param>
internal sealed record MemberPlace(MemberInfo Info, AnnotatedType Type, int Index, string Key, bool CanSet);

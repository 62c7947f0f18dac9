namespace Formatters;

/// <summary>The values of the library's <c>MemberEncoding</c>.</summary>
internal enum MemberEncoding
{
    Default,
    ZigZag,
    Fixed,
}

#if NET
namespace Formatters;

/// <summary>A type that brings its generated XML contract. The generator implements it. Not on netstandard2.0.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IXmlContract<TSelf>
    where TSelf : IXmlContract<TSelf>
{
    /// <summary>The contract, always the same instance.</summary>
    static abstract XmlContract<TSelf> XmlContract { get; }
}
#endif

using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Xml;

namespace Formatters;

/// <summary>The elements and attributes of a type in XML bodies, as XmlSerializer has them: by generated code, or by XmlSerializer itself.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Immutable and safe for use by several threads. Give it to an <see cref="XmlFormatter{T}"/>.</remarks>
public abstract class XmlContract<T>
{
    private protected XmlContract()
    {
    }

    /// <summary>Writes a body and returns its number of bytes.</summary>
    internal abstract int Write(IBufferWriter<byte> destination, T value, XmlBodyStyle style, FormatterLimits limits);

    /// <summary>Reads a body.</summary>
    /// <returns>Null if the root is xsi:nil.</returns>
    internal abstract T? Read(ReadOnlySpan<byte> body, FormatterLimits limits);

    /// <summary>The root element of the type: its namespace in braces, and its name.</summary>
    internal abstract string Root { get; }

    /// <summary>Whether a reader is at the root element of the type.</summary>
    internal abstract bool IsRoot(XmlReader reader);
}

/// <summary>Makes XML contracts.</summary>
public static class XmlContract
{
    /// <summary>Creates the contract by XmlSerializer, for types that the generator does not cover: slower, by reflection, with code generated at run
    /// time.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The contract.</returns>
    /// <exception cref="NotSupportedException">XmlSerializer cannot map <typeparamref name="T"/>, or does not keep the values of a type in it.</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public static XmlContract<T> OfXmlSerializer<T>() => Cache<T>.Contract ??= new XmlSerializerContract<T>([]);

    /// <summary>As <see cref="OfXmlSerializer{T}()"/>, of a type in which values are lost: of those types that are named here.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="allowedLosses">The types whose values may be lost; an open generic one stands for all closed ones. See
    /// <see cref="AllowXmlLossAttribute"/>.</param>
    /// <returns>The contract.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allowedLosses"/> is null.</exception>
    /// <exception cref="NotSupportedException">XmlSerializer cannot map <typeparamref name="T"/>, or does not keep the values of another type in
    /// it.</exception>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    public static XmlContract<T> OfXmlSerializer<T>(params Type[] allowedLosses) =>
        new XmlSerializerContract<T>(allowedLosses ?? throw new ArgumentNullException(nameof(allowedLosses)));

    private static class Cache<T>
    {
        internal static XmlContract<T>? Contract;
    }
}

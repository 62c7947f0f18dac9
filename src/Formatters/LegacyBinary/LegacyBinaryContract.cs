using System;
using System.Collections.Generic;

namespace Formatters.LegacyBinary;

/// <summary>The generated contract of legacy binary bodies: a closed set of types, with the code that gets and sets their fields.</summary>
/// <remarks>Made by <see cref="LegacyBinaryContractAttribute"/>; given to a <see cref="LegacyBinaryFormatter{T}"/>. Immutable, and for any number of
/// formatters and threads.</remarks>
public sealed class LegacyBinaryContract
{
    private readonly Dictionary<Type, LegacyShape> _shapes;

    /// <summary>Creates a contract. Called by generated code.</summary>
    /// <param name="declare">Declares the types.</param>
    /// <exception cref="ArgumentNullException"><paramref name="declare"/> is null.</exception>
    public LegacyBinaryContract(Action<LegacyBinaryContractBuilder> declare)
    {
        if (declare is null)
            throw new ArgumentNullException(nameof(declare));
        var builder = new LegacyBinaryContractBuilder();
        declare(builder);
        _shapes = builder.Shapes;
    }

    internal IEnumerable<KeyValuePair<Type, LegacyShape>> Shapes => _shapes;

    internal IEnumerable<Type> Types => _shapes.Keys;

    internal LegacyShape? Find(Type type)
    {
        if (_shapes.TryGetValue(type, out LegacyShape? shape) || LegacyShapes.Known.TryGetValue(type, out shape))
            return shape;
        throw new ArgumentException($"{type} is not in the generated contract: name it in a [LegacyBinaryContract].");
    }
}

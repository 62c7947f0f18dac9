using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>
/// A type that is not within another, with all its members except the bodies of methods; or what is around the types of a file. The same declaration
/// in the same file is the same object after an edit elsewhere in the file.
/// </summary>
/// <param name="hash">
/// The hash of its text, and of what in its file applies to it: the path, the options, the namespace, and the directives before it.
/// </param>
/// <param name="declared">The names of the declared types, those of attributes in both forms.</param>
/// <param name="mentioned">All words outside the bodies of methods.</param>
/// <param name="bases">The words in the lists of base types of classes.</param>
/// <param name="attributed">The types with attributes.</param>
/// <param name="isGlobal">
/// Whether every contract depends on it: it has global usings, attributes of the assembly, or types that the compiler or the parsers look for by
/// name.
/// </param>
internal sealed class SurfacePart(Fingerprint hash, uint[] declared, uint[] mentioned, uint[] bases, AttributedType[] attributed, bool isGlobal)
{
    private const int MinSweepCount = 4096;

    private static readonly Dictionary<Fingerprint, WeakReference<SurfacePart>> Known = [];
    private static int _sweepCount = MinSweepCount;

    internal Fingerprint Hash { get; } = hash;

    internal uint[] Declared { get; } = declared;

    internal uint[] Mentioned { get; } = mentioned;

    internal uint[] Bases { get; } = bases;

    internal AttributedType[] Attributed { get; } = attributed;

    internal bool IsGlobal { get; } = isGlobal;

    /// <summary>Returns the part with a hash that a living tree already has, or creates it.</summary>
    internal static SurfacePart Intern(Fingerprint hash, Func<Fingerprint, SurfacePart> create)
    {
        lock (Known)
        {
            if (Known.TryGetValue(hash, out WeakReference<SurfacePart>? reference) && reference.TryGetTarget(out SurfacePart? known))
                return known;
            if (Known.Count >= _sweepCount)
            {
                foreach (Fingerprint dead in Known.Where(static k => !k.Value.TryGetTarget(out _)).Select(static k => k.Key).ToArray())
                    Known.Remove(dead);
                _sweepCount = Math.Max(MinSweepCount, 2 * Known.Count);
            }

            SurfacePart part = create(hash);
            Known[hash] = new WeakReference<SurfacePart>(part);
            return part;
        }
    }
}

/// <summary>A declaration of a type with attributes.</summary>
/// <param name="attributes">The last word of the name of each attribute.</param>
internal sealed class AttributedType(uint[] attributes)
{
    internal uint[] Attributes { get; } = attributes;
}

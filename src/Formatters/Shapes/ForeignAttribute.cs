using System;

namespace Formatters;

/// <summary>The effect that an attribute of another serializer, or an argument of one, has on a contract.</summary>
internal enum ForeignStatus
{
    /// <summary>It has the same effect here.</summary>
    Obeyed,

    /// <summary>It changes neither the bytes nor the values of the formats in which it counts.</summary>
    Harmless,

    /// <summary>It is an error, because it would be ignored.</summary>
    Rejected,
}

/// <summary>The wire formats in which an attribute counts.</summary>
[Flags]
internal enum ForeignFormats
{
    None = 0,
    Binary = 1,
    Versioned = 2,

    /// <summary>MessagePack, CBOR and the compact format.</summary>
    Packed = 4,

    Protobuf = 8,

    /// <summary>The formats whose bodies may lack a member.</summary>
    Evolving = Versioned | Packed | Protobuf,

    All = Binary | Versioned | Packed | Protobuf,
}

/// <summary>An attribute of another serializer, or one of its arguments: a row of docs/attributes.md.</summary>
/// <param name="Attribute">The full name of the attribute.</param>
/// <param name="Argument">The parameter of a constructor, or the property; empty for the attribute itself.</param>
/// <param name="Status">Its effect.</param>
/// <param name="Formats">Where it counts.</param>
/// <param name="Text">What it does, or what to write instead: the end of a sentence.</param>
internal sealed record ForeignAttribute(string Attribute, string Argument, ForeignStatus Status, ForeignFormats Formats, string Text)
{
    private const string Suffix = "Attribute";

    /// <summary>Gets the attribute as it is written: <c>[ProtoMember]</c>, <c>[ProtoMember(IsRequired)]</c>.</summary>
    internal string Display => Show(Attribute, Argument);

    internal static string Show(string attribute, string argument = "")
    {
        string name = attribute.Substring(attribute.LastIndexOf('.') + 1);
        int arity = name.IndexOf('`');
        string plain = arity < 0 ? name : name.Substring(0, arity);
        if (plain.EndsWith(Suffix, StringComparison.Ordinal))
            plain = plain.Substring(0, plain.Length - Suffix.Length);
        return "[" + plain + (arity < 0 ? "" : "<T>") + (argument.Length == 0 ? "" : "(" + argument + ")") + "]";
    }
}

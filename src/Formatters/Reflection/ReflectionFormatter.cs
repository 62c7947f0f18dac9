using System;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>A formatter for any public class or struct, without annotation: the binary wire format, with a contract found by reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value of those below.</typeparam>
/// <remarks>
/// <para>The bytes are those of a hand-coded <c>Save</c> over <c>System.IO.BinaryWriter</c> that writes the members in order: those of base classes
/// first; of each class first its fields, then its properties, each as declared. Wire format and contract: docs/wire/binary.md.</para>
/// <para>Members are the public instance fields, and the public properties with a getter and a setter, <c>init</c>, or a constructor parameter of their name.
/// Those with <c>[IgnoreDataMember]</c>, <c>[XmlIgnore]</c> or <c>[NonSerialized]</c> are left out. Values are those of <see cref="BinaryBodyWriter"/>,
/// enums, <c>byte[]</c>, <c>T[]</c>, <c>List&lt;T&gt;</c>, <c>Dictionary&lt;TKey, TValue&gt;</c> and their interfaces, sets, queues, immutable and other
/// collections of the base library, <c>ArrayList</c> and <c>Hashtable</c> with declared element types (<see cref="ElementTypeAttribute"/>),
/// <c>Nullable&lt;T&gt;</c>, tuples, key-value pairs, other records, unions (<see cref="MessageUnionAttribute"/>), types with their own <c>Save</c> and
/// <c>Load</c> (<see cref="IBinaryBody"/>), which are then used, also for the payload, unless <see cref="ReflectionOptions.UseOwnBodies"/> is off, and types
/// and members with their own formatter (<see cref="MessageFormatterAttribute"/>).</para>
/// <para>A member declared nullable (<c>string?</c>, <c>int?</c>) has a presence byte before it; a null in any other is an error. A reference type declared
/// without nullable annotations is not nullable. Writing an object of a class derived from the declared one is an error, unless
/// <see cref="AllowDerivedAttribute"/> or <see cref="ReflectionOptions.WithDerived"/> allows it.</para>
/// <para>With <see cref="ReflectionOptions.Format"/> <see cref="ContractFormats.Versioned"/>, all this holds for the versioned wire format,
/// docs/wire/versioned.md; every member then needs a number (<see cref="MessageMemberAttribute"/>).</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is processed a second time, so setters may run twice.</para>
/// <para>A dictionary with keys that are not strings is made with a comparer that hashes under a random key, so that no sender can choose keys
/// that collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ReflectionFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ReflectionFormatter<T> : BinaryContractFormatter<T>
{
    /// <summary>Creates a formatter: finds the contract of the type, and compiles it where the runtime can.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="options">The options; null means <see cref="ReflectionOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">
    /// The type has no contract: a member of an interface, an abstract class, <see cref="object"/>, a delegate or
    /// another type without one; no usable constructor; a contract that contains itself through a non-nullable member. The message names the member.
    /// </exception>
    /// <remarks>The contract under the default options is kept: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public ReflectionFormatter(FormatterLimits? limits = null, ReflectionOptions? options = null)
        : base(
            GetContract(options ?? ReflectionOptions.Default),
            limits,
            IsVersioned(options) ? ContentTypes.Versioned : ContentTypes.Binary,
            IsVersioned(options) ? BodyTypes.Versioned : BodyTypes.Binary,
            notesByteCount: true)
    {
    }

    private static bool IsVersioned(ReflectionOptions? options) => options?.Format == ContractFormats.Versioned;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private static ReflectedBinaryContract<T> GetContract(ReflectionOptions options)
    {
        if (options.ChangesContract)
            return new ReflectedBinaryContract<T>(options);
        return options.UseCompiledCode
            ? DefaultCodec<ReflectedBinaryContract<T>>.Plain ??= new ReflectedBinaryContract<T>(options)
            : new ReflectedBinaryContract<T>(options);
    }
}

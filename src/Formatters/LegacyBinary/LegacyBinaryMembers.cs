using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters.LegacyBinary;

/// <summary>
/// The named values of an object of a type that writes its own members (<c>ISerializable</c>): the <c>SerializationInfo</c> of .NET Framework.
/// </summary>
/// <remarks>
/// Given to the delegates of <see cref="LegacyBinaryOptions.WithSerializable{T}(Func{LegacyBinaryMembers, T}, Action{T, LegacyBinaryMembers})"/>, and
/// valid only while they run. Values are of types of the set; the order is that of the body.
/// </remarks>
public sealed class LegacyBinaryMembers : IEnumerable<string>
{
    private readonly List<Member> _members = [];
    private readonly string _path;
    private readonly int _byteOffset;

    internal LegacyBinaryMembers(string path, int byteOffset = -1)
    {
        _path = path;
        _byteOffset = byteOffset;
    }

    /// <summary>Gets the number of values.</summary>
    public int Count => _members.Count;

    internal IReadOnlyList<Member> Members => _members;

    /// <summary>Determines whether a value with this name exists.</summary>
    /// <param name="name">The name; case counts.</param>
    /// <returns><see langword="true"/> also for a value that is null, or of a type outside the set.</returns>
    public bool Contains(string name) => Find(name) >= 0;

    /// <summary>Gets a value.</summary>
    /// <typeparam name="T">Its type; for a number also a wider one. A value that is null gives null, or the default of a value type that is
    /// nullable.</typeparam>
    /// <param name="name">The name; case counts.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">There is no value with this name (<see cref="MessageFormatErrorCode.MissingMember"/>), it is null
    /// where <typeparamref name="T"/> cannot be null (<see cref="MessageFormatErrorCode.UnexpectedNull"/>), of another type (<see
    /// cref="MessageFormatErrorCode.BadValue"/>), or of a type outside the set (<see cref="MessageFormatErrorCode.TypeNotAllowed"/>).</exception>
    public T Get<T>(string name)
    {
        int i = Find(name);
        if (i < 0)
            throw new MessageFormatException(MessageFormatErrorCode.MissingMember, "The object has no value of this name.", _byteOffset,
                PathOf(name), isPoison: true);
        object? value = _members[i].Value;
        if (value is T own)
            return own;
        if (value is null)
        {
            if (default(T) is null)
                return default!;
            throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A value type cannot be null.", _byteOffset, PathOf(name),
                isPoison: true);
        }

        if (value is LegacyPlaceholder placeholder)
            NrbfThrow.TypeNotAllowed(_byteOffset, PathOf(name), placeholder.TypeName);
        if (Widening.TryConvert(value, Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T), out object? wider))
            return (T)wider;
        throw new MessageFormatException(MessageFormatErrorCode.BadValue, $"The value is not a {typeof(T).Name}.", _byteOffset, PathOf(name),
            isPoison: true);
    }

    /// <summary>Tries to get a value by its name.</summary>
    /// <typeparam name="T">Its type, as for <see cref="Get{T}"/>.</typeparam>
    /// <param name="name">The name; case counts.</param>
    /// <param name="value">The value; the default if it does not exist.</param>
    /// <returns><see langword="false"/> if it does not exist.</returns>
    /// <exception cref="MessageFormatException">The value exists but does not have this type.</exception>
    public bool TryGet<T>(string name, [MaybeNullWhen(false)] out T value)
    {
        bool isThere = Contains(name);
        value = isThere ? Get<T>(name) : default;
        return isThere;
    }

    /// <summary>Adds a value with its own type, as <c>SerializationInfo.AddValue(name, value)</c> does; a null as an <see cref="object"/>.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value, of a type of the set.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException">A value with this name already exists.</exception>
    public void Add(string name, object? value) => Add(name, value, value?.GetType() ?? typeof(object));

    /// <summary>Adds a value with a declared type, as <c>SerializationInfo.AddValue(name, value, type)</c> does.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    /// <param name="declaredType">The type; a null is written under it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> or <paramref name="declaredType"/> is null.</exception>
    /// <exception cref="ArgumentException">A value with this name already exists, or the value does not have the declared type.</exception>
    public void Add(string name, object? value, Type declaredType)
    {
        if (name is null)
            throw new ArgumentNullException(nameof(name));
        if (declaredType is null)
            throw new ArgumentNullException(nameof(declaredType));
        if (Contains(name))
            throw new ArgumentException($"There is already a value named '{name}'.", nameof(name));
        if (value is null ? declaredType.IsValueType && Nullable.GetUnderlyingType(declaredType) is null : !declaredType.IsInstanceOfType(value))
            throw new ArgumentException($"The value is not a {declaredType}.", nameof(value));
        _members.Add(new Member(name, value, declaredType));
    }

    /// <summary>Returns the names, in the order of the body.</summary>
    /// <returns>An enumerator.</returns>
    public IEnumerator<string> GetEnumerator()
    {
        foreach (Member member in _members)
            yield return member.Name;
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Adds a value from a body.</summary>
    internal void Append(string name, object? value)
    {
        if (Contains(name))
            throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A member occurs twice.", _byteOffset, PathOf(name),
                isPoison: true);
        _members.Add(new Member(name, value, typeof(object)));
    }

    private int Find(string name) => _members.FindIndex(member => member.Name == name);

    private string PathOf(string name) => _path + "." + name;

    internal readonly record struct Member(string Name, object? Value, Type DeclaredType);
}

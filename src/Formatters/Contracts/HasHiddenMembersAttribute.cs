using System;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>
/// Generated onto a class with <see cref="MessageContractAttribute"/> that has members or callbacks which are private or internal: the compiler does not show
/// them to other assemblies, where a derived class would lose them without a word.
/// </summary>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class HasHiddenMembersAttribute : Attribute;

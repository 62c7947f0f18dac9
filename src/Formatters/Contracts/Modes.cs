using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>
/// The mode in which generated code runs. The modes are structs, so that the JIT compiles separate code for each, without the parts of the others.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMode;

/// <summary>The mode that writes, or reads into new objects.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Anew : IMode;

/// <summary>The mode that reads into existing objects.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Over : IMode;

/// <summary>The mode that writes, or reads into new objects, and tracks the member path.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Traced : IMode;

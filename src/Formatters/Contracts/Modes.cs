using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>How generated code runs. The modes are structs, so that the JIT makes code of its own for each, without the parts of the others.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMode;

/// <summary>Writes; or reads into new objects.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Anew : IMode;

/// <summary>Reads into existing objects.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Over : IMode;

/// <summary>Writes, or reads into new objects, keeping account of the member path.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Traced : IMode;

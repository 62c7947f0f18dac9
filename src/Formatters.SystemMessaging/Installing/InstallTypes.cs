using System.Collections;
using System.Collections.Specialized;
using System.ComponentModel;

namespace System.Configuration.Install;

/// <summary>Defines what happens to a component when its program is uninstalled.</summary>
public enum UninstallAction
{
    /// <summary>It is removed.</summary>
    Remove = 0,

    /// <summary>It is left.</summary>
    NoAction = 1,
}

/// <summary>The installers within an installer.</summary>
public class InstallerCollection : CollectionBase
{
    /// <summary>Gets an installer.</summary>
    /// <param name="index">Its index.</param>
    public Installer this[int index] => (Installer)List[index]!;

    /// <summary>Appends an installer.</summary>
    /// <param name="value">The installer.</param>
    /// <returns>Its index.</returns>
    public int Add(Installer value) => List.Add(value);

    /// <summary>Appends installers.</summary>
    /// <param name="value">The installers.</param>
    public void AddRange(Installer[] value)
    {
        ArgumentNullException.ThrowIfNull(value);
        foreach (Installer installer in value)
            Add(installer);
    }

    /// <summary>Removes an installer.</summary>
    /// <param name="value">The installer.</param>
    public void Remove(Installer value) => List.Remove(value);
}

/// <summary>The parameters of an installation, which its installers share.</summary>
public class InstallContext
{
    /// <summary>Gets the parameters by name.</summary>
    public StringDictionary Parameters { get; } = [];
}

/// <summary>An installer that takes its settings from a component.</summary>
public abstract class ComponentInstaller : Installer
{
    /// <summary>Copies the settings of a component.</summary>
    /// <param name="component">The component.</param>
    public abstract void CopyFromComponent(IComponent component);

    /// <summary>Determines whether another installer installs the same.</summary>
    /// <param name="otherInstaller">The other installer.</param>
    /// <returns>Whether it does.</returns>
    public virtual bool IsEquivalentInstaller(ComponentInstaller otherInstaller) => false;
}

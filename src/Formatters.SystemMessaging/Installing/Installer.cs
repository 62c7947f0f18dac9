using System.Collections;
using System.ComponentModel;

namespace System.Configuration.Install;

/// <summary>The installer of a component, as in .NET Framework: enough of it for <see cref="Messaging.MessageQueueInstaller"/> and the classes
/// that programs derive for InstallUtil.</summary>
public class Installer : Component
{
    /// <summary>Gets the installers within this one.</summary>
    public InstallerCollection Installers { get; } = [];

    /// <summary>Gets or sets the parameters of the installation.</summary>
    public InstallContext? Context { get; set; }

    /// <summary>Gets a description for people.</summary>
    public virtual string HelpText => "";

    /// <summary>Installs, in the order of the <see cref="Installers"/>.</summary>
    /// <param name="stateSaver">Receives what <see cref="Commit"/>, <see cref="Rollback"/> and <see cref="Uninstall"/> need.</param>
    /// <exception cref="ArgumentNullException"><paramref name="stateSaver"/> is null.</exception>
    public virtual void Install(IDictionary stateSaver)
    {
        ArgumentNullException.ThrowIfNull(stateSaver);
        var states = new IDictionary[Installers.Count];
        for (int i = 0; i < states.Length; i++)
            Installers[i].Install(states[i] = new Hashtable());
        stateSaver["_reserved_nestedSavedStates"] = states;
    }

    /// <summary>Completes the installation.</summary>
    /// <param name="savedState">What <see cref="Install"/> has saved.</param>
    /// <exception cref="ArgumentNullException"><paramref name="savedState"/> is null.</exception>
    public virtual void Commit(IDictionary savedState)
    {
        ArgumentNullException.ThrowIfNull(savedState);
        for (int i = 0; i < Installers.Count; i++)
            Installers[i].Commit(StateOf(savedState, i));
    }

    /// <summary>Undoes the installation.</summary>
    /// <param name="savedState">What <see cref="Install"/> has saved.</param>
    /// <exception cref="ArgumentNullException"><paramref name="savedState"/> is null.</exception>
    public virtual void Rollback(IDictionary savedState)
    {
        ArgumentNullException.ThrowIfNull(savedState);
        for (int i = Installers.Count - 1; i >= 0; i--)
            Installers[i].Rollback(StateOf(savedState, i));
    }

    /// <summary>Removes what was installed.</summary>
    /// <param name="savedState">What <see cref="Install"/> has saved; null if it is not known.</param>
    public virtual void Uninstall(IDictionary? savedState)
    {
        for (int i = Installers.Count - 1; i >= 0; i--)
            Installers[i].Uninstall(savedState is null ? null : StateOf(savedState, i));
    }

    private static IDictionary StateOf(IDictionary state, int index) =>
        state["_reserved_nestedSavedStates"] is IDictionary[] states && index < states.Length ? states[index] : new Hashtable();
}

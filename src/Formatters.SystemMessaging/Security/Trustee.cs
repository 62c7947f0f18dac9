namespace System.Messaging;

/// <summary>A user, group or computer in an access control list. A value only: see <see cref="MessageQueue.ResetPermissions"/>.</summary>
public class Trustee
{
    private string? _name;
    private TrusteeType _type;

    /// <summary>Creates a trustee without a name.</summary>
    public Trustee()
    {
    }

    /// <summary>Creates a trustee.</summary>
    /// <param name="name">The name of the user, group or computer.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public Trustee(string name)
        : this(name, null)
    {
    }

    /// <summary>Creates a trustee.</summary>
    /// <param name="name">The name of the user, group or computer.</param>
    /// <param name="systemName">The computer on which the name is looked up.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public Trustee(string name, string? systemName)
        : this(name, systemName, TrusteeType.Unknown)
    {
    }

    /// <summary>Creates a trustee of a type.</summary>
    /// <param name="name">The name of the user, group or computer.</param>
    /// <param name="systemName">The computer on which the name is looked up.</param>
    /// <param name="trusteeType">The type.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public Trustee(string name, string? systemName, TrusteeType trusteeType)
    {
        Name = name;
        SystemName = systemName;
        TrusteeType = trusteeType;
    }

    /// <summary>Gets or sets the name.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public string? Name
    {
        get => _name;
        set => _name = value ?? throw new ArgumentNullException(nameof(Name));
    }

    /// <summary>Gets or sets the computer on which the name is looked up.</summary>
    public string? SystemName { get; set; }

    /// <summary>Gets or sets the type.</summary>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value is not defined.</exception>
    public TrusteeType TrusteeType
    {
        get => _type;
        set => _type = Checks.Defined(value, nameof(TrusteeType));
    }
}

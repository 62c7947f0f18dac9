namespace System.Messaging;

/// <summary>Rights of a trustee. A value only: see <see cref="MessageQueue.ResetPermissions"/>.</summary>
public class AccessControlEntry
{
    private const int Generic = unchecked((int)0xF0000000);
    private const int Standard = 0x1F0000;

    private AccessControlEntryType _entryType = AccessControlEntryType.Allow;
    private int _accessRights;
    private Trustee? _trustee;

    /// <summary>Creates an entry without a trustee.</summary>
    public AccessControlEntry()
    {
    }

    /// <summary>Creates an entry without rights.</summary>
    /// <param name="trustee">The trustee.</param>
    /// <exception cref="ArgumentNullException"><paramref name="trustee"/> is null.</exception>
    public AccessControlEntry(Trustee trustee) => Trustee = trustee;

    /// <summary>Creates an entry.</summary>
    /// <param name="trustee">The trustee.</param>
    /// <param name="genericAccessRights">The generic rights.</param>
    /// <param name="standardAccessRights">The standard rights.</param>
    /// <param name="entryType">What the entry does with the rights.</param>
    /// <exception cref="ArgumentNullException"><paramref name="trustee"/> is null.</exception>
    public AccessControlEntry(Trustee trustee, GenericAccessRights genericAccessRights, StandardAccessRights standardAccessRights,
        AccessControlEntryType entryType)
    {
        Trustee = trustee;
        GenericAccessRights = genericAccessRights;
        StandardAccessRights = standardAccessRights;
        EntryType = entryType;
    }

    /// <summary>Gets or sets what the entry does with the rights.</summary>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value is not defined.</exception>
    public AccessControlEntryType EntryType
    {
        get => _entryType;
        set => _entryType = Checks.Defined(value, nameof(EntryType));
    }

    /// <summary>Gets or sets the generic rights.</summary>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value has other rights.</exception>
    public GenericAccessRights GenericAccessRights
    {
        get => (GenericAccessRights)(_accessRights & Generic);
        set => _accessRights = (_accessRights & ~Generic) | Checks.Bits(value, Generic, nameof(GenericAccessRights));
    }

    /// <summary>Gets or sets the standard rights.</summary>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException">The value has other rights.</exception>
    public StandardAccessRights StandardAccessRights
    {
        get => (StandardAccessRights)(_accessRights & Standard);
        set => _accessRights = (_accessRights & ~Standard) | Checks.Bits(value, Standard, nameof(StandardAccessRights));
    }

    /// <summary>Gets or sets the trustee.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public Trustee? Trustee
    {
        get => _trustee;
        set => _trustee = value ?? throw new ArgumentNullException(nameof(Trustee));
    }

    /// <summary>Gets or sets all rights.</summary>
    protected int CustomAccessRights
    {
        get => _accessRights;
        set => _accessRights = value;
    }
}

namespace System.Messaging;

/// <summary>Criteria for the search of public queues.</summary>
public class MessageQueueCriteria
{
    private string? _label;
    private string? _machineName;

    /// <summary>Gets or sets the category of the queues.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    public Guid Category
    {
        get => CategoryOrNull ?? throw NotSet(nameof(Category));
        set => CategoryOrNull = value;
    }

    /// <summary>Gets or sets the time after which the queues were created. An earlier <see cref="CreatedBefore"/> becomes this time.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    /// <exception cref="ArgumentException">The value is before 1970, or after January 19, 2038.</exception>
    public DateTime CreatedAfter
    {
        get => CreatedAfterOrNull ?? throw NotSet(nameof(CreatedAfter));
        set
        {
            CreatedAfterOrNull = Checks.Date(value, nameof(CreatedAfter));
            if (CreatedBeforeOrNull < value)
                CreatedBeforeOrNull = value;
        }
    }

    /// <summary>Gets or sets the time before which the queues were created. A later <see cref="CreatedAfter"/> becomes this time.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    /// <exception cref="ArgumentException">The value is before 1970, or after January 19, 2038.</exception>
    public DateTime CreatedBefore
    {
        get => CreatedBeforeOrNull ?? throw NotSet(nameof(CreatedBefore));
        set
        {
            CreatedBeforeOrNull = Checks.Date(value, nameof(CreatedBefore));
            if (CreatedAfterOrNull > value)
                CreatedAfterOrNull = value;
        }
    }

    /// <summary>Gets or sets the label of the queues.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public string Label
    {
        get => _label ?? throw NotSet(nameof(Label));
        set => _label = value ?? throw new ArgumentNullException(nameof(Label));
    }

    /// <summary>Gets or sets the machine of the queues.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    /// <exception cref="ArgumentException">The value is not the name of a machine.</exception>
    public string MachineName
    {
        get => _machineName ?? throw NotSet(nameof(MachineName));
        set => _machineName = QueuePath.CheckMachine(value, nameof(MachineName));
    }

    /// <summary>Gets or sets the time after which the queues were modified. An earlier <see cref="ModifiedBefore"/> becomes this time.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    /// <exception cref="ArgumentException">The value is before 1970, or after January 19, 2038.</exception>
    public DateTime ModifiedAfter
    {
        get => ModifiedAfterOrNull ?? throw NotSet(nameof(ModifiedAfter));
        set
        {
            ModifiedAfterOrNull = Checks.Date(value, nameof(ModifiedAfter));
            if (ModifiedBeforeOrNull < value)
                ModifiedBeforeOrNull = value;
        }
    }

    /// <summary>Gets or sets the time before which the queues were modified. A later <see cref="ModifiedAfter"/> becomes this time.</summary>
    /// <exception cref="InvalidOperationException">It is read, and was not set.</exception>
    /// <exception cref="ArgumentException">The value is before 1970, or after January 19, 2038.</exception>
    public DateTime ModifiedBefore
    {
        get => ModifiedBeforeOrNull ?? throw NotSet(nameof(ModifiedBefore));
        set
        {
            ModifiedBeforeOrNull = Checks.Date(value, nameof(ModifiedBefore));
            if (ModifiedAfterOrNull > value)
                ModifiedAfterOrNull = value;
        }
    }

    internal string? MachineNameOrNull => _machineName;

    private Guid? CategoryOrNull { get; set; }

    private DateTime? CreatedAfterOrNull { get; set; }

    private DateTime? CreatedBeforeOrNull { get; set; }

    private DateTime? ModifiedAfterOrNull { get; set; }

    private DateTime? ModifiedBeforeOrNull { get; set; }

    /// <summary>Removes all criteria.</summary>
    public void ClearAll()
    {
        (_label, _machineName, CategoryOrNull) = (null, null, null);
        (CreatedAfterOrNull, CreatedBeforeOrNull, ModifiedAfterOrNull, ModifiedBeforeOrNull) = (null, null, null, null);
    }

    internal bool Match(QueueProperties properties) =>
        (_label is null || properties.Label == _label)
        && (CategoryOrNull is null || properties.Category == CategoryOrNull)
        && (CreatedAfterOrNull is null || properties.CreateTime.ToLocalTime() > CreatedAfterOrNull)
        && (CreatedBeforeOrNull is null || properties.CreateTime.ToLocalTime() < CreatedBeforeOrNull)
        && (ModifiedAfterOrNull is null || properties.LastModifyTime.ToLocalTime() > ModifiedAfterOrNull)
        && (ModifiedBeforeOrNull is null || properties.LastModifyTime.ToLocalTime() < ModifiedBeforeOrNull);

    private static InvalidOperationException NotSet(string name) => new($"The criterion {name} was not set.");
}

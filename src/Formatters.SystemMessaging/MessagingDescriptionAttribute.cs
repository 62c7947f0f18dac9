using System.ComponentModel;

namespace System.Messaging;

/// <summary>Describes a member for designers.</summary>
[AttributeUsage(AttributeTargets.All)]
public class MessagingDescriptionAttribute : DescriptionAttribute
{
    /// <summary>Creates an attribute.</summary>
    /// <param name="description">The description.</param>
    public MessagingDescriptionAttribute(string description)
        : base(description)
    {
    }

    /// <inheritdoc/>
    public override string Description => base.Description;
}

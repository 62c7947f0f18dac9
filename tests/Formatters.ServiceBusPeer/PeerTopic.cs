using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;
using Formatters.Queues;

namespace Formatters.ServiceBusPeer;

/// <summary>A topic: a description, and its subscriptions.</summary>
internal sealed class PeerTopic(XElement description)
{
    internal XElement Description { get; set; } = description;

    internal Dictionary<string, PeerSubscription> Subscriptions { get; } = new(StringComparer.OrdinalIgnoreCase);
}

/// <summary>A subscription: a queue, and the rules that select what is copied to it.</summary>
internal sealed class PeerSubscription(PeerEntity entity)
{
    internal PeerEntity Entity { get; } = entity;

    /// <summary>Gets the rules by name, as the administration client wrote them.</summary>
    internal Dictionary<string, PeerRule> Rules { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal bool Matches(PeerMessage message) => Rules.Values.Any(rule => rule.Matches(message));
}

/// <summary>A rule: the filter that is true or false for all, compares properties, or is an SQL expression.</summary>
internal sealed partial class PeerRule
{
    private readonly MessageSelector? _selector;
    private readonly Dictionary<string, string> _correlation = [];
    private readonly Dictionary<string, object> _properties = [];
    private readonly bool _constant;

    internal PeerRule(XElement description)
    {
        Description = description;
        XElement filter = description.Elements().First(element => element.Name.LocalName == "Filter");
        string type = filter.Attributes().First(attribute => attribute.Name.LocalName == "type").Value;
        string? expression = filter.Elements().FirstOrDefault(element => element.Name.LocalName == "SqlExpression")?.Value;
        switch (type)
        {
            case "TrueFilter":
                _constant = true;
                break;
            case "FalseFilter":
                break;
            case "SqlFilter":
                _selector = MessageSelector.Parse(ToSelector(expression!));
                break;
            case "CorrelationFilter":
                foreach (XElement element in filter.Elements().Where(element => !element.HasElements && element.Name.LocalName != "Properties"))
                    _correlation[element.Name.LocalName] = element.Value;
                foreach (XElement pair in filter.Elements().Where(element => element.Name.LocalName == "Properties").Elements())
                    _properties[Child(pair, "Key").Value] = ValueOf(Child(pair, "Value"));
                break;
            default:
                throw new NotSupportedException(type);
        }
    }

    internal XElement Description { get; }

    internal bool Matches(PeerMessage message) => _selector is not null
        ? _selector.Matches(ToMessage(message))
        : _correlation.Count + _properties.Count > 0
        ? _correlation.All(pair => Property(message, pair.Key) == pair.Value)
            && _properties.All(pair => message.ApplicationProperties.TryGetValue(pair.Key, out object? value) && pair.Value.Equals(value))
        : _constant;

    private static XElement Child(XElement element, string name) => element.Elements().First(child => child.Name.LocalName == name);

    /// <summary>Reads a value by its XML Schema type: values of different types are different.</summary>
    private static object ValueOf(XElement element)
    {
        string type = element.Attributes().First(attribute => attribute.Name.LocalName == "type").Value;
        return type[(type.IndexOf(':', StringComparison.Ordinal) + 1)..] switch
        {
            "string" => element.Value,
            "boolean" => XmlConvert.ToBoolean(element.Value),
            "int" => XmlConvert.ToInt32(element.Value),
            "long" => XmlConvert.ToInt64(element.Value),
            "double" => XmlConvert.ToDouble(element.Value),
            _ => throw new NotSupportedException(type),
        };
    }

    /// <summary>Writes an SQL expression as a selector: <c>sys.Label</c> and <c>user.[name]</c> are names there.</summary>
    private static string ToSelector(string expression) => NamePattern().Replace(expression, static match => match switch
    {
        { Groups: [_, { Success: true, Value: var system }, ..] } => system switch
        {
            "MessageId" => "JMSMessageID",
            "CorrelationId" => "JMSCorrelationID",
            "Label" => "JMSType",
            _ => throw new NotSupportedException("sys." + system),
        },
        { Groups: [_, _, { Success: true, Value: var user }, ..] } => "\"" + user.Replace("]]", "]", StringComparison.Ordinal).Replace("\"", "\"\"", StringComparison.Ordinal) + "\"",
        _ => match.Value,
    });

    private static QueueMessage ToMessage(PeerMessage message)
    {
        var copy = new QueueMessage { MessageId = message.MessageId, CorrelationId = message.Properties?.CorrelationId?.ToString(), Label = message.Properties?.Subject };
        foreach ((string name, object? value) in message.ApplicationProperties)
        {
            if (value is not null)
                copy.Headers[name] = value;
        }

        return copy;
    }

    private static string? Property(PeerMessage message, string name) => name switch
    {
        "CorrelationId" => message.Properties?.CorrelationId?.ToString(),
        "MessageId" => message.MessageId,
        "Label" => message.Properties?.Subject,
        "ReplyTo" => message.Properties?.ReplyTo?.ToString(),
        "To" => message.Properties?.To?.ToString(),
        "SessionId" => message.SessionId,
        "ReplyToSessionId" => message.Properties?.ReplyToGroupId,
        "ContentType" => message.Properties?.ContentType.Value,
        _ => null,
    };

    [GeneratedRegex(@"'(?:[^']|'')*'|\bsys\.(\w+)|\buser\.\[((?:[^\]]|\]\])*)\]")]
    private static partial Regex NamePattern();
}

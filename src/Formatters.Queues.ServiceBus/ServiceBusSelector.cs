using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Azure.Messaging.ServiceBus.Administration;

namespace Formatters.Queues.ServiceBus;

/// <summary>Translates a selector into a filter of a subscription: a correlation filter if it only compares for equality, or an SQL filter.</summary>
/// <remarks>
/// The service compares values of different types in its own way, and has no name for the time of the send. The filter therefore lets through at
/// least what the selector selects, and the receiver evaluates the selector again. Every condition is translated together with its opposite, because
/// "at least" cannot be negated.
/// </remarks>
internal sealed class ServiceBusSelector : SelectorTranslator<ServiceBusSelector.Part>
{
    private const string All = "1=1";
    private const string None = "1=0";
    private const int MaxFilterLength = 1024;
    private const string MessageId = "JMSMessageID";
    private const string CorrelationId = "JMSCorrelationID";
    private const string Label = "JMSType";

    /// <summary>Translates a selector; null if a filter cannot distinguish any messages for it.</summary>
    internal static string? ToSql(MessageSelector selector)
    {
        string filter = selector.Translate(new ServiceBusSelector()).Positive;
        return filter == All || filter.Length > MaxFilterLength ? null : filter;
    }

    /// <summary>Translates a selector into the filter that a subscription has for it.</summary>
    internal static RuleFilter ToFilter(MessageSelector selector) => ToSql(selector) is not { } sql
        ? new TrueRuleFilter()
        : ToCorrelation(selector.Translate(new ServiceBusSelector()).Equalities) ?? (RuleFilter)new SqlRuleFilter(sql);

    public override Part Literal(object value) => new(
        value switch
        {
            string text => Text(text),
            bool boolean => boolean ? "TRUE" : "FALSE",
            long number => number.ToString(CultureInfo.InvariantCulture),
            double number => number.ToString("F10", CultureInfo.InvariantCulture),
            _ => throw new ArgumentException("No literal of a selector.", nameof(value)),
        },
        [],
        IsComputed: value is double exact && !IsExact(exact)) { Constant = value };

    public override Part Property(string name) => name switch
    {
        MessageId => Name("sys.MessageId", name),
        CorrelationId => Name("sys.CorrelationId", name),
        Label => Name("sys.Label", name),
        "JMSPriority" or "JMSTimestamp" => new Part(null, [], IsComputed: true),
        _ => Name($"user.[{name.Replace("]", "]]", StringComparison.Ordinal)}]", name),
    };

    public override Part Negate(Part operand) => new(null, operand.Names, IsComputed: true);

    public override Part Arithmetic(SelectorArithmetic operation, Part left, Part right) =>
        new(null, [.. left.Names, .. right.Names], IsComputed: true);

    public override Part Compare(SelectorComparison comparison, Part left, Part right)
    {
        string areThere = AllOf(left.Names.Concat(right.Names).Select(IsThere));
        if (left.IsComputed || right.IsComputed || left.Value is not null == right.Value is not null)
            return Condition(areThere, areThere);
        string symbol = comparison switch
        {
            SelectorComparison.Equal => "=",
            SelectorComparison.NotEqual => "<>",
            SelectorComparison.LessThan => "<",
            SelectorComparison.LessThanOrEqual => "<=",
            SelectorComparison.GreaterThan => ">",
            _ => ">=",
        };
        Part result = Condition($"{left.Value ?? left.Names[0]} {symbol} {right.Value ?? right.Names[0]}", areThere);
        // A correlation filter compares numbers of different types as different.
        return comparison == SelectorComparison.Equal && (left.Constant ?? right.Constant) is string or bool
            ? result with { Equalities = [((left.PropertyName ?? right.PropertyName)!, (left.Constant ?? right.Constant)!)] }
            : result;
    }

    public override Part Like(Part property, SelectorPattern pattern) =>
        OnName(property, name => $"{name} LIKE {Text(pattern.ToString('!'))} ESCAPE '!'");

    public override Part In(Part property, IReadOnlyList<string> values) =>
        OnName(property, name => $"{name} IN ({string.Join(',', values.Select(Text))})");

    public override Part IsNull(Part property) =>
        property.IsComputed ? Condition(All, All) : Condition($"{property.Names[0]} IS NULL", IsThere(property.Names[0]));

    public override Part IsTrue(Part property) => OnName(property, static name => $"{name} = TRUE") with
    {
        Equalities = property.PropertyName is { } name ? [(name, true)] : null,
    };

    public override Part Constant(bool value) => value ? Condition(All, None) : Condition(None, All);

    public override Part Not(Part condition) => Condition(condition.Negative, condition.Positive);

    public override Part And(IReadOnlyList<Part> conditions) =>
        Condition(AllOf(conditions.Select(static part => part.Positive)), AnyOf(conditions.Select(static part => part.Negative))) with
        {
            Equalities = conditions.All(static part => part.Equalities is not null)
                ? [.. conditions.SelectMany(static part => part.Equalities!)]
                : null,
        };

    public override Part Or(IReadOnlyList<Part> conditions) =>
        Condition(AnyOf(conditions.Select(static part => part.Positive)), AllOf(conditions.Select(static part => part.Negative)));

    /// <summary>Determines whether ten digits after the point are enough for a number.</summary>
    private static bool IsExact(double number) =>
        double.Parse(number.ToString("F10", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture).Equals(number);

    private static Part Name(string sql, string name) => new(null, [sql], IsComputed: false) { PropertyName = name };

    /// <summary>Creates a correlation filter; null if there are other conditions than equalities, or a property has an empty value or two
    /// values.</summary>
    private static CorrelationRuleFilter? ToCorrelation((string Name, object Value)[]? equalities)
    {
        if (equalities is null)
            return null;
        var filter = new CorrelationRuleFilter();
        foreach (IGrouping<string, object> property in equalities.GroupBy(static pair => pair.Name, static pair => pair.Value))
        {
            object value = property.First();
            // An empty string may be the same as none there.
            if (value is "" || property.Any(other => !other.Equals(value)))
                return null;
            switch (property.Key, value)
            {
                case (MessageId, string id):
                    filter.MessageId = id;
                    break;
                case (CorrelationId, string id):
                    filter.CorrelationId = id;
                    break;
                case (Label, string label):
                    filter.Subject = label;
                    break;
                case (MessageId or CorrelationId or Label, _):
                    return null;
                default:
                    filter.ApplicationProperties.Add(property.Key, value);
                    break;
            }
        }

        return filter;
    }

    private static Part Condition(string positive, string negative) => new(null, [], IsComputed: false) { Positive = positive, Negative = negative };

    private static Part OnName(Part property, Func<string, string> positive) =>
        property.IsComputed ? Condition(All, All) : Condition(positive(property.Names[0]), IsThere(property.Names[0]));

    private static string IsThere(string name) => $"{name} IS NOT NULL";

    private static string Text(string text) => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'";

    private static string AllOf(IEnumerable<string> conditions) => Combine(conditions, " AND ", neutral: All, decisive: None);

    private static string AnyOf(IEnumerable<string> conditions) => Combine(conditions, " OR ", neutral: None, decisive: All);

    private static string Combine(IEnumerable<string> conditions, string operation, string neutral, string decisive)
    {
        string[] distinct = [.. conditions.Where(condition => condition != neutral).Distinct()];
        if (distinct.Contains(decisive))
            return decisive;
        return distinct.Length switch
        {
            0 => neutral,
            1 => distinct[0],
            _ => $"({string.Join(operation, distinct)})",
        };
    }

    /// <summary>The translation of a part of a selector.</summary>
    /// <param name="Value">The SQL of a literal; null for anything else.</param>
    /// <param name="Names">The SQL names of the properties that must be there for an operand to have a value.</param>
    /// <param name="IsComputed">Whether a filter cannot know the operand's value.</param>
    internal readonly record struct Part(string? Value, string[] Names, bool IsComputed)
    {
        /// <summary>Gets the condition that lets through at least the messages for which the part is true.</summary>
        internal string Positive { get; init; } = All;

        internal string Negative { get; init; } = All;

        /// <summary>Gets the value of a literal.</summary>
        internal object? Constant { get; init; }

        /// <summary>Gets the name of a property in the selector.</summary>
        internal string? PropertyName { get; init; }

        /// <summary>Gets the equalities with strings and booleans of which the condition consists; null if it has other parts.</summary>
        internal (string Name, object Value)[]? Equalities { get; init; }
    }
}

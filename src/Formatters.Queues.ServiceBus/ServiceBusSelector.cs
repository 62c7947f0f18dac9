using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Queues.ServiceBus;

/// <summary>Translates a selector into an SQL filter of a subscription.</summary>
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

    /// <summary>Translates a selector; null if a filter cannot distinguish any messages for it.</summary>
    internal static string? ToSql(MessageSelector selector)
    {
        string filter = selector.Translate(new ServiceBusSelector()).Positive;
        return filter == All || filter.Length > MaxFilterLength ? null : filter;
    }

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
        IsComputed: value is double exact && !IsExact(exact));

    public override Part Property(string name) => name switch
    {
        "JMSMessageID" => Name("sys.MessageId"),
        "JMSCorrelationID" => Name("sys.CorrelationId"),
        "JMSType" => Name("sys.Label"),
        "JMSPriority" or "JMSTimestamp" => new Part(null, [], IsComputed: true),
        _ => Name($"user.[{name.Replace("]", "]]", StringComparison.Ordinal)}]"),
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
        return Condition($"{left.Value ?? left.Names[0]} {symbol} {right.Value ?? right.Names[0]}", areThere);
    }

    public override Part Like(Part property, SelectorPattern pattern) =>
        OnName(property, name => $"{name} LIKE {Text(pattern.ToString('!'))} ESCAPE '!'");

    public override Part In(Part property, IReadOnlyList<string> values) =>
        OnName(property, name => $"{name} IN ({string.Join(',', values.Select(Text))})");

    public override Part IsNull(Part property) =>
        property.IsComputed ? Condition(All, All) : Condition($"{property.Names[0]} IS NULL", IsThere(property.Names[0]));

    public override Part IsTrue(Part property) => OnName(property, static name => $"{name} = TRUE");

    public override Part Constant(bool value) => value ? Condition(All, None) : Condition(None, All);

    public override Part Not(Part condition) => Condition(condition.Negative, condition.Positive);

    public override Part And(IReadOnlyList<Part> conditions) =>
        Condition(AllOf(conditions.Select(static part => part.Positive)), AnyOf(conditions.Select(static part => part.Negative)));

    public override Part Or(IReadOnlyList<Part> conditions) =>
        Condition(AnyOf(conditions.Select(static part => part.Positive)), AllOf(conditions.Select(static part => part.Negative)));

    /// <summary>Determines whether ten digits after the point are enough for a number.</summary>
    private static bool IsExact(double number) =>
        double.Parse(number.ToString("F10", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture).Equals(number);

    private static Part Name(string name) => new(null, [name], IsComputed: false);

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
    }
}

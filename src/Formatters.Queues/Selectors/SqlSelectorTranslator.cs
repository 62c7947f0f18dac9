using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Formatters.Queues;

/// <summary>Defines the types of a selector's parts in SQL.</summary>
internal enum SqlSelectorKind
{
    Condition,
    Number,
    Text,
    Boolean,

    /// <summary>A header: <c>jsonb</c>, whose type depends on the message.</summary>
    Json,
}

/// <summary>A part of a selector in SQL, safe as an operand of any operator.</summary>
/// <param name="Kind">Its type.</param>
/// <param name="Text">The SQL.</param>
/// <param name="HeaderText">For a header, the SQL of its value as <c>text</c>.</param>
internal readonly record struct SqlSelectorPart(SqlSelectorKind Kind, string Text, string? HeaderText = null);

/// <summary>Translates selectors to conditions of PostgreSQL.</summary>
/// <remarks>
/// A cast never fails, because <c>CASE</c> checks <c>jsonb_typeof</c> first. <c>jsonb</c> compares numbers by value and different types as different.
/// </remarks>
internal sealed class SqlSelectorTranslator(SelectorColumns columns, Func<object, string> addParameter) : SelectorTranslator<SqlSelectorPart>
{
    public override SqlSelectorPart Literal(object value) => value switch
    {
        string text => new(SqlSelectorKind.Text, $"{addParameter(text)}::text"),
        bool boolean => new(SqlSelectorKind.Boolean, boolean ? "TRUE" : "FALSE"),
        long number => new(SqlSelectorKind.Number, string.Create(CultureInfo.InvariantCulture, $"({number}::numeric)")),
        double number => new(SqlSelectorKind.Number, string.Create(CultureInfo.InvariantCulture, $"({number:R}::numeric)")),
        _ => throw new ArgumentException("No literal of a selector.", nameof(value)),
    };

    public override SqlSelectorPart Property(string name)
    {
        switch (name)
        {
            case "JMSMessageID":
                return new(SqlSelectorKind.Text, $"({columns.MessageId})");
            case "JMSCorrelationID":
                return new(SqlSelectorKind.Text, $"({columns.CorrelationId})");
            case "JMSType":
                return new(SqlSelectorKind.Text, $"({columns.Label})");
            case "JMSPriority":
                return new(SqlSelectorKind.Number, $"({columns.Priority})::numeric");
            case "JMSTimestamp":
                return new(SqlSelectorKind.Number, $"({columns.SentTime})::numeric");
            default:
                string parameter = addParameter(name);
                return new(SqlSelectorKind.Json, $"(({columns.Headers}) -> {parameter}::text)", $"(({columns.Headers}) ->> {parameter}::text)");
        }
    }

    public override SqlSelectorPart Negate(SqlSelectorPart operand) => new(SqlSelectorKind.Number, $"(- {Number(operand)})");

    public override SqlSelectorPart Arithmetic(SelectorArithmetic operation, SqlSelectorPart left, SqlSelectorPart right) => new(
        SqlSelectorKind.Number,
        operation switch
        {
            SelectorArithmetic.Add => $"({Number(left)} + {Number(right)})",
            SelectorArithmetic.Subtract => $"({Number(left)} - {Number(right)})",
            SelectorArithmetic.Multiply => $"({Number(left)} * {Number(right)})",
            _ => $"({Number(left)} / NULLIF({Number(right)}, 0))",
        });

    public override SqlSelectorPart Compare(SelectorComparison comparison, SqlSelectorPart left, SqlSelectorPart right)
    {
        string symbol = comparison switch
        {
            SelectorComparison.Equal => "=",
            SelectorComparison.NotEqual => "<>",
            SelectorComparison.LessThan => "<",
            SelectorComparison.LessThanOrEqual => "<=",
            SelectorComparison.GreaterThan => ">",
            _ => ">=",
        };
        bool isEquality = comparison <= SelectorComparison.NotEqual;
        if (left.Kind != SqlSelectorKind.Json && right.Kind != SqlSelectorKind.Json)
        {
            return left.Kind == right.Kind && (isEquality || left.Kind == SqlSelectorKind.Number)
                ? Condition($"({left.Text} {symbol} {right.Text})")
                : Condition($"(CASE WHEN {BothThere()} THEN FALSE END)");
        }

        if (!isEquality)
        {
            if (left.Kind is not (SqlSelectorKind.Json or SqlSelectorKind.Number)
                || right.Kind is not (SqlSelectorKind.Json or SqlSelectorKind.Number))
                return Condition($"(CASE WHEN {BothThere()} THEN FALSE END)");
            string areNumbers = string.Join(" AND ", new[] { left, right }.Where(part => part.Kind == SqlSelectorKind.Json)
                .Select(part => $"jsonb_typeof({part.Text}) = 'number'"));
            return Condition($"(CASE WHEN {areNumbers} THEN {AsNumeric(left)} {symbol} {AsNumeric(right)} WHEN {BothThere()} THEN FALSE END)");
        }

        (string a, string b) = (AsJson(left), AsJson(right));
        if (comparison == SelectorComparison.Equal && left.Kind != right.Kind)
            return Condition($"({a} = {b})");
        // Bytes have another JSON type: they are not even equal to themselves.
        string isKnown = left.Kind == right.Kind ? $" AND jsonb_typeof({a}) IN ('string', 'number', 'boolean')" : "";
        return Condition($"(CASE WHEN jsonb_typeof({a}) = jsonb_typeof({b}){isKnown} THEN {a} {symbol} {b} WHEN {BothThere()} THEN FALSE END)");

        string BothThere() => $"{left.Text} IS NOT NULL AND {right.Text} IS NOT NULL";
    }

    public override SqlSelectorPart Like(SqlSelectorPart property, SelectorPattern pattern) =>
        OnText(property, text => $"{text} LIKE {addParameter(pattern.ToString('!'))}::text ESCAPE '!'");

    public override SqlSelectorPart In(SqlSelectorPart property, IReadOnlyList<string> values) =>
        OnText(property, text => $"{text} = ANY ({addParameter(values.ToArray())}::text[])");

    public override SqlSelectorPart IsNull(SqlSelectorPart property) => Condition($"({property.Text} IS NULL)");

    public override SqlSelectorPart IsTrue(SqlSelectorPart property) =>
        property.Kind == SqlSelectorKind.Json
        ? Condition($"({property.Text} = 'true'::jsonb)")
        : Condition($"(CASE WHEN {property.Text} IS NOT NULL THEN FALSE END)");

    public override SqlSelectorPart Constant(bool value) => Condition(value ? "TRUE" : "FALSE");

    public override SqlSelectorPart Not(SqlSelectorPart condition) => Condition($"(NOT {condition.Text})");

    public override SqlSelectorPart And(IReadOnlyList<SqlSelectorPart> conditions) =>
        Condition($"({string.Join(" AND ", conditions.Select(condition => condition.Text))})");

    public override SqlSelectorPart Or(IReadOnlyList<SqlSelectorPart> conditions) =>
        Condition($"({string.Join(" OR ", conditions.Select(condition => condition.Text))})");

    private static SqlSelectorPart Condition(string text) => new(SqlSelectorKind.Condition, text);

    private static SqlSelectorPart OnText(SqlSelectorPart property, Func<string, string> test) => property.Kind switch
    {
        SqlSelectorKind.Json =>
            Condition(
                $"(CASE WHEN jsonb_typeof({property.Text}) = 'string' THEN {test(property.HeaderText!)} WHEN {property.Text} IS NOT NULL THEN FALSE "
                + "END)"),
        SqlSelectorKind.Text => Condition($"({test(property.Text)})"),
        _ => Condition($"(CASE WHEN {property.Text} IS NOT NULL THEN FALSE END)"),
    };

    private static string AsNumeric(SqlSelectorPart part) => part.Kind == SqlSelectorKind.Json ? $"{part.Text}::numeric" : part.Text;

    private static string AsJson(SqlSelectorPart part) => part.Kind == SqlSelectorKind.Json ? part.Text : $"to_jsonb({part.Text})";

    /// <summary>Returns the SQL of a number; null for other types.</summary>
    private static string Number(SqlSelectorPart part) => part.Kind switch
    {
        SqlSelectorKind.Number => part.Text,
        SqlSelectorKind.Json => $"(CASE WHEN jsonb_typeof({part.Text}) = 'number' THEN {part.Text}::numeric END)",
        _ => "NULL::numeric",
    };
}

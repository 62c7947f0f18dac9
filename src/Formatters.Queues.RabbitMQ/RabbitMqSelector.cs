using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Translates a selector into an Erlang term for the exchange type <c>x-jms-topic</c>.</summary>
/// <remarks>
/// <para>The exchange compares by Erlang's term order (numbers, then atoms, then binaries) and knows headers only. Arithmetic or <c>LIKE</c> on a
/// header of another type makes it fail, and closes the connection of the sender. The term therefore lets through at least what the selector matches,
/// with comparisons that never fail, and the receiver evaluates the selector again.</para>
/// <para>Every condition is translated together with its opposite, because "at least" cannot be negated.</para>
/// </remarks>
internal sealed class RabbitMqSelector : SelectorTranslator<RabbitMqSelector.Part>
{
    private const string All = "true";
    private const string None = "false";

    /// <summary>Translates a selector; null if the exchange cannot distinguish any messages for it.</summary>
    internal static string? ToErlang(MessageSelector selector)
    {
        string term = selector.Translate(new RabbitMqSelector()).Positive;
        return term == All ? null : term + ".";
    }

    /// <summary>Rejects headers that the exchange's evaluation does not support; it would close the connection.</summary>
    /// <exception cref="ArgumentException">There is such a header.</exception>
    internal static void ThrowIfNotSupported(QueueMessage message)
    {
        if (!message.HasHeaders)
            return;
        foreach ((string name, object value) in message.Headers)
        {
            bool isKnown = value switch
            {
                string or bool or sbyte or short or int or long => true,
                float number => float.IsFinite(number),
                double number => double.IsFinite(number),
                _ => false,
            };
            if (!isKnown)
            {
                throw new ArgumentException(
                    $"The header {name} is a {value?.GetType().ToString() ?? "null"}: a topic of RabbitMQ supports only strings, booleans, and "
                    + "signed and finite numbers, because its selectors fail on others.",
                    nameof(message));
            }
        }
    }

    public override Part Literal(object value) => new(value switch
    {
        string text => Binary(text),
        bool boolean => boolean ? "true" : "false",
        long number => number.ToString(CultureInfo.InvariantCulture),
        double number => Float(number),
        _ => throw new ArgumentException("No literal of a selector.", nameof(value)),
    });

    public override Part Property(string name)
    {
        bool isHeader = name is not ("JMSMessageID" or "JMSCorrelationID" or "JMSType" or "JMSPriority" or "JMSTimestamp")
            && !RabbitMqMessage.IsOwn(name);
        return new Part(null, isHeader ? [$"{{'ident',{Binary(name)}}}"] : [], IsComputed: !isHeader);
    }

    public override Part Negate(Part operand) => new(null, operand.Headers, IsComputed: true);

    public override Part Arithmetic(SelectorArithmetic operation, Part left, Part right) =>
        new(null, [.. left.Headers, .. right.Headers], IsComputed: true);

    public override Part Compare(SelectorComparison comparison, Part left, Part right)
    {
        if (left.Term is not null)
        {
            (left, right) = (right, left);
            comparison = comparison switch
            {
                SelectorComparison.LessThan => SelectorComparison.GreaterThan,
                SelectorComparison.LessThanOrEqual => SelectorComparison.GreaterThanOrEqual,
                SelectorComparison.GreaterThan => SelectorComparison.LessThan,
                SelectorComparison.GreaterThanOrEqual => SelectorComparison.LessThanOrEqual,
                _ => comparison,
            };
        }

        if (left.IsComputed || right.Term is not { } value)
        {
            string areThere = AllOf(left.Headers.Concat(right.Headers).Select(IsThere));
            return Condition(areThere, areThere);
        }

        string header = left.Headers[0];
        return comparison switch
        {
            SelectorComparison.Equal => Condition($"{{'=',{header},{value}}}", $"{{'<>',{header},{value}}}"),
            // Values of other types do not differ, but the opposite is true of them.
            SelectorComparison.NotEqual => Condition($"{{'<>',{header},{value}}}", IsThere(header)),
            SelectorComparison.LessThan => Condition($"{{'<',{header},{value}}}", $"{{'>=',{header},{value}}}"),
            SelectorComparison.LessThanOrEqual => Condition($"{{'<=',{header},{value}}}", $"{{'>',{header},{value}}}"),
            // A value that is not a number is not less than the least atom.
            SelectorComparison.GreaterThan => Condition(
                $"{{'>',{header},{value}}}", AnyOf([$"{{'<=',{header},{value}}}", $"{{'>=',{header},false}}"])),
            _ => Condition($"{{'>=',{header},{value}}}", AnyOf([$"{{'<',{header},{value}}}", $"{{'>=',{header},false}}"])),
        };
    }

    public override Part Like(Part property, SelectorPattern pattern) => OnHeader(
        property,
        header =>
        {
            // Binaries are the greatest terms; no byte of UTF-8 is 255.
            string prefix = pattern.Prefix;
            return prefix.Length == 0
                ? $"{{'>=',{header},<<>>}}"
                : AllOf([$"{{'>=',{header},{Binary(prefix)}}}", $"{{'<',{header},{Binary(prefix, 255)}}}"]);
        },
        IsThere);

    public override Part In(Part property, IReadOnlyList<string> values)
    {
        string list = $"[{string.Join(',', values.Select(value => Binary(value)))}]";
        return OnHeader(property, header => $"{{'in',{header},{list}}}", header => $"{{'not_in',{header},{list}}}");
    }

    public override Part IsNull(Part property) => OnHeader(property, header => $"{{'is_null',{header}}}", IsThere);

    public override Part IsTrue(Part property) => OnHeader(property, header => $"{{'=',{header},true}}", header => $"{{'<>',{header},true}}");

    public override Part Constant(bool value) => value ? Condition(All, None) : Condition(None, All);

    public override Part Not(Part condition) => Condition(condition.Negative, condition.Positive);

    public override Part And(IReadOnlyList<Part> conditions) =>
        Condition(AllOf(conditions.Select(part => part.Positive)), AnyOf(conditions.Select(part => part.Negative)));

    public override Part Or(IReadOnlyList<Part> conditions) =>
        Condition(AnyOf(conditions.Select(part => part.Positive)), AllOf(conditions.Select(part => part.Negative)));

    private static Part Condition(string positive, string negative) => new(null, [], IsComputed: false) { Positive = positive, Negative = negative };

    private static Part OnHeader(Part property, Func<string, string> positive, Func<string, string> negative) =>
        property.IsComputed ? Condition(All, All) : Condition(positive(property.Headers[0]), negative(property.Headers[0]));

    private static string IsThere(string header) => $"{{'not_null',{header}}}";

    private static string AllOf(IEnumerable<string> terms) => Combine(terms, "and", neutral: All, decisive: None);

    private static string AnyOf(IEnumerable<string> terms) => Combine(terms, "or", neutral: None, decisive: All);

    private static string Combine(IEnumerable<string> terms, string operation, string neutral, string decisive)
    {
        string[] distinct = terms.Where(term => term != neutral).Distinct().ToArray();
        if (distinct.Contains(decisive))
            return decisive;
        // Split in halves, so that a long list does not become a deep term.
        return Join(distinct);

        string Join(ReadOnlySpan<string> rest) => rest.Length switch
        {
            0 => neutral,
            1 => rest[0],
            _ => $"{{'{operation}',{Join(rest[..(rest.Length / 2)])},{Join(rest[(rest.Length / 2)..])}}}",
        };
    }

    private static string Binary(string text, params ReadOnlySpan<byte> rest) =>
        $"<<{string.Join(',', Encoding.UTF8.GetBytes(text).Concat(rest.ToArray()))}>>";

    // Erlang's floats require a point; 17 digits are always enough.
    private static string Float(double number) => number.ToString("E16", CultureInfo.InvariantCulture);

    /// <summary>The translation of a part of a selector.</summary>
    /// <param name="Term">The term of a literal; null for anything else.</param>
    /// <param name="Headers">The terms of the headers that must be there for an operand to have a value.</param>
    /// <param name="IsComputed">Whether the exchange does not know the operand's value.</param>
    internal readonly record struct Part(string? Term, string[] Headers, bool IsComputed)
    {
        internal Part(string term)
            : this(term, [], IsComputed: false)
        {
        }

        /// <summary>Gets the term that lets through at least the messages for which the condition is true.</summary>
        internal string Positive { get; init; } = All;

        internal string Negative { get; init; } = All;
    }
}

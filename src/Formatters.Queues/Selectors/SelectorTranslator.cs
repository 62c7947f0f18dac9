using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>Translates a <see cref="MessageSelector"/> into another language, bottom-up: the SQL of a database, the filter of a broker.</summary>
/// <typeparam name="T">The type of an expression in the other language.</typeparam>
/// <remarks>
/// <c>BETWEEN</c> arrives as two comparisons, <c>NOT LIKE</c>, <c>NOT IN</c> and <c>IS NOT NULL</c> as <see cref="Not"/>; operands without a property
/// are computed in advance. Conditions are true, false or unknown; see <see cref="MessageSelector"/> for when.
/// </remarks>
public abstract class SelectorTranslator<T>
{
    /// <summary>Translates a string, number or boolean of the selector.</summary>
    /// <param name="value">A <see cref="string"/>, <see cref="bool"/>, <see cref="long"/> (exact) or finite <see cref="double"/>
    /// (approximate).</param>
    /// <returns>The translation.</returns>
    public abstract T Literal(object value);

    /// <summary>Translates a header of the message, or a property by its JMS name.</summary>
    /// <param name="name">The name; JMSMessageID, JMSCorrelationID, JMSType, JMSPriority and JMSTimestamp are properties, any other name is a
    /// header.</param>
    /// <returns>The translation.</returns>
    public abstract T Property(string name);

    /// <summary>Translates the negative of a number: <c>-operand</c>.</summary>
    /// <param name="operand">A number or a property.</param>
    /// <returns>The translation.</returns>
    public abstract T Negate(T operand);

    /// <summary>Translates a sum, difference, product or quotient.</summary>
    /// <param name="operation">Which.</param>
    /// <param name="left">A number or a property.</param>
    /// <param name="right">A number or a property.</param>
    /// <returns>The translation.</returns>
    public abstract T Arithmetic(SelectorArithmetic operation, T left, T right);

    /// <summary>Translates a comparison of two values, which is unknown if either is null.</summary>
    /// <param name="comparison">Which.</param>
    /// <param name="left">A value or a property.</param>
    /// <param name="right">A value or a property.</param>
    /// <returns>The translation.</returns>
    public abstract T Compare(SelectorComparison comparison, T left, T right);

    /// <summary>Translates the condition that a property is a string that matches a pattern.</summary>
    /// <param name="property">The property.</param>
    /// <param name="pattern">The pattern.</param>
    /// <returns>The translation.</returns>
    public abstract T Like(T property, SelectorPattern pattern);

    /// <summary>Translates the condition that a property is one of some strings.</summary>
    /// <param name="property">The property.</param>
    /// <param name="values">The strings; at least one.</param>
    /// <returns>The translation.</returns>
    public abstract T In(T property, IReadOnlyList<string> values);

    /// <summary>Translates the condition that a message does not have a property. Never unknown.</summary>
    /// <param name="property">The property.</param>
    /// <returns>The translation.</returns>
    public abstract T IsNull(T property);

    /// <summary>Translates a property used as a condition: true if it is the boolean true, unknown if it is missing, otherwise false.</summary>
    /// <param name="property">The property.</param>
    /// <returns>The translation.</returns>
    public abstract T IsTrue(T property);

    /// <summary>Translates the condition that is always true, or always false.</summary>
    /// <param name="value">Which.</param>
    /// <returns>The translation.</returns>
    public abstract T Constant(bool value);

    /// <summary>Translates the opposite of a condition; unknown if the condition is unknown.</summary>
    /// <param name="condition">The condition.</param>
    /// <returns>The translation.</returns>
    public abstract T Not(T condition);

    /// <summary>Translates a conjunction: true if all conditions are true, false if one is false, otherwise unknown.</summary>
    /// <param name="conditions">Two conditions or more.</param>
    /// <returns>The translation.</returns>
    public abstract T And(IReadOnlyList<T> conditions);

    /// <summary>Translates a disjunction: true if one condition is true, false if all are false, otherwise unknown.</summary>
    /// <param name="conditions">Two conditions or more.</param>
    /// <returns>The translation.</returns>
    public abstract T Or(IReadOnlyList<T> conditions);
}

/// <summary>The operators that compare two values in a selector.</summary>
public enum SelectorComparison
{
    /// <summary><c>=</c></summary>
    Equal,

    /// <summary><c>&lt;&gt;</c></summary>
    NotEqual,

    /// <summary><c>&lt;</c>, of numbers</summary>
    LessThan,

    /// <summary><c>&lt;=</c>, of numbers</summary>
    LessThanOrEqual,

    /// <summary><c>&gt;</c>, of numbers</summary>
    GreaterThan,

    /// <summary><c>&gt;=</c>, of numbers</summary>
    GreaterThanOrEqual,
}

/// <summary>Defines the arithmetic operations of selectors.</summary>
public enum SelectorArithmetic
{
    /// <summary><c>+</c></summary>
    Add,

    /// <summary><c>-</c></summary>
    Subtract,

    /// <summary><c>*</c></summary>
    Multiply,

    /// <summary><c>/</c>, never an integer division; unknown for a division by zero</summary>
    Divide,
}

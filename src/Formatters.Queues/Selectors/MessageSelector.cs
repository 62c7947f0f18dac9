using System;

namespace Formatters.Queues;

/// <summary>
/// A condition on messages: the selectors of JMS, a subset of SQL-92 over headers and properties, such as <c>colour = 'red' AND size BETWEEN 5 AND
/// 15</c>.
/// </summary>
/// <remarks>
/// <para><b>Names</b> are those of <see cref="QueueMessage.Headers"/>, case-sensitive; in double quotes if they are not valid identifiers
/// (<c>"order-id" = 7</c>). JMS names of properties: <c>JMSMessageID</c>, <c>JMSCorrelationID</c>, <c>JMSType</c> (<see cref="QueueMessage.Label"/>),
/// <c>JMSPriority</c>, <c>JMSTimestamp</c> (when it was sent, in milliseconds since 1970). A selector cannot use the body.</para>
/// <para><b>Operators</b>: <c>= &lt;&gt; &lt; &lt;= &gt; &gt;=</c>, <c>BETWEEN</c>, <c>IN</c>, <c>LIKE</c> with <c>ESCAPE</c>, <c>IS NULL</c>, all
/// with <c>NOT</c>; <c>+ - * /</c>; <c>NOT</c> before <c>AND</c> before <c>OR</c>; parentheses. A boolean header is a condition by itself.</para>
/// <para><b>Three values</b>: a condition on a property that a message does not have is unknown, unless it is <c>IS NULL</c>; a message is selected
/// if the whole is true. Values of different types compare as false, also with <c>&lt;&gt;</c> (JMS 2.0, 3.8.1.2); strings and booleans support only
/// <c>=</c> and <c>&lt;&gt;</c>. Arithmetic with what is not a number, and a division by zero, has no value. JMS requires Java's division of whole
/// numbers (7 / 2 is 3); ActiveMQ and RabbitMQ divide approximately (3.5), and so does this.</para>
/// <para>Instances are immutable and may be used by several threads. <see cref="Matches"/> allocates nothing.</para>
/// </remarks>
public sealed class MessageSelector
{
    /// <summary>The maximum length of a selector: 32,768 UTF-16 units.</summary>
    public const int MaxCharCount = 32_768;

    /// <summary>The maximum nesting depth of parentheses and operations: 100.</summary>
    public const int MaxDepth = 100;

    /// <summary>
    /// The maximum length of a <c>LIKE</c> pattern: 1,024 UTF-16 units. It bounds the time that a match may take for each character of a header.
    /// </summary>
    public const int MaxPatternCharCount = 1024;

    private readonly string _text;
    private readonly SelectorCondition _condition;

    private MessageSelector(string text, SelectorCondition condition)
    {
        _text = text;
        _condition = condition;
    }

    /// <summary>Parses a selector: a condition in the syntax of JMS 2.0 over the properties and headers of messages.</summary>
    /// <param name="text">The condition, such as <c>JMSPriority &gt; 5 AND region = 'EU'</c>; an empty one selects every message.</param>
    /// <returns>The selector.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="text"/> is null.</exception>
    /// <exception cref="InvalidSelectorException">The string is not a valid selector, or exceeds <see cref="MaxCharCount"/>, <see cref="MaxDepth"/>
    /// or <see cref="MaxPatternCharCount"/>, or is nested deeper than the stack of this thread allows. The exception has the position.</exception>
    public static MessageSelector Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new MessageSelector(text, new SelectorParser(text).Parse());
    }

    /// <summary>Determines whether the selector matches a message.</summary>
    /// <param name="message">The message; its body is not used.</param>
    /// <returns>True if the condition is true, false if it is false or unknown.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <exception cref="InsufficientExecutionStackException">The selector is deeply nested, and less of the stack is left than the runtime requires
    /// (128 KiB in a 64-bit process).</exception>
    public bool Matches(QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        SelectorStack.Ensure(_condition.Depth);
        return _condition.Test(message) == true;
    }

    /// <summary>Translates the selector into another language.</summary>
    /// <typeparam name="T">The type of an expression in that language.</typeparam>
    /// <param name="translator">Translates the parts.</param>
    /// <returns>The translation of the whole.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="translator"/> is null.</exception>
    /// <exception cref="InsufficientExecutionStackException">The selector is deeply nested, and less of the stack is left than the runtime requires
    /// (128 KiB in a 64-bit process).</exception>
    public T Translate<T>(SelectorTranslator<T> translator)
    {
        ArgumentNullException.ThrowIfNull(translator);
        SelectorStack.Ensure(_condition.Depth);
        return _condition.Translate(translator);
    }

    /// <summary>
    /// Writes the selector as a condition for a <c>WHERE</c> of PostgreSQL 11 or later, over a <c>jsonb</c> column with the headers.
    /// </summary>
    /// <param name="columns">The expressions that hold headers and properties.</param>
    /// <param name="addParameter">Takes the value of a parameter, a <see cref="string"/> (<c>text</c>) or an array of them (<c>text[]</c>), and
    /// returns the SQL that refers to it: <c>$1</c>. All strings of the selector are passed as parameters; only numbers are written into the
    /// SQL.</param>
    /// <returns>The condition in parentheses, with the same three values as here.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InsufficientExecutionStackException">The selector is deeply nested, and less of the stack is left than the runtime requires
    /// (128 KiB in a 64-bit process).</exception>
    /// <remarks>
    /// Numbers are computed as <c>numeric</c>: exactly where <see cref="Matches"/> rounds to a <see cref="double"/>. No value of a message makes the
    /// condition fail.
    /// </remarks>
    public string ToSql(SelectorColumns columns, Func<object, string> addParameter)
    {
        ArgumentNullException.ThrowIfNull(columns);
        ArgumentNullException.ThrowIfNull(addParameter);
        SelectorStack.Ensure(_condition.Depth);
        return _condition.Translate(new SqlSelectorTranslator(columns, addParameter)).Text;
    }

    /// <summary>Returns the selector as a string.</summary>
    /// <returns>As it was parsed.</returns>
    public override string ToString() => _text;
}

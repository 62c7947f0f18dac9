namespace Formatters.Queues;

/// <summary>The values of the attribute <c>messaging.system</c>.</summary>
internal static class MessagingSystems
{
    internal const string RabbitMq = "rabbitmq";
    internal const string ServiceBus = "servicebus";

    /// <summary>Returns the system of an address: as the conventions name it, otherwise its scheme.</summary>
    internal static string Of(QueueAddress address) => address.Scheme switch
    {
        "amqp" or "amqps" => RabbitMq,
        "postgres" => "postgresql",
        "sb" or "sb-emulator" => ServiceBus,
        _ => address.Scheme,
    };
}

using Formatters.SystemMessaging;

namespace System.Messaging;

/// <summary>Creates the exceptions for what only Windows has. Each says what to do instead.</summary>
internal static class NotHere
{
    internal static PlatformNotSupportedException AccessControl(string member) => new(
        $"{member}: access control lists belong to MSMQ. Grant rights where the queue is: the permissions of the folder, the roles of PostgreSQL, or "
        + $"the users of RabbitMQ. To run an existing program, "
        + Setting(nameof(MessagingConfiguration.IgnoreAccessControl), MessagingConfiguration.IgnoreAccessControlVariable));

    internal static PlatformNotSupportedException Security(string member) => new(
        $"{member}: MSMQ signs and encrypts messages with certificates of Windows. Use TLS to the broker (amqps:, postgres with sslmode), or a body "
        + "that is signed or encrypted itself (SignedFormatter, EncryptedFormatter). To send the messages of an existing program without this, "
        + Setting(nameof(MessagingConfiguration.IgnoreMessageSecurity), MessagingConfiguration.IgnoreMessageSecurityVariable));

    private static string Setting(string name, string variable) =>
        $"write \"Messaging\": {{ \"{name}\": true }} into the appsettings.json beside the program, or set the environment variable {variable}=true.";

    internal static PlatformNotSupportedException Component(string member) => new(
        $"{member}: bodies with COM objects need Windows. Send a string, a number, a date or an array of bytes, or use another "
        + "formatter.");

    internal static PlatformNotSupportedException Handle(string member) => new(
        $"{member}: there are no handles of MSMQ. Call the methods of {nameof(MessageQueue)}; the queue itself can be opened with "
        + "Formatters.Queues.QueueConnector.");
}

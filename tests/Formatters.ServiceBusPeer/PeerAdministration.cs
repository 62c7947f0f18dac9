using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Threading.Tasks;
using System.Xml.Linq;

namespace Formatters.ServiceBusPeer;

/// <summary>The administration of entities over HTTP, in the Atom entries of the administration client.</summary>
internal sealed class PeerAdministration(PeerBroker broker)
{
    private static readonly XNamespace Atom = "http://www.w3.org/2005/Atom";
    private static readonly XNamespace Bus = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    private static readonly XNamespace Counts = "http://schemas.microsoft.com/netservices/2011/06/servicebus";
    private static readonly XNamespace Instance = "http://www.w3.org/2001/XMLSchema-instance";

    private readonly HttpListener _listener = new();

    internal void Start(int port)
    {
        _listener.Prefixes.Add(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/"));
        _listener.Start();
        _ = ServeAsync();
    }

    private async Task ServeAsync()
    {
        while (true)
        {
            HttpListenerContext context = await _listener.GetContextAsync();
            _ = AnswerAsync(context);
        }
    }

    private async Task AnswerAsync(HttpListenerContext context)
    {
        int status;
        XElement? answer = null;
        try
        {
            using var reader = new StreamReader(context.Request.InputStream, Encoding.UTF8);
            string body = await reader.ReadToEndAsync();
            string path = Uri.UnescapeDataString(context.Request.Url!.AbsolutePath).Trim('/');
            if (path.StartsWith("$faults/", StringComparison.Ordinal))
                (status, answer) = await broker.RunAsync(() => SetFault(path.Split('/', 3), context.Request.QueryString["count"]));
            else if (!broker.IsValid(context.Request.Headers["Authorization"] is { } token && token.StartsWith("Bearer ", StringComparison.Ordinal) ? token[7..] : context.Request.Headers["Authorization"] ?? ""))
                status = 401;
            else
                (status, answer) = await broker.RunAsync(() => Answer(context.Request, path, body));
        }
        catch (Exception e)
        {
            await Console.Error.WriteLineAsync(e.ToString());
            status = 500;
        }

        try
        {
            context.Response.StatusCode = status;
            byte[] bytes = answer is null ? [] : Encoding.UTF8.GetBytes(answer.ToString());
            if (status >= 400)
                bytes = Encoding.UTF8.GetBytes($"<Error><Code>{status}</Code><Detail>{status}</Detail></Error>");
            context.Response.ContentType = "application/atom+xml";
            await context.Response.OutputStream.WriteAsync(bytes);
            context.Response.Close();
        }
        catch (HttpListenerException)
        {
            // The client has gone.
        }
    }

    private (int Status, XElement? Answer) SetFault(string[] path, string? count)
    {
        if (path[1] == "drop")
            broker.DropConnections();
        else if (path[1] == "session-lost")
            broker.Entities[path[2]].LoseSessions();
        else
            broker.Faults.Set(path[1], path[2], int.Parse(count ?? "1", CultureInfo.InvariantCulture));
        return (200, null);
    }

    private (int Status, XElement? Answer) Answer(HttpListenerRequest request, string path, string body)
    {
        string[] parts = path.Split('/');
        bool isUpdate = request.Headers["If-Match"] is not null;
        XElement? given = body.Length > 0 ? XElement.Parse(body).Descendants().FirstOrDefault(element => element.Name.LocalName.EndsWith("Description", StringComparison.Ordinal)) : null;
        if (path.Equals("$Resources/queues", StringComparison.OrdinalIgnoreCase))
        {
            IEnumerable<PeerEntity> queues = broker.Entities.Values.Where(entity => !entity.Path.Contains("/Subscriptions/", StringComparison.OrdinalIgnoreCase));
            return Page(request, queues.Select(queue => (queue.Path, Describe(queue))));
        }

        if (path.Equals("$Resources/topics", StringComparison.OrdinalIgnoreCase))
            return Page(request, broker.Topics.Select(topic => (topic.Key, topic.Value.Description)));
        if (parts.Length > 1 && parts[^1].Equals("Subscriptions", StringComparison.OrdinalIgnoreCase))
        {
            return broker.Topics.TryGetValue(string.Join('/', parts[..^1]), out PeerTopic? owner)
                ? Page(request, owner.Subscriptions.Select(subscription => (subscription.Key, Describe(subscription.Value.Entity))))
                : (404, null);
        }

        if (request.HttpMethod == "PUT" && !parts.All(IsName))
            return (400, null);
        int at = Array.FindIndex(parts, static part => part.Equals("Subscriptions", StringComparison.OrdinalIgnoreCase));
        if (at > 0)
            return Subscription(request.HttpMethod, string.Join('/', parts[..at]), parts[(at + 1)..], given, isUpdate);
        broker.Topics.TryGetValue(path, out PeerTopic? topic);
        PeerEntity? entity = broker.Entities.GetValueOrDefault(path);
        switch (request.HttpMethod)
        {
            case "GET" when entity is not null:
                return (200, Entry(path, Describe(entity)));
            case "GET" when topic is not null:
                return (200, Entry(path, topic.Description));
            case "PUT" when given is not null && (entity ?? (object?)topic) is not null && !isUpdate:
                return (409, null);
            case "PUT" when given?.Name.LocalName == "QueueDescription":
                if (entity is not null)
                    entity.Update(given);
                else
                    broker.Entities.Add(path, entity = new PeerEntity(broker, path, given));
                return (201, Entry(path, Describe(entity)));
            case "PUT" when given?.Name.LocalName == "TopicDescription":
                broker.Topics[path] = topic ?? new PeerTopic(given);
                return (201, Entry(path, given));
            case "DELETE" when entity is not null:
                broker.Entities.Remove(path);
                broker.Disconnect(path);
                return (200, null);
            case "DELETE" when topic is not null:
                foreach (PeerSubscription subscription in topic.Subscriptions.Values)
                    broker.Entities.Remove(subscription.Entity.Path);
                broker.Topics.Remove(path);
                broker.Disconnect(path);
                return (200, null);
            default:
                return (404, null);
        }
    }

    /// <summary>Determines whether a part of a path is a name in Azure: letters, digits, periods, hyphens and underscores; or the default rule.</summary>
    private static bool IsName(string name) =>
        name == "$Default" || (name.Length > 0 && name.All(static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_'));

    private static (int Status, XElement? Answer) Page(HttpListenerRequest request, IEnumerable<(string Name, XElement Description)> entities)
    {
        int skip = int.Parse(request.QueryString["$skip"] ?? "0", CultureInfo.InvariantCulture);
        int top = int.Parse(request.QueryString["$top"] ?? "100", CultureInfo.InvariantCulture);
        // Without an element the client takes it for a missing collection.
        return (200, new XElement(Atom + "feed", new XElement(Atom + "title", "Entities"), entities.OrderBy(entity => entity.Name, StringComparer.Ordinal).Skip(skip).Take(top).Select(entity => Entry(entity.Name, entity.Description))));
    }

    private (int Status, XElement? Answer) Subscription(string method, string topicName, string[] rest, XElement? given, bool isUpdate)
    {
        if (!broker.Topics.TryGetValue(topicName, out PeerTopic? topic))
            return (404, null);
        string name = rest[0];
        string path = $"{topicName}/Subscriptions/{name}";
        topic.Subscriptions.TryGetValue(name, out PeerSubscription? subscription);
        if (rest.Length > 1)
            return subscription is null ? (404, null) : Rule(method, subscription, rest.Length > 2 ? rest[2] : null, given, isUpdate);
        switch (method)
        {
            case "GET" when subscription is not null:
                return (200, Entry(name, Describe(subscription.Entity)));
            case "PUT" when given is not null:
                if (subscription is not null && !isUpdate)
                    return (409, null);
                if (subscription is null)
                {
                    subscription = new PeerSubscription(new PeerEntity(broker, path, given));
                    topic.Subscriptions.Add(name, subscription);
                    broker.Entities.Add(path, subscription.Entity);
                    XElement? rule = given.Element(Bus + "DefaultRuleDescription");
                    subscription.Rules.Add(
                        rule?.Element(Bus + "Name")?.Value ?? "$Default",
                        new PeerRule(rule ?? new XElement(Bus + "RuleDescription", new XElement(Bus + "Filter", new XAttribute(Instance + "type", "TrueFilter")), new XElement(Bus + "Name", "$Default"))));
                }
                else
                {
                    subscription.Entity.Update(given);
                }

                return (201, Entry(name, Describe(subscription.Entity)));
            case "DELETE" when subscription is not null:
                topic.Subscriptions.Remove(name);
                broker.Entities.Remove(path);
                broker.Disconnect(path);
                return (200, null);
            default:
                return (404, null);
        }
    }

    private static (int Status, XElement? Answer) Rule(string method, PeerSubscription subscription, string? name, XElement? given, bool isUpdate)
    {
        switch (method)
        {
            case "GET" when name is null:
                return (200, new XElement(Atom + "feed", subscription.Rules.Select(rule => Entry(rule.Key, new XElement(Bus + "RuleDescription", rule.Value.Description.Elements())))));
            case "GET" when subscription.Rules.TryGetValue(name!, out PeerRule? rule):
                return (200, Entry(name!, new XElement(Bus + "RuleDescription", rule.Description.Elements())));
            case "PUT" when given is not null && name is not null:
                if (subscription.Rules.ContainsKey(name) && !isUpdate)
                    return (409, null);
                subscription.Rules[name] = new PeerRule(given);
                return (201, Entry(name, given));
            case "DELETE" when name is not null && subscription.Rules.Remove(name):
                return (200, null);
            default:
                return (404, null);
        }
    }

    private static XElement Describe(PeerEntity entity)
    {
        string[] computed = ["MessageCount", "CountDetails", "CreatedAt", "AccessedAt", "UpdatedAt", "SizeInBytes", "DefaultRuleDescription"];
        var copy = new XElement(entity.Description.Name, entity.Description.Elements().Where(element => !computed.Contains(element.Name.LocalName)));
        copy.Add(
            new XElement(Bus + "SizeInBytes", 0),
            new XElement(Bus + "MessageCount", entity.Messages.Count() + entity.DeadLetters!.Messages.Count()),
            new XElement(Bus + "CreatedAt", "2026-01-01T00:00:00Z"),
            new XElement(Bus + "UpdatedAt", "2026-01-01T00:00:00Z"),
            new XElement(Bus + "AccessedAt", "2026-01-01T00:00:00Z"),
            new XElement(
                Bus + "CountDetails",
                new XElement(Counts + "ActiveMessageCount", entity.ActiveCount),
                new XElement(Counts + "DeadLetterMessageCount", entity.DeadLetters.Messages.Count()),
                new XElement(Counts + "ScheduledMessageCount", entity.ScheduledCount),
                new XElement(Counts + "TransferMessageCount", 0),
                new XElement(Counts + "TransferDeadLetterMessageCount", 0)));
        return copy;
    }

    private static XElement Entry(string title, XElement description) => new(
        Atom + "entry",
        new XElement(Atom + "title", new XAttribute("type", "text"), title),
        new XElement(Atom + "content", new XAttribute("type", "application/xml"), description));
}

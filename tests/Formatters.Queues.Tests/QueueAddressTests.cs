using System;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

public sealed class QueueAddressTests
{
    [Theory]
    [InlineData("file:///folder/q")]
    [InlineData("amqp://host/vhost/q")]
    [InlineData("postgres://host/database/q")]
    [InlineData("memory:q")]
    public void Another_name_is_that_name_or_is_refused(string place)
    {
        var address = QueueAddress.Parse(place);
        foreach (string name in new[] { "a/b", "a\\b", ".", "..", "a#b?c", "ä b%2F", "a,b", "a:b", "%2e", "a\uD800" })
        {
            bool isNameable = place[0] == 'm' ? name != "a\uD800" : !(name is "." or ".." or "a\uD800" || (place[0] == 'f' && name == "a/b"));
            if (isNameable)
                Assert.Equal(name, address.WithQueueName(name).NameInPlace);
            else
                Assert.Throws<ArgumentException>(() => address.WithQueueName(name));
        }
    }

    /// <summary>Elsewhere than on Windows it would be a folder with backslashes in its name.</summary>
    [Theory]
    [InlineData("file://queues/x")]
    [InlineData("file://localhost/x")]
    [InlineData("file:///a/x,file://queues/y")]
    public void File_on_another_machine_is_refused_and_nothing_is_created(string address)
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has folders on other machines.");
        FormatException e = Assert.Throws<FormatException>(() => QueueAddress.ParseList(address));
        Assert.Contains("file:folder/name", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("memory:orders", "memory", "orders")]
    [InlineData("MEMORY:Orders", "memory", "Orders")]
    [InlineData("memory:a%2Cb", "memory", "a,b")]
    [InlineData(" amqp://localhost/orders ", "amqp", "orders")]
    [InlineData("amqp://localhost:5673/shop/orders", "amqp", "orders")]
    [InlineData("amqp://localhost/%2Fshop/a%2Fb", "amqp", "a/b")]
    [InlineData("amqp://localhost/private$%5Corders", "amqp", "private$\\orders")]
    [InlineData("amqp://localhost/", "amqp", "")]
    public void Parse_GoodAddress_HasSchemeAndName(string text, string scheme, string name)
    {
        QueueAddress address = QueueAddress.Parse(text);

        Assert.Equal(scheme, address.Scheme);
        Assert.Equal(name, address.QueueName);
    }

    [Theory]
    [InlineData("file:q/..%2Fx")]
    [InlineData("file:q/%2e%2e")]
    [InlineData("file:q/..")]
    [InlineData("file:..")]
    [InlineData("file:/q/a%2Fb")]
    [InlineData("FILE:///q/..%2fx")]
    public void Parse_NameThatLeadsOutOfItsFolder_IsRefused(string text) => Assert.Throws<FormatException>(() => QueueAddress.Parse(text));

    [Theory]
    [InlineData(@"DIRECT=OS:.\private$\orders", "msmq://localhost/private$/orders", "orders")]
    [InlineData(@"direct=os:Shop\Private$\a b", "msmq://shop/private$/a b", "a b")]
    [InlineData(@"FormatName:DIRECT=TCP:10.0.0.1\private$\orders", "msmq://10.0.0.1/private$/orders", "orders")]
    [InlineData(@".\private$\orders", "msmq://localhost/private$/orders", "orders")]
    [InlineData(@"shop\orders", "msmq://shop/orders", "orders")]
    [InlineData(@"127.0.0.1:5672\private$\orders", "msmq://127.0.0.1:5672/private$/orders", "orders")]
    [InlineData(@"shop\a/b#c", "msmq://shop/a%2Fb%23c", "a/b#c")]
    public void Parse_NameOfMsmq_IsItsUri(string text, string uri, string name)
    {
        QueueAddress address = QueueAddress.Parse(text);

        Assert.Equal(("msmq", uri, name), (address.Scheme, address.ToString(), address.QueueName));
        Assert.Equal(address, QueueAddress.Parse(address.Uri.AbsoluteUri));
    }

    [Fact]
    public void ParseList_NamesOfMsmq_ArePlacesAndFurtherNames()
    {
        string[] addresses = [.. QueueAddress.ParseList(@"DIRECT=OS:shop\private$\a,b,.\private$\c,memory:d").Select(address => address.ToString())];

        Assert.Equal(["msmq://shop/private$/a", "msmq://shop/private$/b", "msmq://localhost/private$/c", "memory:d"], addresses);
    }

    [Theory]
    [InlineData(@"DIRECT=OS:shop\private$\a\b")]
    [InlineData("DIRECT=HTTP://shop/orders")]
    [InlineData(@"FormatName:PUBLIC=1")]
    [InlineData(@"DIRECT=OS:\orders")]
    [InlineData(@".\private$\")]
    public void Parse_OtherNamesOfMsmq_AreNone(string text) => Assert.Throws<FormatException>(() => QueueAddress.Parse(text));

    [Theory]
    [InlineData("")]
    [InlineData("orders")]
    [InlineData("//host/orders")]
    public void Parse_NoUri_SaysWhatAnAddressIs(string text)
    {
        FormatException e = Assert.Throws<FormatException>(() => QueueAddress.Parse(text));

        Assert.Contains("memory:orders", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("amqp://user:pa%2Fss@host:5673/shop/orders", "amqp://user:***@host:5673/shop/orders")]
    [InlineData("amqp://host:host@host/host", "amqp://host:***@host/host")]
    [InlineData("amqp://user:@host/orders", "amqp://user:***@host/orders")]
    [InlineData("amqp://user@host/orders", "amqp://user@host/orders")]
    [InlineData("memory:orders", "memory:orders")]
    public void ToString_HasNoPassword(string text, string expected) => Assert.Equal(expected, QueueAddress.Parse(text).ToString());

    [Theory]
    [InlineData("amqp//user:secret@host/orders")]
    [InlineData("amqp://user:secret,secret@host:1/orders")]
    [InlineData("amqp://user:secret,secret:secret@host:1/orders")]
    [InlineData("amqp://user:1,secret@host:1/orders")]
    [InlineData("amqp://user:1/secret@host:1/orders")]
    [InlineData("amqp://user:secret@secret@host/orders")]
    [InlineData("amqp://user:secret")]
    [InlineData("memory:a,user:secret@host/orders")]
    [InlineData("amqp://user:secret@host/a,b:b@host/orders")]
    public void ParseList_BadAddressWithPassword_IsNotRepeated(string text)
    {
        FormatException e = Assert.Throws<FormatException>(() => QueueAddress.ParseList(text));

        Assert.DoesNotContain("secret", e.Message, StringComparison.Ordinal);
        Assert.Contains("a comma is written %2C", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ParseList_CommaInThePasswordAsPercentEncoding_IsOneAddress() =>
        Assert.Equal("amqp://user:***@host/orders", Assert.Single(QueueAddress.ParseList("amqp://user:a%2Cb@host/orders")).ToString());

    [Theory]
    [InlineData("memory:a", "memory:a")]
    [InlineData("memory:a,b , c", "memory:a memory:b memory:c")]
    [InlineData("memory:a,amqp://host/b", "memory:a amqp://host/b")]
    [InlineData("amqp://u:p@host:5673/shop/a,b", "amqp://u:***@host:5673/shop/a amqp://u:***@host:5673/shop/b")]
    public void ParseList_PartsWithoutScheme_AreAtTheFirstPlace(string text, string expected) =>
        Assert.Equal(expected, string.Join(' ', QueueAddress.ParseList(text)));

    [Theory]
    [InlineData("memory:a,")]
    [InlineData(",memory:a")]
    [InlineData("memory:a,,b")]
    [InlineData("memory:a,a")]
    [InlineData("memory:a,b,memory:b")]
    public void ParseList_EmptyOrTwice_IsRefused(string text) => Assert.Throws<FormatException>(() => QueueAddress.ParseList(text));

    [Fact]
    public void Equals_ByTheWholeAddress()
    {
        Assert.Equal(QueueAddress.Parse("amqp://HOST/a"), QueueAddress.Parse("amqp://host/a"));
        Assert.Equal(QueueAddress.Parse("memory:a").GetHashCode(), QueueAddress.Parse("memory:a").GetHashCode());
        Assert.NotEqual(QueueAddress.Parse("memory:a"), QueueAddress.Parse("memory:A"));
        Assert.NotEqual(QueueAddress.Parse("amqp://u@host/a"), QueueAddress.Parse("amqp://v@host/a"));
    }

    [Fact]
    public async Task Connector_WithoutProviders_SaysSo()
    {
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => new QueueConnector().OpenAsync("memory:orders").AsTask());
        Assert.EndsWith("none, since the QueueConnector was created without providers", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_UnknownScheme_NamesTheKnownOnes()
    {
        var connector = new QueueConnector(new MemoryQueueProvider());

        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => connector.OpenAsync("msmq:orders").AsTask());
        Assert.Contains("'msmq:'", e.Message, StringComparison.Ordinal);
        Assert.Contains("memory:", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Connector_TwoProvidersOfAScheme_IsRefused() =>
        Assert.Throws<ArgumentException>(() => new QueueConnector(new MemoryQueueProvider(), new MemoryQueueProvider()));

    [Theory]
    [InlineData("memory:orders", "a/b c", "memory:a/b%20c")]
    [InlineData("memory:", "a", "memory:a")]
    [InlineData("file:///queues/orders", "a,b", "file:///queues/a%2Cb")]
    [InlineData("amqp://user:secret@a,b:5673/shop/orders", "x/y", "amqp://user:secret@a/shop/x%2Fy")]
    [InlineData("amqp://host", "a", "amqp://host/a")]
    [InlineData("postgres://host/database/", "a", "postgres://host/database/a")]
    public void WithQueueName_IsAtTheSamePlace(string address, string name, string expected)
    {
        QueueAddress other = QueueAddress.Parse(address).WithQueueName(name);

        Assert.Equal(expected, other.Uri.AbsoluteUri);
        Assert.Equal(QueueAddress.Parse(address).OtherHosts, other.OtherHosts);
        Assert.DoesNotContain("secret", other.ToString(), StringComparison.Ordinal);
    }
}

using System;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Formatters.Integrations.Tests;

/// <summary>Controllers over Kestrel.</summary>
public sealed class AspNetCoreTests : IAsyncLifetime
{
    private static readonly OrderPlaced Order = new() { Id = 7, Customer = "Ådá" };

    private WebApplication _app = null!;
    private HttpClient _client = null!;

    public async Task InitializeAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddControllers().AddApplicationPart(typeof(OrdersController).Assembly).AddMessageFormatters(static options =>
        {
            options.Formats.Add(WireFormat.Xml);
            options.Limits = FormatterLimits.Default with { MaxBodyByteCount = 100_000 };
            options.Add(new CompressedFormatter<OrderPlaced>(new MessagePackFormatter<OrderPlaced>()));
        });
        _app = builder.Build();
        _app.MapControllers();
        await _app.StartAsync();
        _client = new HttpClient { BaseAddress = new Uri(new System.Collections.Generic.List<string>(_app.Urls)[0]) };
    }

    public async Task DisposeAsync()
    {
        _client.Dispose();
        await _app.DisposeAsync();
    }

    [Theory]
    [InlineData("application/x-msgpack", "application/x-msgpack")]
    [InlineData("application/cbor", "application/x-protobuf")]
    [InlineData("application/x-protobuf", "application/cbor")]
    [InlineData("text/xml", "application/x-msgpack")]
    [InlineData("application/msgpack", "application/vnd.msgpack")]
    [InlineData("application/vnd.formatters.compressed", "application/vnd.formatters.compressed")]
    [InlineData("application/x-msgpack", null)]
    public async Task Formats_AreChosenByContentTypeAndAccept(string contentType, string? accept)
    {
        using HttpResponseMessage response = await PostAsync(FormatterOf(contentType).Write(Order), contentType, accept);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(accept ?? "application/json", response.Content.Headers.ContentType!.MediaType);
        OrderPlaced? read = accept is null
            ? await response.Content.ReadFromJsonAsync<OrderPlaced>()
            : FormatterOf(accept).Read(await response.Content.ReadAsByteArrayAsync());
        Assert.Equal(Order with { Id = 8 }, read);
    }

    [Fact]
    public async Task Json_StaysWithAspNetCore()
    {
        using HttpResponseMessage response = await _client.PostAsJsonAsync("orders", Order);
        Assert.Equal(Order with { Id = 8 }, await response.Content.ReadFromJsonAsync<OrderPlaced>());
    }

    /// <summary>All members have their defaults. In other formats, such a body has bytes, and one without bytes is an error.</summary>
    [Theory]
    [InlineData("application/x-protobuf", false, HttpStatusCode.OK)]
    [InlineData("application/x-protobuf", true, HttpStatusCode.OK)]
    [InlineData("application/protobuf", false, HttpStatusCode.OK)]
    [InlineData("application/x-msgpack", false, HttpStatusCode.BadRequest)]
    [InlineData("application/x-msgpack", true, HttpStatusCode.BadRequest)]
    [InlineData("application/cbor", false, HttpStatusCode.BadRequest)]
    [InlineData("text/xml", false, HttpStatusCode.BadRequest)]
    public async Task AnEmptyBody_IsAMessageOfProtobuf(string contentType, bool isChunked, HttpStatusCode expected)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "orders") { Content = new ByteArrayContent([]) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue(contentType);
        request.Headers.TransferEncodingChunked = isChunked;
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/x-protobuf"));
        using HttpResponseMessage response = await _client.SendAsync(request);
        Assert.Equal(expected, response.StatusCode);
        if (expected == HttpStatusCode.OK)
            Assert.Equal(new OrderPlaced { Id = 1 }, FormatterOf(contentType).Read(await response.Content.ReadAsByteArrayAsync()));
    }

    /// <summary>A response of 0 bytes, too.</summary>
    [Fact]
    public async Task AMessageOfDefaults_HasAnEmptyBody()
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "orders") { Content = new ByteArrayContent(FormatterOf("application/x-protobuf").Write(new OrderPlaced { Id = -1 })) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/x-protobuf");
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/x-protobuf"));
        using HttpResponseMessage response = await _client.SendAsync(request);
        Assert.Equal((HttpStatusCode.OK, 0L), (response.StatusCode, response.Content.Headers.ContentLength));
    }

    [Fact]
    public async Task BadBodies_Are400_WithTheMember()
    {
        byte[] body = FormatterOf("application/x-msgpack").Write(Order);
        using HttpResponseMessage response = await PostAsync(body[..^1], "application/x-msgpack", "application/json");
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        using JsonDocument problem = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        Assert.True(problem.RootElement.GetProperty("errors").TryGetProperty("OrderPlaced.Customer", out JsonElement errors), problem.RootElement.GetRawText());
        Assert.Contains("byte offset", errors[0].GetString(), StringComparison.Ordinal);

        // A body beyond the limit is refused, and the connection serves the next request.
        using HttpResponseMessage tooLong = await PostAsync(new byte[3_000_000], "application/x-msgpack", "application/json");
        Assert.Equal(HttpStatusCode.BadRequest, tooLong.StatusCode);
        using HttpResponseMessage next = await PostAsync(body, "application/x-msgpack", "application/cbor");
        Assert.Equal(HttpStatusCode.OK, next.StatusCode);
    }

    [Theory]
    [InlineData("application/x-unknown", "orders")]
    [InlineData("application/vnd.formatters.compact", "orders")]
    [InlineData("application/vnd.formatters.compressed", "orders/notes")]
    public async Task UnknownContentTypes_Are415(string contentType, string path)
    {
        using HttpResponseMessage response = await PostAsync([0x80], contentType, "application/json", path);
        Assert.Equal(HttpStatusCode.UnsupportedMediaType, response.StatusCode);
    }

    [Fact]
    public async Task PayloadsThatCannotBeWritten_Are500_WithoutABody()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "orders/invalid") { Headers = { Accept = { new("application/x-msgpack") } } };
        using HttpResponseMessage response = await _client.SendAsync(request);
        Assert.Equal(HttpStatusCode.InternalServerError, response.StatusCode);
        Assert.Empty(await response.Content.ReadAsByteArrayAsync());
    }

    private static MessageFormatter<OrderPlaced> FormatterOf(string contentType) => contentType switch
    {
        "application/protobuf" => MessageFormatter.Create<OrderPlaced>(WireFormat.Protobuf),
        "application/msgpack" or "application/vnd.msgpack" => MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack),
        "application/vnd.formatters.compressed" => new CompressedFormatter<OrderPlaced>(new MessagePackFormatter<OrderPlaced>()),
        _ => MessageFormatter.Create<OrderPlaced>(WireFormat.Find(contentType)!),
    };

    private async Task<HttpResponseMessage> PostAsync(byte[] body, string contentType, string? accept, string path = "orders")
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = new ByteArrayContent(body) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue(contentType);
        if (accept is not null)
            request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(accept));
        return await _client.SendAsync(request);
    }
}

[ApiController, Route("orders")]
public class OrdersController : ControllerBase
{
    [HttpPost]
    public ActionResult<OrderPlaced> Post(OrderPlaced order) => order with { Id = order.Id + 1 };

    [HttpPost("notes")]
    public ActionResult<Note> PostNote(Note note) => note;

    [HttpGet("invalid")]
    public ActionResult<OrderPlaced> GetInvalid() => new OrderPlaced { Customer = null! };
}

using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using NATS.Client.Core;
using StackExchange.Redis;
using Xunit;

namespace Formatters.Integrations.Tests;

/// <summary>The code of docs/integrations.md.</summary>
public partial class PageCodeTests
{
    [Fact]
    public void ThePage_HasTheTypesThatAreTestedHere()
    {
        string page = File.ReadAllText(Path.Combine(RepositoryFolder.Path, "docs/integrations.md"));
        string source = File.ReadAllText(Path.Combine(RepositoryFolder.Path, "tests/Formatters.Integrations.Tests/PageCode.cs"));
        string[] types = [.. TypeDeclaration().Matches(page).Select(static match => match.Value)];
        Assert.Equal(4, types.Length);
        Assert.All(types, type => Assert.Contains(type, source, StringComparison.Ordinal));
    }

    /// <summary>What HybridCache stores in the second level is the formatter's body, and is read from there by another cache.</summary>
    [Fact]
    public async Task HybridCache_StoresBodiesOfTheFormatter()
    {
        var order = new OrderPlaced { Id = 7, Customer = "Ådá" };
        var store = new Store();
        Assert.Equal(order, await Cache().GetOrCreateAsync("order", _ => ValueTask.FromResult(order)));
        byte[] stored = await store.Written.Task.WaitAsync(TimeSpan.FromMinutes(2));
        byte[] body = MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(order);
        Assert.True(stored.AsSpan().IndexOf(body) >= 0);
        Assert.Equal(order, await Cache().GetOrCreateAsync<OrderPlaced>("order", _ => throw new InvalidOperationException("It is in the store.")));
        // A type without a contract is left to the cache's own serializers.
        Assert.Equal(new Note("x"), await Cache().GetOrCreateAsync("note", _ => ValueTask.FromResult(new Note("x"))));

        HybridCache Cache()
        {
            var services = new ServiceCollection().AddSingleton<IDistributedCache>(store);
            services.AddHybridCache().AddSerializerFactory(new FormatterCacheSerializerFactory(WireFormat.MessagePack));
            return services.BuildServiceProvider().GetRequiredService<HybridCache>();
        }
    }

    [Fact]
    public void Nats_WritesAndReadsBodiesOfTheFormatter()
    {
        var order = new OrderPlaced { Id = 7, Customer = "Ådá" };
        NatsOpts options = NatsOpts.Default with { SerializerRegistry = new FormatterNatsRegistry(WireFormat.Cbor) };
        var buffer = new ArrayBufferWriter<byte>();
        options.SerializerRegistry.GetSerializer<OrderPlaced>().Serialize(buffer, order);
        Assert.Equal(MessageFormatter.Create<OrderPlaced>(WireFormat.Cbor).Write(order), buffer.WrittenSpan.ToArray());
        INatsDeserialize<OrderPlaced> deserializer = options.SerializerRegistry.GetDeserializer<OrderPlaced>();
        Assert.Equal(order, deserializer.Deserialize(new ReadOnlySequence<byte>(buffer.WrittenMemory)));
        Assert.Null(deserializer.Deserialize(ReadOnlySequence<byte>.Empty));
        Assert.Throws<MessageFormatException>(() => deserializer.Deserialize(new ReadOnlySequence<byte>(buffer.WrittenMemory[..^1])));
        buffer.Clear();
        options.SerializerRegistry.GetSerializer<string>().Serialize(buffer, "text");
        Assert.Equal("text"u8.ToArray(), buffer.WrittenSpan.ToArray());
    }

    [Fact]
    public void Redis_CarriesBodiesAsValues()
    {
        MessageFormatter<OrderPlaced> formatter = MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack);
        RedisValue value = formatter.Write(new OrderPlaced { Id = 7, Customer = "Ådá" });
        Assert.Equal(new OrderPlaced { Id = 7, Customer = "Ådá" }, formatter.Read((byte[])value!));
    }

    /// <summary>The second level. HybridCache does not use the one in memory that comes with .NET.</summary>
    private sealed class Store : IDistributedCache
    {
        private readonly ConcurrentDictionary<string, byte[]> _values = new();

        internal TaskCompletionSource<byte[]> Written { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public byte[]? Get(string key) => _values.GetValueOrDefault(key);

        public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => Task.FromResult(Get(key));

        public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
        {
            _values[key] = value;
            if (key == "order")
                Written.TrySetResult(value);
        }

        public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
        {
            Set(key, value, options);
            return Task.CompletedTask;
        }

        public void Refresh(string key)
        {
        }

        public Task RefreshAsync(string key, CancellationToken token = default) => Task.CompletedTask;

        public void Remove(string key) => _values.TryRemove(key, out _);

        public Task RemoveAsync(string key, CancellationToken token = default)
        {
            Remove(key);
            return Task.CompletedTask;
        }
    }

    [GeneratedRegex(@"^public sealed class .*?^}", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex TypeDeclaration();
}

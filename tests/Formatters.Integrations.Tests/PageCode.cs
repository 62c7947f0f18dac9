using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Caching.Hybrid;
using NATS.Client.Core;

namespace Formatters.Integrations.Tests;

// The types of docs/integrations.md, letter by letter: a test compares them.
public sealed class FormatterCacheSerializer<T>(MessageFormatter<T> formatter) : IHybridCacheSerializer<T>
{
    public T Deserialize(ReadOnlySequence<byte> source) => formatter.Read(source);

    public void Serialize(T value, IBufferWriter<byte> target) => formatter.Write(target, value);
}

public sealed class FormatterCacheSerializerFactory(WireFormat format) : IHybridCacheSerializerFactory
{
    public bool TryCreateSerializer<T>([NotNullWhen(true)] out IHybridCacheSerializer<T>? serializer)
    {
        bool hasContract = typeof(T).IsDefined(typeof(MessageContractAttribute), inherit: false);
        serializer = hasContract ? new FormatterCacheSerializer<T>(MessageFormatter.Create<T>(format)) : null;
        return hasContract;
    }
}

public sealed class FormatterNatsSerializer<T>(MessageFormatter<T> formatter) : INatsSerializer<T>
{
    public void Serialize(IBufferWriter<byte> bufferWriter, T value) => formatter.Write(bufferWriter, value);

    public T? Deserialize(in ReadOnlySequence<byte> buffer) => buffer.IsEmpty ? default : formatter.Read(buffer);

    public INatsSerializer<T> CombineWith(INatsSerializer<T> next) => this;
}

public sealed class FormatterNatsRegistry(WireFormat format) : INatsSerializerRegistry
{
    public INatsSerialize<T> GetSerializer<T>() => Find<T>() ?? NatsDefaultSerializerRegistry.Default.GetSerializer<T>();

    public INatsDeserialize<T> GetDeserializer<T>() => Find<T>() ?? NatsDefaultSerializerRegistry.Default.GetDeserializer<T>();

    private FormatterNatsSerializer<T>? Find<T>() => typeof(T).IsDefined(typeof(MessageContractAttribute), inherit: false)
        ? new FormatterNatsSerializer<T>(MessageFormatter.Create<T>(format))
        : null;
}

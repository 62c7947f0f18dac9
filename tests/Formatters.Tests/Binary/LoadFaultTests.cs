using System;
using System.IO;
using System.Threading;
using Formatters.Binary;
using Formatters.Orders;
using Formatters.Tests.Reflection;
using Xunit;

namespace Formatters.Tests.Binary;

/// <summary>What a type's own <c>Load</c> throws arrives the same way through every formatter that calls it.</summary>
public class LoadFaultTests
{
    [ThreadStatic]
    private static Func<Exception>? t_fault;

#pragma warning disable CA2201 // the runtime's own exception is the point
    public static TheoryData<Func<Exception>, MessageFormatErrorCode, bool> Faults() => new()
    {
        { static () => new ArgumentOutOfRangeException("value"), MessageFormatErrorCode.BadValue, true },
        { static () => new FormatException(), MessageFormatErrorCode.BadValue, true },
        { static () => new OverflowException(), MessageFormatErrorCode.BadValue, true },
        { static () => new InvalidDataException(), MessageFormatErrorCode.BadValue, true },
        { static () => new InvalidOperationException(), MessageFormatErrorCode.BadValue, false },
        { static () => new IOException(), MessageFormatErrorCode.BadValue, false },
        { static () => new InsufficientExecutionStackException(), MessageFormatErrorCode.DepthExceeded, false },
        { static () => new OutOfMemoryException(), MessageFormatErrorCode.LimitExceeded, false },
    };
#pragma warning restore CA2201

    private static MessageFormatter<Faulty>[] Formatters() =>
    [
        new HandCodedFormatter<Faulty>(),
        BinaryWriterFormatter.Create<Faulty>(),
        Engines.Make<Faulty>(compiled: true),
        Engines.Make<Faulty>(compiled: false),
    ];

    [Theory]
    [MemberData(nameof(Faults))]
    public void Read_LoadThrows_GivesOneErrorThroughEveryFormatter(Func<Exception> fault, MessageFormatErrorCode code, bool isPoison)
    {
        t_fault = fault;
        foreach (MessageFormatter<Faulty> formatter in Formatters())
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[8]));
            Assert.Equal((code, isPoison, 4L, "Faulty"), (e.Code, e.IsPoison, e.ByteOffset, e.MemberPath));
            Assert.IsType(fault().GetType(), e.InnerException);

            Faulty existing = new();
            e = Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[8], ref existing));
            Assert.Equal((code, isPoison), (e.Code, e.IsPoison));
        }
    }

    [Fact]
    public void Read_LoadIsCancelled_PassesThrough()
    {
        t_fault = static () => new OperationCanceledException();
        foreach (MessageFormatter<Faulty> formatter in Formatters())
            Assert.Throws<OperationCanceledException>(() => formatter.Read(new byte[8]));
    }

    [Fact]
    public void Read_CountThatTheClassicLoadTakesOnTrust_IsLimitExceeded()
    {
        BinaryWriterFormatter<Order> formatter = BinaryWriterFormatter.Create<Order>();
        byte[] body = formatter.Write(SampleOrders.Create(1, 0));
        new byte[] { 0xFF, 0xFF, 0xFF, 0x7F }.CopyTo(body.AsSpan(body.Length - 4));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, false), (e.Code, e.IsPoison));
        Assert.IsType<OutOfMemoryException>(e.InnerException);
    }

    private sealed class Faulty : IBinaryBody
    {
        private int _value;

        public void Save(ref BinaryBodyWriter writer) => writer.Write(_value);

        public void Load(ref BinaryBodyReader reader)
        {
            _value = reader.ReadInt32();
            throw t_fault!();
        }

        public void Save(BinaryWriter writer) => writer.Write(_value);

        public void Load(BinaryReader reader)
        {
            _value = reader.ReadInt32();
            throw t_fault!();
        }
    }
}

#if !NET9_0_OR_GREATER
namespace System.Threading;

/// <summary>A lock that the compiler treats like that of .NET 9.</summary>
internal sealed class Lock
{
    private readonly object _gate = new();

    public void Enter() => Monitor.Enter(_gate);

    public bool TryEnter() => Monitor.TryEnter(_gate);

    public void Exit() => Monitor.Exit(_gate);

    public Scope EnterScope()
    {
        Enter();
        return new Scope(_gate);
    }

    public readonly ref struct Scope(object gate)
    {
        public void Dispose() => Monitor.Exit(gate);
    }
}
#endif

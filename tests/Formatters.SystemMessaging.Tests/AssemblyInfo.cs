// The configuration of System.Messaging belongs to the process.
[assembly: Xunit.CollectionBehavior(DisableTestParallelization = true)]

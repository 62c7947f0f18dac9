#!/usr/bin/env bash
# Restore, build, test, run the samples, pack, and run the consumers of the package. A person runs it, and so does CI.
#   ./build.sh           everything (tests that need a broker are skipped with a word where there is none)
#   ./build.sh build     restore and build only
#   ./build.sh test      build and test only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
what=${1:-all}
case "$what" in all | build | test) ;; *) sed -n '2,5p' "$0" >&2; exit 2 ;; esac

echo "== build"
dotnet build Formatters.sln -c Release
[ "$what" = build ] && exit 0

echo "== test"
# One project after the other: some measure allocations, some share a broker. A test that hangs is named and ends the run.
dotnet test Formatters.sln -c Release --no-build -m:1 --blame-hang --blame-hang-timeout 15m --blame-hang-dump-type none
eng/on-mono "differential test on .NET Framework" artifacts/bin/Formatters.Contracts.NetFramework/release/Formatters.Contracts.NetFramework.exe
eng/on-mono "test of System.Messaging" artifacts/bin/Formatters.SystemMessaging.NetFramework/release/Formatters.SystemMessaging.NetFramework.exe
eng/on-mono "test of legacy binary bodies on .NET Framework" artifacts/bin/Formatters.LegacyBinary.NetFramework/release/Formatters.LegacyBinary.NetFramework.exe
[ "$what" = test ] && exit 0

echo "== samples"
for project in samples/*/*.csproj; do
    name=$(basename "${project%.csproj}")
    echo "-- $name"
    dotnet run --project "$project" -c Release --no-build
    echo "sample $name: ok"
done

echo "== pack"
dotnet pack Formatters.sln -c Release --no-build -o artifacts/packages
ls -l artifacts/packages

echo "== consumers"
tests/Consumers/run

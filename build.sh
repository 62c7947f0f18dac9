#!/usr/bin/env bash
# Restore, build, test, run the samples, pack, and run the consumers of the package. A person runs it, and so does CI.
#   ./build.sh           everything (what needs a server, Mono or node is skipped, with the reason, where there is none)
#   ./build.sh quick     the inner loop: net10.0, fewer random values, no analyzers, measuring tools, kills, servers or Mono
#   ./build.sh build     restore and build only
#   ./build.sh pack      the packages, in artifacts/packages
#   ./build.sh test      build and test only
#   ./build.sh site      the documentation with the API reference, in artifacts/site
#   ./build.sh long      for an overnight run: everything with the large counts and new seeds, damaged bodies by the million,
#                        Formatters.Msmq.Experimental, and the bugs of eng/mutants
# CONTRIBUTING.md names the variables that set each count.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
what=${1:-all}
case "$what" in all | quick | build | pack | test | site | long) ;; *) sed -n '2,11p' "$0" >&2; exit 2 ;; esac
failures=()
# One process compiles all projects (it ends by itself), also where the environment says that each is to have its own.
export UseSharedCompilation=true
# Analyzers run, also where one project is built.
export RunAnalyzersDuringBuild=true

heading() { # heading TEXT: with the time since the start
    echo "== $1 (after $((SECONDS / 60)) min $((SECONDS % 60)) s)"
}

check() { # check COMMAND...: what fails is told at the end, and the rest is run all the same
    "$@" || failures+=("$*")
}

ended() { # ended NAME PID: waits for what runs beside the rest
    wait "$2"
}

finish() {
    [ ${#failures[@]} -eq 0 ] && exit 0
    printf 'FAILED: %s\n' "${failures[@]}" >&2
    exit 1
}

results=$PWD/artifacts/test-results

# run_tests SOLUTION: two projects at a time; more would only make each other late. A test that hangs is named, and ends its project.
# Tests start hundreds of processes, which start faster without what pays only in long ones.
run_tests() {
    rm -rf "$results"
    DOTNET_TieredPGO=0 DOTNET_EnableWriteXorExecute=0 FORMATTERS_TEST_RESULTS=$results \
        dotnet test "$1" -c Release --no-build --nologo -m:2 --blame-hang --blame-hang-timeout 15m --blame-hang-dump-type none || run_again "$1"
}

# what_ran: for each conformance suite, the capabilities with the number of tests that needed them; then those that its queue lacks, with the tests skipped.
what_ran() {
    heading "what the conformance suites ran"
    cat "$results"/*.capabilities 2>/dev/null | awk -F '\t' '
        $3 > 0 { ran[$1] = ran[$1] " " $2 " " $3 }
        $4 > 0 { lacks[$1] = lacks[$1] " " $2 " " $4 }
        { suites[$1] }
        END { for (s in suites) print s ":" ran[s] (s in lacks ? "; without" lacks[s] : "") }' | sort
}

# A test that failed beside others is run again by itself. It is named either way, and fails the build if it fails again.
# A project that ended early (a crash, a hang) has no second run.
run_again() {
    local project file name count status=0 found=0
    heading "what failed, run again by itself"
    for project in $(grep -oE '[A-Za-z0-9.]+\.Tests\.csproj' "$1" | sed 's/\.csproj$//' | sort -u); do
        file=$results/$project.trx
        if grep -qs 'The active test run was aborted' "$file" ||
            ! grep -qsE '<ResultSummary outcome="Completed"|<UnitTestResult .*outcome="Failed"' "$file"; then
            echo "$project ended early, while this ran:"
            find "$results" -name 'Sequence_*.xml' -exec sed -nE "s/.*<Test Name=\"([^\"]*)\".*\/$project\.dll\" Completed=\"False\".*/  \1/p" {} + | sort -u
            status=1
            continue
        fi
        while read -r count name; do
            found=1
            if timeout 900 dotnet vstest "artifacts/bin/$project/release/$project.dll" "--TestCaseFilter:FullyQualifiedName=$name" </dev/null >"$results/again.log" 2>&1 && grep -q 'Passed!' "$results/again.log"; then
                echo "passed only when run again: $count $name"
            else
                cat "$results/again.log"
                echo "failed twice: $name"
                status=1
            fi
        done < <(sed -nE '/<UnitTestResult .*outcome="Failed"/s/.* testName="([^"(]+).*/\1/p' "$file" | sort | uniq -c)
    done
    [ $found -eq 1 ] && [ $status -eq 0 ]
}

on_mono() { # What runs on .NET Framework.
    local bin=artifacts/bin program=Formatters.Contracts.NetFramework status=0
    eng/on-mono "differential test on .NET Framework" $bin/$program/release/$program.exe || status=1
    program=Formatters.Msmq.NetFramework
    eng/on-mono "test of System.Messaging" $bin/$program/release/$program.exe || status=1
    program=Formatters.LegacyBinary.NetFramework
    eng/on-mono "test of legacy binary bodies on .NET Framework" $bin/$program/release/$program.exe || status=1
    return $status
}

run_sample() {
    local name
    name=$(basename "${1%.csproj}")
    echo "-- $name"
    dotnet run --project "$1" -c Release --no-build && echo "sample $name: ok"
}

native_samples() { # compiled to machine code without a warning, and run
    local sample status=0
    for sample in HandRolled Generated Evolution QueueRoundTrip Worker; do
        { dotnet publish "samples/$sample" -c Release --nologo -v q --use-current-runtime -p:Native=true -p:NativeDebugSymbols=false \
            -o "artifacts/native/$sample" && "artifacts/native/$sample/$sample" && echo "sample $sample, compiled ahead of time: ok"; } || status=1
    done
    return $status
}

if [ "$what" = quick ]; then
    export FORMATTERS_TESTS=quick
    heading "build"
    dotnet build Formatters.Quick.slnf -c Release --nologo -p:RunAnalyzersDuringBuild=false
    heading "test"
    check run_tests Formatters.Quick.slnf
    finish
fi

# The counts of CI: `dotnet test` by itself tries fewer random values and kills.
export FORMATTERS_TESTS="${FORMATTERS_TESTS:-full}"
if [ "$what" = long ]; then
    export FORMATTERS_TESTS=long FORMATTERS_SEED="${FORMATTERS_SEED:-$(($(date +%s) % 1000000000))}"
    echo "== seeds: FORMATTERS_SEED=$FORMATTERS_SEED makes this run again"
fi

if [ "$what" = pack ]; then # only the projects that become packages, and those that they need
    heading "pack"
    mkdir -p artifacts
    grep -L '<IsPackable>false' src/*/*.csproj templates/*/*.csproj | while read -r project; do
        ! grep -qF "${project//\//\\}" Formatters.sln || printf '"%s"\n' "$project"
    done | paste -sd, | sed 's|.*|{ "solution": { "path": "../Formatters.sln", "projects": [&] } }|' >artifacts/pack.slnf
    exec dotnet pack artifacts/pack.slnf -c Release --nologo -o artifacts/packages
fi

heading "build"
dotnet build Formatters.sln -c Release --nologo
[ "$what" = build ] && exit 0
[ "$what" = site ] && exec eng/site

heading "test"
# Mono uses one processor; it runs beside the rest, and is shown after it.
mkdir -p artifacts
on_mono >artifacts/on-mono.log 2>&1 &
mono=$!
trap 'kill $mono 2>/dev/null || true' EXIT
check run_tests Formatters.sln
check ended on-mono "$mono"
trap - EXIT
cat artifacts/on-mono.log
what_ran
[ "$what" = test ] && finish

heading "pack"
dotnet pack Formatters.sln -c Release --no-build -o artifacts/packages
ls -l artifacts/packages

# Beside the samples and the consumers, which use one processor for most of their time.
native=
if command -v clang >/dev/null || [ "${CI:-}" = true ]; then
    native_samples >artifacts/native-samples.log 2>&1 &
    native=$!
    trap 'kill $native 2>/dev/null || true' EXIT
else
    echo "samples compiled ahead of time: left out, clang is not installed (apt-get install clang zlib1g-dev)"
fi

heading "samples"
for project in samples/*/*.csproj; do
    check run_sample "$project"
done

heading "consumers"
check tests/Consumers/run

if [ -n "$native" ]; then
    heading "samples compiled ahead of time"
    check ended samples-ahead-of-time "$native"
    trap - EXIT
    cat artifacts/native-samples.log
fi

if [ "$what" = long ]; then
    heading "damaged bodies"
    check dotnet artifacts/bin/Formatters.HostileBodies/release/Formatters.HostileBodies.dll all 2000000 "$FORMATTERS_SEED"
    echo "== Formatters.Msmq.Experimental"
    messaging=tests/Formatters.Msmq.Experimental.Tests
    if dotnet restore $messaging -v q; then check dotnet test $messaging -c Release --nologo; else echo "left out: a package that it needs cannot be restored"; fi
    heading "bugs that the tests must find"
    # With the usual seeds and counts: with these each is found.
    check env -u FORMATTERS_SEED FORMATTERS_TESTS=full eng/mutants/run
fi
finish

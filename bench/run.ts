// `npm run bench`: measures everything in one run and writes bench/RESULTS.md. `-- --engine`, `-- --gateway`, `-- --inbox`, `-- --runs`, `-- --panel`, `-- --setup` and `-- --fatigue` measure a part and
// leave the others' results as they are; `-- --quick` measures the gateway and the inbox, or the one that is named, in a hurry and writes nothing;
// `-- --no-fast-path` measures Byleave with its fast path off and writes nothing either; `-- --against COMMIT` measures this version's gateway
// beside an earlier one, and writes nothing.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { coreSize } from "../scripts/sizes/core-size.ts"
import { apart } from "./apart.ts"
import type { DecideResult } from "./decide.ts"
import type { DiskNumbers } from "./disk.ts"
import { measureFatigue } from "./fatigue/report.ts"
import type { LearnNumbers } from "./fatigue/speed.ts"
import type { GateNumbers } from "./gate.ts"
import { compareWithEarlier } from "./gateway/earlier.ts"
import { measureGateway } from "./gateway/report.ts"
import { measureInbox } from "./inbox/report.ts"
import { type Row, tableOf } from "./row.ts"
import { measureRuns } from "./runs/report.ts"
import { measureSetup } from "./setup/report.ts"
import { measureSidePanel } from "./side-panel/report.ts"
import type { StoredVerifyNumbers } from "./stored-verify.ts"
import type { VerifyNumbers } from "./verify.ts"

const rows: Row[] = []
const memoryFolder = "/dev/shm"
const places = [
  { name: "on disk", folder: tmpdir() },
  ...(existsSync(memoryFolder) ? [{ name: "in a folder kept in memory", folder: memoryFolder }] : []),
]

const flags = new Set(process.argv.slice(2))
const isQuick = flags.has("--quick")
if (flags.has("--no-fast-path")) process.env.BENCH_FAST_PATH = "off"
const resultsPath = fileURLToPath(new URL("./RESULTS.md", import.meta.url))
const parts = ["engine", "gateway", "inbox", "runs", "panel", "setup", "fatigue"] as const
const named = parts.filter((part) => flags.has(`--${part}`))
const wanted = new Set(named.length > 0 ? named : isQuick ? parts.slice(1, 3) : parts)
const gatewayHeading = "\n## The gateway\n"
const inboxHeading = "\n## The inbox\n"
const runsHeading = "\n## Agent runs\n"
const panelHeading = "\n## The side panel\n"
const setupHeading = "\n## Setting up agents\n"
const fatigueHeading = "\n## Rules that learn\n"
const [aboveFatigue = "", fatigueBefore = ""] = readFileSync(resultsPath, "utf8").split(fatigueHeading)
const [aboveSetup = "", setupBefore = ""] = aboveFatigue.split(setupHeading)
const [abovePanel = "", panelBefore = ""] = aboveSetup.split(panelHeading)
const [aboveRuns = "", runsBefore = ""] = abovePanel.split(runsHeading)
const [aboveInbox = "", inboxBefore = ""] = aboveRuns.split(inboxHeading)
const [engineBefore = "", gatewayBefore = ""] = aboveInbox.split(gatewayHeading)

const against = process.argv.indexOf("--against")
if (against !== -1) {
  console.log(compareWithEarlier(process.argv[against + 1] ?? "HEAD~1"))
  process.exit()
}

const engine = wanted.has("engine") ? await measureEngine() : engineBefore
const gateway = wanted.has("gateway") ? gatewayReport() : gatewayBefore
const inbox = wanted.has("inbox") ? await inboxReport() : inboxBefore
const runs = wanted.has("runs") ? measureRuns() : runsBefore
const panel = wanted.has("panel") ? panelReport() : panelBefore
const setup = wanted.has("setup") ? measureSetup() : setupBefore
const fatigue = wanted.has("fatigue") ? fatigueReport() : fatigueBefore
const below = [
  headed(gatewayHeading, gateway),
  headed(inboxHeading, inbox),
  headed(runsHeading, runs),
  headed(panelHeading, panel),
  headed(setupHeading, setup),
  headed(fatigueHeading, fatigue),
].join("")
if (isQuick || flags.has("--no-fast-path")) console.log(wanted.has("gateway") ? below : inbox)
else {
  writeFileSync(resultsPath, `${engine}${below}`)
  console.log(`${engine}${below}`)
}

function headed(heading: string, text: string): string {
  return text === "" ? "" : `${heading}${text}`
}

async function measureEngine(): Promise<string> {
  decisions()
  for (const place of places) gateAt(place.name, place.folder)
  verification()
  await size()
  return report()
}

function gatewayReport(): string {
  if (!existsSync("/proc/self/schedstat")) return "\nNot measured: CPU time is read from `/proc`, as Linux has it.\n"
  const minutes = process.env.BENCH_MINUTES ?? (isQuick ? "0.1" : "0.5")
  const measured = measureGateway(isQuick ? "quick" : "full", minutes)
  return `
The everything server and its \`echo\` tool behind each target; Byleave is \`byleave serve\` with 200 rules and its audit durable on SQLite. All targets of a table run at
once and take turns in short blocks, and ratios are medians of the ratios within a round. Each is under load for 15 s before, so that node has
compiled what runs often: of a process that runs for days, the first seconds say little. CPU is user and system time of the process that stands between; of a direct
row it is the server's. Every answer is checked. Peers are the versions named, installed as npm has them, in their usual settings. With stdio behind, direct is the
server's own HTTP face.

Where it falls short: of its memory, 52 MB are pages of node itself, and a bare proxy takes more than 100 as well. A third of what the leanest MCP proxy costs sequentially is less than a bare proxy costs: such a
call is mostly what the kernel does with four sockets. Over stdio there are two, and with one call at a time the audit's two records weigh more than the relay; the others keep none. A wrapped server starts
later by what node takes to start. Clients that declare elicitation have a session of their own
behind as well, so that less is done in one turn and the audit weighs more.

${tableOf(measured.rows)}
${measured.tables.join("\n")}`
}

async function inboxReport(): Promise<string> {
  if (!existsSync("/proc/self/schedstat")) return "\nNot measured: CPU time is read from `/proc`, as Linux has it.\n"
  const measured = await measureInbox(isQuick ? "quick" : "full")
  return `
Before \`byleave serve\` with its audit durable on SQLite. Delivery is timed from sending the call or the verdict to each page's receipt, pages being event streams in a
process of their own; calls go one after another, and rounds with one page and with twenty take turns. Every page must hear every event once, in order. The
10,000 waiting calls are looked at in Chromium (\`npm run many\`): processor time of the longest task of the page's main thread, from its trace. The chat is looked at in the same way, with a
provider on this machine that writes 200 tokens a second; times of tokens run from pressing Enter until the token is in the document, beside a bare page that reads AI SDK's stream of the same provider. Repeat all of it with
\`npm run bench -- --inbox\`, or the chat alone with \`BYLEAVE_NIGHTLY=all npm run browser -- chat-long chat-tokens\`.

Where it falls short: before the first token a run is written down and its servers are asked for their tools, which a bare stream does not do.

${tableOf(measured.rows)}
${measured.table}`
}

function panelReport(): string {
  return `
The extension as \`npm run extension\` builds it, in Chromium. Memory is what the page's heap grows by, after a collection, with core's gate and the IndexedDB store as the panel has them.

${tableOf(measureSidePanel())}`
}

function fatigueReport(): string {
  say("fatigue")
  const { replayPerSecond, suggestSeconds, suggestMegabytes, ratio } = apart<LearnNumbers>(
    "fatigue/speed.ts",
    "measureLearning",
  )
  const numbers: readonly Row[] = [
    {
      what: "replay: 100,000 recorded calls by another policy of 200 rules",
      reach: "≥ 100,000/s",
      measured: `${number(replayPerSecond)}/s`,
      reached: replayPerSecond >= 100_000,
    },
    {
      what: "suggestions over 100,000 answered calls",
      reach: "< 5 s, < 500 MB",
      measured: `${suggestSeconds.toFixed(1)} s, ${number(suggestMegabytes)} MB`,
      reached: suggestSeconds < 5 && suggestMegabytes < 500,
    },
    {
      what: "suggestions: time per call, of 100,000 against 25,000",
      reach: "≤ 1.5",
      measured: ratio.toFixed(2),
      reached: ratio <= 1.5,
    },
  ]
  return `
Simulated weeks through the engine: three agents before the filesystem and memory servers, 120 calls a day, beginning without a rule. A person answers by a fixed rule of their own, which
suggestions know nothing of, and each evening accepts every suggestion. Each kind of week is played eight times with other numbers. Two or three in a hundred calls are ones that no careful person allows: secrets,
other people's folders, removals. A person who changes their mind removes the rules about that folder in the morning; nobody else would know. Calls that look sensitive are asked about, or denied once
people denied several, and never allowed by a suggested rule. Repeat it with \`npm run bench -- --fatigue\`.

${tableOf(numbers)}
${measureFatigue()}`
}

function decisions(): void {
  say("decide")
  const results = apart<readonly DecideResult[]>("decide.ts", "benchDecide")
  const base = results[0]?.perSecond ?? 0
  for (const [at, { shape, perSecond }] of results.entries()) {
    const share = perSecond / base
    add(
      `decide: ${shape}`,
      at === 0 ? "≥ 1,000,000/s" : "≥ 0.8 of the first row",
      at === 0 ? `${number(perSecond)}/s` : `${number(perSecond)}/s (${share.toFixed(2)} of it)`,
      at === 0 ? perSecond >= 1_000_000 : share >= 0.8,
    )
  }
}

function gateAt(place: string, folder: string): void {
  say(`gate ${place}`)
  const disk = apart<DiskNumbers>("disk.ts", "measureDisk", folder)
  const gate = apart<GateNumbers>("gate.ts", "measureGate", folder)
  const raw = disk.fullCommitsPerSecond
  add(
    `${place}: node:sqlite alone, one row per commit`,
    "for comparison",
    `${number(raw)}/s FULL, ${number(disk.normalCommitsPerSecond)}/s NORMAL`,
    null,
  )
  add(
    `${place}: submit, auto-allowed, 200 rules, durable audit, 64 in flight`,
    "≥ 30,000/s",
    `${number(gate.allowedPerSecond)}/s, ${gate.allowedCpuMicroseconds} µs CPU each`,
    gate.allowedPerSecond >= 30_000,
  )
  add(
    `${place}: full hold, one after another (4 flushed commits each)`,
    "≥ 1,000/s",
    `${number(gate.holdsPerSecond)}/s (${((gate.holdsPerSecond * 4) / raw).toFixed(2)} of what the disk flushes)`,
    gate.holdsPerSecond >= 1_000,
  )
  add(
    `${place}: full hold, 64 in flight`,
    "≥ 4,000/s",
    `${number(gate.holdsPerSecond64)}/s`,
    gate.holdsPerSecond64 >= 4_000,
  )
  add(
    `${place}: ${number(gate.waiting)} waiting calls, process memory each`,
    "≤ 2,000 bytes",
    `${number(gate.bytesPerWaiting)} bytes`,
    gate.bytesPerWaiting <= 2_000,
  )
  add(`${place}: the newest 50 of them`, "< 5 ms", `${gate.newest50Milliseconds} ms`, gate.newest50Milliseconds < 5)
}

function verification(): void {
  say("verify")
  const pure = apart<VerifyNumbers>("verify.ts", "measureVerify")
  const growth = `${(pure.heapGrowthBytes / 1_000_000).toFixed(1)} MB heap growth`
  add(
    `verify: ${number(pure.records)} records, both passes`,
    "≥ 200,000/s, memory flat",
    `${number(pure.recordsPerSecond)}/s, ${growth}`,
    pure.recordsPerSecond >= 200_000 && pure.heapGrowthBytes < 10_000_000,
  )
  const stored = apart<StoredVerifyNumbers>("stored-verify.ts", "measureStoredVerify")
  add(
    `verify: ${number(stored.records)} records read from SQLite`,
    "≥ 200,000/s",
    `${number(stored.recordsPerSecond)}/s`,
    stored.recordsPerSecond >= 200_000,
  )
}

async function size(): Promise<void> {
  const { gzip, brotli } = await coreSize(fileURLToPath(new URL("..", import.meta.url)))
  add(
    "core in the browser, minified",
    "held by npm run check",
    `${number(gzip)} bytes gzip, ${number(brotli)} brotli`,
    null,
  )
}

function add(what: string, reach: string, measured: string, reached: boolean | null): void {
  rows.push({ what, reach, measured, reached })
  console.error(`  ${what}: ${measured}`)
}

function say(part: string): void {
  console.error(`measuring: ${part}`)
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en")
}

function report(): string {
  return `# What was measured

Made by \`npm run bench\` on Node ${process.versions.node}; run it again to repeat it. Everything is one machine in one run, each part a process of its own, so rows can be compared with each other; absolute numbers depend on the machine, and those of flushed commits on its disk: the
first row of each place says what that disk does for \`node:sqlite\` alone. Of several rounds the best counts: whatever else a machine
does can only slow one down.

Where it falls short: a hold one after another is four flushed commits, each of some dozen pages (the approval and its indexes, the audit
record and its indexes, the event), so it cannot reach the disk's rate for one bare row; with rules piled on the same tools, a decision has to look
into more of them, and the rules no longer fit the processor's cache.

${tableOf(rows)}`
}

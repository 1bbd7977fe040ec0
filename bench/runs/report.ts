import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { apart } from "../apart.ts"
import { type Row, tableOf } from "../row.ts"
import type { LargeNumbers } from "./large.ts"
import type { LegNumbers } from "./leg.ts"
import type { PausedNumbers } from "./paused.ts"
import type { ResponsesNumbers, TurnNumbers } from "./responses.ts"

/** Where a commit costs no disk: what is left is our own work. */
const folder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

export function measureRuns(): string {
  const rows: Row[] = []
  const add = (what: string, reach: string, measured: string, reached: boolean | null): void => {
    rows.push({ what, reach, measured, reached })
    console.error(`  ${what}: ${measured}`)
  }
  console.error("measuring: runs")
  const leg = apart<LegNumbers>("runs/leg.ts", "measureLeg", folder)
  const legMs = `${leg.gatedMs} ms against ${leg.bareMs} ms`
  add(
    `a leg of ${leg.calls} allowed calls in 5 steps: CPU`,
    "≤ 1.5 × bare AI SDK",
    `${leg.ratio} (${legMs})`,
    leg.ratio <= 1.5,
  )
  const paced = apart<LegNumbers>("runs/leg.ts", "measureLeg", folder, "paced")
  const pacedMs = `${paced.gatedMs} ms against ${paced.bareMs} ms`
  add("the same, every piece of an answer by itself", "for comparison", `${paced.ratio} (${pacedMs})`, null)
  const paused = apart<PausedNumbers>("runs/paused.ts", "measurePaused", folder)
  const many = `${paused.runs.toLocaleString("en")} paused runs`
  add(`${many}: timers`, "0", String(paused.timers), paused.timers === 0)
  const bytes = paused.bytesEach
  add(`${many}: process memory each`, "≤ 1,000 bytes", `${bytes.toLocaleString("en")} bytes`, bytes <= 1_000)
  const start = `${paused.ratio} (${paused.startMs} ms against ${paused.emptyStartMs} ms)`
  add(`${many}: CPU of a start with them`, "≤ 1.2 × an empty one", start, paused.ratio <= 1.2)
  const large = apart<LargeNumbers>("runs/large.ts", "measureLarge", folder)
  const growth = large.heapGrowthBytes / 1_000_000
  const flat = `${large.resumeMs} ms, ${growth.toFixed(1)} MB heap growth over eight, ${large.peakMegabytes} MB resident at the most`
  add(`a run of ${large.megabytes} MB, resumed with a message until it has ended`, "memory flat", flat, growth < 5)
  if (existsSync("/proc/self/schedstat")) {
    const turns = apart<ResponsesNumbers>("runs/responses.ts", "measureResponses", folder)
    const turn = "a text turn of `/v1/responses`: CPU added to a chat completion of the same model"
    add(turn, "stated", turnWords(turns.whole), null)
    add("the same, streamed", "stated", turnWords(turns.streamed), null)
  }
  return `
Runs on SQLite in a folder kept in memory, with 200 rules, against AI SDK's own loop with the same model, messages and tools that nobody gates; both take turns in one process, and ratios are
medians of the ratios within a round. The scripted model's pieces come without delay, and pieces of a text that are there already pass as one; where each comes by itself, as from a slow model, nothing is
saved by that, and the second row says what a leg costs then. A negative number of bytes means that memory was smaller after than before.
A start is a process that opens the store, looks for what to take up, and ends. A text turn is the \`openai\` client's, one after the other, before \`byleave serve\` whose model is a mock server that answers at once with 57 words; without Byleave the client
asks that server itself. CPU is that of client, model server and service together, and the difference is the median of the differences within a round. A turn is a run: it is committed when it begins and ends, its answer is in the journal, and it can be
retrieved afterwards. Three runs, on two cores that others used as well, gave 7.5, 9.0 and 10.7 ms, and streamed 8.0, 9.7 and 10.0 ms: the last
digits, and the difference between the two rows, mean nothing.

${tableOf(rows)}`
}

function turnWords({ addedMs, throughMs, directMs, serviceMs }: TurnNumbers): string {
  return `${addedMs} ms (${throughMs} ms against ${directMs} ms; the service alone ${serviceMs} ms)`
}

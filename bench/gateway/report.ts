/** The gateway's part of bench/RESULTS.md: every number DESIGN asks for, and the whole field beside it. */
import { apart } from "../apart.ts"
import type { Row } from "../row.ts"
import type { ClientKind } from "./clients/bench-client.ts"
import type { FieldName, TargetNumbers } from "./field.ts"
import type { HeldNumbers } from "./held.ts"
import { problemOf } from "./problem.ts"
import type { SoakNumbers } from "./soak.ts"
import { type Summary, summaries } from "./summary.ts"
import { bareName, byleaveName, directName, selfCheckName } from "./targets.ts"
import type { WrappedNumbers } from "./wrapped.ts"

export type GatewayReport = { readonly rows: readonly Row[]; readonly tables: readonly string[] }

type Speed = "quick" | "full"
type Field = { readonly title: string; readonly name: FieldName; readonly kind: ClientKind; readonly inQuick: boolean }

const fields = {
  http: { title: "HTTP to HTTP, lean driver", name: "http", kind: "lean", inQuick: true },
  stdio: { title: "HTTP to stdio, lean driver", name: "stdio", kind: "lean", inQuick: true },
  elicitation: {
    title: "HTTP to HTTP, lean driver, clients that declare elicitation",
    name: "elicitation",
    kind: "lean",
    inQuick: false,
  },
  httpSdk: { title: "HTTP to HTTP, SDK client", name: "http", kind: "sdk", inQuick: false },
  stdioSdk: { title: "HTTP to stdio, SDK client", name: "stdio", kind: "sdk", inQuick: false },
} as const satisfies Record<string, Field>

export function measureGateway(speed: Speed, minutes: string): GatewayReport {
  const rows: Row[] = []
  const tables: string[] = []
  const measured = (field: Field): readonly Summary[] | null => {
    if (speed === "quick" && !field.inQuick) return null
    console.error(`measuring: ${field.title}`)
    const numbers = apart<readonly TargetNumbers[]>("gateway/field.ts", "measureField", field.name, field.kind, speed)
    const all = summaries(numbers)
    tables.push(tableOf(field.title, all))
    return all
  }
  const addAll = (more: readonly Row[]): void => {
    rows.push(...more)
    for (const row of more) console.error(`  ${row.what}: ${row.measured}`)
  }
  addAll(httpRows(fields.http.title, measured(fields.http)))
  addAll(stdioRows(fields.stdio.title, measured(fields.stdio)))
  addAll(elicitationRows(measured(fields.elicitation)))
  addAll(httpRows(fields.httpSdk.title, measured(fields.httpSdk)))
  addAll(stdioRows(fields.stdioSdk.title, measured(fields.stdioSdk)))
  addAll(guarded("stdio to stdio", () => wrappedRows(apart("gateway/wrapped.ts", "measureWrapped", speed))))
  const count = speed === "quick" ? "1000" : "10000"
  addAll(guarded("held calls", () => heldRows(apart("gateway/held.ts", "measureHeld", count))))
  addAll(guarded("memory under load", () => soakRows(apart("gateway/soak.ts", "measureSoak", minutes))))
  return { rows, tables }
}

/** A part that fails is a row that says so, and fails the run at its end. */
export function guarded(what: string, rows: () => readonly Row[]): readonly Row[] {
  try {
    return rows()
  } catch (cause) {
    process.exitCode = 1
    return [{ what, reach: "", measured: `not measured: ${problemOf(cause)}`, reached: false }]
  }
}

function httpRows(title: string, all: readonly Summary[] | null): readonly Row[] {
  if (all === null) return []
  const ours = named(all, byleaveName)
  const bare = named(all, bareName)
  const lean = title.includes("lean")
  return [
    selfCheck(title, all),
    row(
      `${title}: CPU per call, sequential`,
      "≤ 1.3 × a bare proxy's",
      bare?.ours,
      (n) => n <= 1.3,
      cpuOf(ours, bare, "cpu"),
    ),
    row(
      `${title}: CPU per call, 16 clients`,
      "≤ 1.3 × a bare proxy's",
      bare?.ours16,
      (n) => n <= 1.3,
      cpuOf(ours, bare, "cpu16"),
    ),
    ...peerRows(title, all, "≤ 0.33 × every one of them", 0.334),
    row(
      `${title}: added median latency`,
      lean ? "≤ 1.5 × what a bare proxy adds" : "for comparison",
      quotient(ours?.addedP50, bare?.addedP50),
      lean ? (n) => n <= 1.5 : null,
      `${ms(ours?.addedP50)} against ${ms(bare?.addedP50)}`,
    ),
    ...throughputRows(title, ours),
  ]
}

function throughputRows(title: string, ours: Summary | undefined): readonly Row[] {
  return [
    row(
      `${title}: throughput, 16 clients`,
      "≥ 0.88 of a bare proxy's",
      ours?.ofBare16,
      (n) => n >= 0.88,
      `${whole(ours?.perSecond16)}/s`,
    ),
    row(`${title}: memory, 16 clients`, "≤ 100 MB", ours?.megabytes, (n) => n <= 100, "MB resident"),
  ]
}

function stdioRows(title: string, all: readonly Summary[] | null): readonly Row[] {
  if (all === null) return []
  const ours = named(all, byleaveName)
  return [
    ...peerRows(title, all, "≤ 0.6 × the best of them", 0.6),
    row(`${title}: memory, 16 clients`, "≤ 100 MB", ours?.megabytes, (n) => n <= 100, "MB resident"),
  ]
}

function elicitationRows(all: readonly Summary[] | null): readonly Row[] {
  if (all === null) return []
  const title = "clients that declare elicitation"
  const bare = named(all, bareName)
  return [
    row(
      `${title}: CPU per call, 16 clients`,
      "≤ 1.3 × a bare proxy's",
      bare?.ours16,
      (n) => n <= 1.3,
      cpuOf(named(all, byleaveName), bare, "cpu16"),
    ),
    ...throughputRows(title, named(all, byleaveName)),
  ]
}

/** Against the peer that comes nearest. */
function peerRows(title: string, all: readonly Summary[], reach: string, limit: number): readonly Row[] {
  const others = all.filter(({ name }) => ![directName, selfCheckName, bareName, byleaveName].includes(name))
  const lanes = [
    { how: "sequential", of: (one: Summary) => one.ours },
    { how: "16 clients", of: (one: Summary) => one.ours16 },
  ]
  return lanes.map(({ how, of }) => {
    const nearest = others.filter((one) => Number.isFinite(of(one))).sort((a, b) => of(b) - of(a))[0]
    const said = nearest === undefined ? "" : `of ${nearest.name}, the nearest`
    return row(
      `${title}: CPU per call against other MCP proxies, ${how}`,
      reach,
      nearest && of(nearest),
      (n) => n <= limit,
      said,
    )
  })
}

function selfCheck(title: string, all: readonly Summary[]): Row {
  const again = named(all, selfCheckName)
  return row(`${title}: direct against direct, throughput`, "about 1", again?.ofDirect16, null, "what noise there is")
}

function wrappedRows(numbers: WrappedNumbers): readonly Row[] {
  const { startRatio, bareStart, wrappedStart, addedEmbedded, addedThroughService, bareP50, problems } = numbers
  const why = problems.length === 0 ? "" : `; ${problems.join("; ")}`
  return [
    row(
      "`wrap`: time to the first tools/list, service running",
      "≤ 1.3 × the bare server",
      startRatio,
      (n) => n <= 1.3,
      `${ms(wrappedStart)} against ${ms(bareStart)}${why}`,
    ),
    row(
      "stdio to stdio, embedded: added median latency",
      "≤ 0.3 ms",
      addedEmbedded,
      (n) => n <= 0.3,
      `ms on ${ms(bareP50)}`,
    ),
    row(
      "stdio to stdio, through the service: added median latency",
      "≤ 0.6 ms",
      addedThroughService,
      (n) => n <= 0.6,
      `ms on ${ms(bareP50)}`,
    ),
  ]
}

function heldRows({ held, bytesEach, verdictP50, verdictP95, secondsToHold }: HeldNumbers): readonly Row[] {
  const at = `${held.toLocaleString("en")} held calls`
  return [
    row(
      `${at}: memory each`,
      "≤ 40 kB",
      bytesEach / 1000,
      (n) => n <= 40,
      `kB; all held after ${secondsToHold.toFixed(1)} s`,
    ),
    row(
      `${at}: verdict by the API to first byte upstream, p95`,
      "≤ 20 ms",
      verdictP95,
      (n) => n <= 20,
      `ms; p50 ${ms(verdictP50)}`,
    ),
  ]
}

function soakRows({ minutes, calls, megabytesAtEnd, megabytesPerMinute }: SoakNumbers): readonly Row[] {
  const how = `MB a minute over the second half; ${megabytesAtEnd.toFixed(0)} MB after ${calls.toLocaleString("en")} calls`
  return [row(`memory under load, ${minutes} min`, "flat", megabytesPerMinute, null, how)]
}

export function row(
  what: string,
  reach: string,
  value: number | undefined,
  isReached: ((value: number) => boolean) | null,
  more: string,
): Row {
  const isKnown = value !== undefined && Number.isFinite(value)
  const measured = isKnown
    ? `${Math.round(value * 100) / 100} ${more === "" ? "" : `(${more})`}`.trim()
    : `not measured ${more}`
  if (!isKnown) process.exitCode = 1
  return { what, reach, measured, reached: isKnown ? (isReached?.(value) ?? null) : false }
}

function cpuOf(ours: Summary | undefined, other: Summary | undefined, key: "cpu" | "cpu16"): string {
  return `${ms(ours?.[key])} against ${ms(other?.[key])}`
}

function quotient(a: number | undefined, b: number | undefined): number {
  return (a ?? Number.NaN) / (b ?? Number.NaN)
}

function named(all: readonly Summary[], name: string): Summary | undefined {
  return all.find((one) => one.name === name)
}

function tableOf(title: string, all: readonly Summary[]): string {
  const lines = all.map((one) =>
    one.problem === null
      ? `| ${one.name} | ${[ms(one.cpu), ms(one.cpu16), ms(one.treeCpu16), times(one.ours), times(one.ours16), ms(one.p50), ms(one.addedP50), ms(one.addedP95), whole(one.perSecond16), times(one.ofDirect16), ms(one.p95With16), memory(one)].join(" | ")} |`
      : `| ${one.name} | not measured: ${one.problem} | | | | | | | | | | | |`,
  )
  return `### ${title}

| target | CPU per call | with 16 clients | its tree's | Byleave's CPU over it | with 16 clients | p50 | added p50 | added p95 | calls/s, 16 clients | of direct | p95, 16 clients | MB own / tree |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
${lines.join("\n")}
`
}

function memory({ megabytes, treeMegabytes, name }: Summary): string {
  return name === directName || name === selfCheckName ? "" : `${whole(megabytes)} / ${whole(treeMegabytes)}`
}

export function ms(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "?" : `${value.toFixed(2)} ms`
}

function times(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : ""
}

function whole(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "?" : Math.round(value).toLocaleString("en")
}

/**
 * `npm run agents [-- CLIENT…] [--setup | --rules]`: the configurations of docs/guides/clients, run as written by the real programs, one at a time, with a
 * scripted model on loopback. Installs on demand; ends with a table, and with 1 where something is not as it should be.
 * With `--rules`, rule languages judged by the programs that speak them.
 */
import { stripVTControlCharacters } from "node:util"
import { type AgentClient, clients } from "../test/agents/clients.ts"
import { type PlayedWay, playedWays, readGuide } from "../test/agents/guide.ts"
import { checkNames, play, type Seen } from "../test/agents/play.ts"
import { runRuleTrials } from "./agent-rules.ts"
import { installOnDemand } from "./install-on-demand.ts"

type Row = { readonly client: AgentClient; readonly way: PlayedWay; readonly seen: Seen | string }

const guide = readGuide()
const isSetupOnly = process.argv.includes("--setup")
const isRules = process.argv.includes("--rules")
const wanted = process.argv.slice(2).filter((word) => word !== "--setup" && word !== "--rules")
const unknown = wanted.filter((name) => !Object.hasOwn(clients, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. Choose among ${Object.keys(clients).join(", ")}.`)
  process.exit(2)
}
const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => stop.abort(new Error("It was stopped.")))
const isRight = isRules ? await runRuleTrials(wanted, stop.signal) : await runClients()
process.exitCode = isRight ? 0 : 1

async function runClients(): Promise<boolean> {
  const rows: Row[] = []
  for (const [name, client] of Object.entries(clients)) {
    if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await runAllWays(client)))
  }
  console.log(`\n${table(rows)}`)
  return rows.every((row) => problemsOf(row).length === 0)
}

function isWanted(way: PlayedWay): boolean {
  return !isSetupOnly || way === "setup"
}

async function runAllWays(client: AgentClient): Promise<readonly Row[]> {
  const done: Row[] = []
  for (const way of stop.signal.aborted ? [] : playedWays.filter(isWanted)) {
    const row = { client, way, seen: await attempt(client, way) }
    for (const problem of problemsOf(row)) console.log(`  PROBLEM   ${problem}`)
    if (typeof row.seen !== "string" && problemsOf(row).length > 0) console.log(indented(row.seen.output))
    console.log(`${client.section} ${client.version}, ${way}: ${problemsOf(row).length} problems`)
    done.push(row)
  }
  return done
}

async function attempt(client: AgentClient, way: PlayedWay): Promise<Seen | string> {
  try {
    return await play(client, way, { program: installOnDemand(client.program), guide, stop: stop.signal })
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

function problemsOf({ seen }: Row): readonly string[] {
  if (typeof seen === "string") return [seen]
  return checkNames.flatMap((name) => (seen.checks[name] === true ? [] : [`${name}: ${seen.checks[name]}`]))
}

function table(all: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  const head = ["client", "version", "way", ...checkNames]
  const body = all.map(({ client, way, seen }) => {
    const marks = checkNames.map((name) => (typeof seen === "string" ? "not run" : markOf(seen, name)))
    return line([client.section, client.version, way, ...marks])
  })
  return [line(head), line(head.map(() => "---")), ...body].join("\n")
}

function markOf({ checks }: Seen, name: (typeof checkNames)[number]): string {
  return checks[name] === true ? "yes" : "no"
}

function indented(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split("\n").slice(-15)
  return lines.map((line) => `            ${line.slice(0, 300)}`).join("\n")
}

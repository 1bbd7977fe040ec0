/**
 * How many decisions a second: 300 tools, argument conditions on every one of them, 50 grants, a session, arguments that
 * differ with every call. The extra rules of the large policies are once about other tools, and once pile on the same 300.
 */
import { pathToFileURL } from "node:url"
import type { JsonObject } from "../packages/core/src/call/json/json.ts"
import { compilePolicy } from "../packages/core/src/policy/decide/compile-policy.ts"
import { decide } from "../packages/core/src/policy/decide/decide.ts"
import type { Question, ToolFacts } from "../packages/core/src/policy/decide/decision.ts"
import { indexGrants } from "../packages/core/src/policy/decide/index-grants.ts"
import type { Remembered } from "../packages/core/src/policy/rules/remembered.ts"
import { type Condition, emptyPolicy, type Rule } from "../packages/core/src/policy/rules/rule.ts"

export type DecideResult = {
  readonly shape: string
  readonly rules: number
  /** Per second of one core's time, in the best round and in the median one. */
  readonly perSecond: number
  readonly median: number
  /** Effects among the questions asked, so that nobody measures a policy that only ever says one thing. */
  readonly effects: Readonly<Record<string, number>>
}

const serverCount = 10
const toolsPerServer = 30
/** As many different arguments as fit a processor's cache: those of a real call have just been read. */
const questionCount = 3_000
const passesPerRound = 20

export async function benchDecide(rounds = 7): Promise<readonly DecideResult[]> {
  const runs = [
    runOf("200 rules over 300 tools", baseRules()),
    runOf("10,000 rules, the others about other tools", [...baseRules(), ...rulesElsewhere(9_800)]),
    runOf("10,000 rules, all on the 300 tools", [...baseRules(), ...rulesPiledUp(9_800)]),
    runOf("20 rules over 300 tools", baseRules().slice(0, 20)),
  ]
  // Round by round through all shapes: what else the machine does then falls on each of them alike.
  for (let round = 0; round < rounds; round += 1) for (const run of runs) run.time()
  return runs.map(({ result }) => result())
}

/** Two rules per server reach all of its tools by glob; the other 180 are about one tool each. All have conditions. */
function baseRules(): readonly Rule[] {
  const rules: Rule[] = []
  for (let at = 0; at < serverCount; at += 1) {
    const home = [under("/home/agent"), atMost("size", 1_000_000)]
    rules.push(ruleOf(rules.length, "allow", `server-${at}`, "tool_*", home))
    rules.push(ruleOf(rules.length, "deny", `server-${at}`, "*", [under(`/home/agent/secret-${at}`)]))
  }
  const effects = ["ask", "allow", "deny"] as const
  for (let at = 0; rules.length < 200; at += 1) {
    const { server, name } = toolAt(at)
    const condition = at % 2 === 0 ? under(`/etc/part-${at % 5}`) : equals("mode", `force-${at % 5}`)
    rules.push(ruleOf(rules.length, effects[at % 3] ?? "ask", server, name, [condition]))
  }
  return rules
}

function toolAt(at: number): { readonly server: string; readonly name: string } {
  const tool = at % (serverCount * toolsPerServer)
  return { server: `server-${tool % serverCount}`, name: `tool_${Math.floor(tool / serverCount)}` }
}

function rulesElsewhere(count: number): readonly Rule[] {
  return Array.from({ length: count }, (_, at) =>
    ruleOf(200 + at, at % 2 === 0 ? "allow" : "deny", `elsewhere-${at % 50}`, `other_${at}`, [under(`/srv/${at}`)]),
  )
}

function rulesPiledUp(count: number): readonly Rule[] {
  return Array.from({ length: count }, (_, at) => {
    const { server, name } = toolAt(at)
    const conditions: readonly Condition[] = [
      under(`/var/spool/${at}/deep`),
      equals("mode", `special-${at}`),
      { key: "mode", op: "oneOf", values: [`rare-${at}`, `odd-${at}`] },
      under(`/opt/app-${at}`),
    ]
    const effects = ["deny", "allow", "ask"] as const
    const round = Math.floor(at / (serverCount * toolsPerServer))
    return ruleOf(200 + at, effects[round % 3] ?? "deny", server, name, [conditions[round % 4] as Condition])
  })
}

function ruleOf(
  index: number,
  effect: "allow" | "deny" | "ask",
  server: string,
  name: string,
  when: readonly Condition[],
): Rule {
  return {
    id: `rules[${index}]`,
    effect,
    target: { server, kind: "tool", name, whole: false },
    when,
    origin: { where: "bench", line: index },
  }
}

function under(folder: string): Condition {
  return { key: "path", op: "under", folder }
}

function equals(key: string, value: string): Condition {
  return { key, op: "equals", value }
}

function atMost(key: string, value: number): Condition {
  return { key, op: "atMost", value }
}

/** 20 for every session, 20 of this one and 10 of another; by tool, by server's reads and by path. */
function grantsOf(): readonly Remembered[] {
  return Array.from({ length: 50 }, (_, at): Remembered => {
    const server = `server-${at % serverCount}`
    const tool = `tool_${at % toolsPerServer}`
    const session = at < 20 ? {} : { session: { principal: "agent", id: at < 40 ? "chat-1" : "chat-2" } }
    const when = [under(`/tmp/run-${at}`)]
    const breadth: Remembered["breadth"] =
      at % 5 === 0 ? { kind: "reads", server, tools: [tool] } : { kind: "tool", server, tool, when }
    return { id: `grant-${at}`, effect: at % 10 === 9 ? "deny" : "allow", breadth, until: 2_000_000, ...session }
  })
}

const declared = new Set(["path", "mode", "size", "note"])

/** The work of a compiled schema: types of the known keys, and no others. */
function check(args: JsonObject): readonly string[] {
  for (const key in args) if (!declared.has(key)) return [`${key} is not declared`]
  return typeof args.path === "string" && typeof args.size === "number" ? [] : ["wrong type"]
}

function questionsOf(): readonly Question[] {
  const usage = {
    autoAllowedInSession: 3,
    autoAllowedInDay: 3,
    autoAllowedInMinute: 3,
    writesInWindow: 1,
    coolDownUntil: null,
  }
  const facts: ToolFacts = {
    definition: null,
    fingerprint: "f",
    pin: "accepted",
    access: "write",
    accessFrom: "default",
    accessCounts: true,
    check,
  }
  const tools = Array.from({ length: serverCount * toolsPerServer }, (_, at) => ({
    facts: { ...facts },
    ...toolAt(at),
  }))
  return Array.from({ length: questionCount }, (_, at): Question => {
    const { facts: tool, server, name } = tools[(at * 7) % tools.length] as (typeof tools)[number]
    const folder = at % 20 === 0 ? `/etc/part-${at % 5}` : `/home/agent/work-${at % 9}`
    // Parsed, as arguments are: no shapes or strings shared between calls.
    const args = JSON.parse(
      `{"path":"${folder}/notes-${at}.md","mode":"${at % 50 === 7 ? `force-${at % 5}` : "plain"}","size":${at % 5_000},"note":"call ${at}"}`,
    )
    return {
      target: JSON.parse(`{"server":"${server}","kind":"tool","name":"${name}"}`),
      args,
      tool,
      principal: { id: "agent" },
      session: JSON.parse('{"principal":"agent","id":"chat-1","named":true}'),
      state: { mode: "ask", usage },
      now: 1_000_000,
    }
  })
}

function runOf(shape: string, rules: readonly Rule[]) {
  const compiled = compilePolicy({ ...emptyPolicy, rules })
  const grants = indexGrants(grantsOf())
  const questions = questionsOf()
  const effects: Record<string, number> = { allow: 0, ask: 0, deny: 0 }
  const rates: number[] = []
  for (const question of questions) {
    const { effect } = decide(compiled, grants, question)
    effects[effect] = (effects[effect] ?? 0) + 1
  }
  return {
    time: () => {
      const start = process.threadCpuUsage()
      for (let pass = 0; pass < passesPerRound; pass += 1) {
        for (const question of questions) decide(compiled, grants, question)
      }
      const { user, system } = process.threadCpuUsage(start)
      rates.push((questions.length * passesPerRound * 1_000_000) / (user + system))
    },
    result: (): DecideResult => {
      const sorted = rates.toSorted((a, b) => a - b)
      return {
        shape,
        rules: rules.length,
        perSecond: sorted.at(-1) ?? 0,
        median: sorted[sorted.length >> 1] ?? 0,
        effects,
      }
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const results = await benchDecide(9)
  const base = results[0]?.perSecond ?? 1
  console.table(
    results.map(({ shape, perSecond, median, effects }) => ({
      shape,
      "decisions/s": Math.round(perSecond),
      "of 200 rules": `${Math.round((100 * perSecond) / base)} %`,
      median: Math.round(median),
      "allow/ask/deny": `${effects.allow}/${effects.ask}/${effects.deny}`,
    })),
  )
}

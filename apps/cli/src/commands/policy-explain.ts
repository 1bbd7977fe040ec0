import {
  compilePolicy,
  explain,
  indexGrants,
  type JsonObject,
  type Mode,
  type Question,
  readJson,
  type Target,
  type TargetKind,
  toolFacts,
} from "@byleave/core"
import { type Config, nearestWord, type Problem } from "@byleave/formats"
import { type Command, Option } from "commander"
import type { ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines, safeLines } from "../paint.ts"
import { problemLines } from "../problem-lines.ts"
import { readConfig } from "../read-config.ts"
import { answerOf, answerText } from "./explain-answer.ts"

type Options = {
  readonly config: string
  readonly args?: string
  readonly session?: string
  readonly principal: string
  readonly mode: Mode
  readonly kind: TargetKind
  readonly json?: true
}

const modes = ["ask", "autonomous", "unattended", "observe"] as const satisfies readonly Mode[]
const kinds = [
  "tool",
  "resource",
  "prompt",
  "sampling",
  "elicitation",
  "roots",
] as const satisfies readonly TargetKind[]

export function addPolicyExplain(policy: Command, io: Io, done: (code: ExitCode) => void): void {
  policy
    .command("explain")
    .description("say what the policy decides of a call, and why")
    .argument("<server>", "the server's id in the configuration")
    .argument("<tool>", "the tool's name, as the server calls it")
    .option("--config <file>", "the configuration", "byleave.yaml")
    .option("--args <json>", "the call's arguments, a JSON object")
    .option("--session <id>", "the session the call belongs to")
    .option("--principal <id>", "the agent that calls", "local")
    .addOption(new Option("--mode <mode>", "the session's mode").choices(modes).default("ask"))
    .addOption(new Option("--kind <kind>", "what is asked for").choices(kinds).default("tool"))
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (server: string, tool: string, options: Options) =>
      done(await policyExplain(server, tool, options, io)),
    )
}

const examples = `
The exit code is 0 whatever is decided, and 1 when the configuration cannot be used or does not name the server.

Examples:
  byleave policy explain files write_file --args '{"path":"drafts/a.md"}'
  byleave policy explain tracker delete_issue --mode unattended --json`

type ReadArgs =
  | { readonly ok: true; readonly args: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string }

/** The arguments, read as strictly as those of a real call; a wrong text is not repeated, for it may be megabytes long. */
function readArgs(text: string | undefined): ReadArgs {
  if (text === undefined) return { ok: true, args: undefined }
  const read = readJson(text)
  if (!read.ok) return { ok: false, problem: `--args, character ${read.problem.offset + 1}: ${read.problem.message}` }
  if (isObject(read.value)) return { ok: true, args: read.value }
  return { ok: false, problem: `--args must be a JSON object, for example --args '{"path":"a.txt"}'.` }
}

function isObject(value: unknown): value is JsonObject {
  return JSON.stringify(value).startsWith("{")
}

async function policyExplain(server: string, tool: string, options: Options, io: Io): Promise<ExitCode> {
  const given = readArgs(options.args)
  if (!given.ok) {
    io.stderr.write(`${safeLines(given.problem)}\n`)
    return 2
  }
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) return fail(read.unreadable, [], options, io)
  if (!read.ok) return fail(`${options.config} cannot be used. ${unusable}`, read.problems, options, io)
  const { config } = read
  const refusal = unanswerable(config, server, options)
  if (refusal !== undefined) return fail(refusal, [], options, io)
  const target: Target = { server, kind: options.kind, name: tool }
  const question = questionOf(config, target, given.args, options, io)
  const explanation = explain(compilePolicy(config.policy, { realPath: io.realPath }), indexGrants([]), question)
  const answer = answerOf(explanation, question, config.policy.version)
  io.stdout.write(options.json ? jsonLines(answer) : answerText(answer, createPaint(io.stdout, io.env)))
  return 0
}

const unusable = "Correct what is listed, and see with `byleave policy check` whether all is well."

function fail(message: string, problems: readonly Problem[], options: Options, io: Io): ExitCode {
  io.stderr.write(`${problemLines(problems, createPaint(io.stderr, io.env))}${safeLines(message)}\n`)
  if (options.json) io.stdout.write(jsonLines({ error: message, problems }))
  return 1
}

/** Why no call could be judged so; undefined when it can. */
function unanswerable(config: Config, server: string, options: Options): string | undefined {
  const ids = config.servers.map(({ id }) => id)
  if (!ids.includes(server)) {
    const nearest = nearestWord(server, ids)
    const advice = nearest === undefined ? `It has: ${ids.join(", ")}.` : `Did you mean ${nearest}?`
    return `${options.config} has no server ${server}. ${advice}`
  }
  if (config.policy.forbiddenModes.includes(options.mode)) {
    return `The policy forbids the mode ${options.mode}, so no session can be in it. Leave --mode out.`
  }
  return undefined
}

function questionOf(config: Config, target: Target, args: JsonObject | undefined, options: Options, io: Io): Question {
  const { principal, session, mode } = options
  const { classify, servers } = config.policy
  const facts = toolFacts({
    tool: { server: target.server, tool: target.name },
    definition: null,
    server: servers.find(({ id }) => id === target.server),
    classify,
    pin: "accepted",
    fingerprint: "",
  })
  return {
    target,
    args,
    tool: target.kind === "tool" ? facts : undefined,
    principal: { id: principal },
    session: { principal, id: session ?? principal, named: session !== undefined },
    state: { mode, usage: { autoAllowedInSession: 0, autoAllowedInMinute: 0, writesInWindow: 0, coolDownUntil: null } },
    now: io.now(),
  }
}

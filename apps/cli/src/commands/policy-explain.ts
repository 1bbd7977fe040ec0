import {
  compilePolicy,
  explain,
  indexGrants,
  type JsonObject,
  type Mode,
  type Question,
  type Target,
  type TargetKind,
  toolFacts,
} from "@byleave/core"
import { type Config, nearestWord } from "@byleave/formats"
import { type Command, Option } from "commander"
import { configOf, configOption } from "../config-option.ts"
import { dataOption } from "../data-folder.ts"
import { type Failure, reportFailure } from "../failure.ts"
import type { ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines } from "../paint.ts"
import { readArgs } from "../read-args.ts"
import { readConfig } from "../read-config.ts"
import { answerOf, answerText } from "./explain-answer.ts"

type Flags = Omit<Options, "config"> & { readonly config?: string; readonly data?: string }
type Options = {
  readonly config: string
  /** The server is one that `byleave wrap` stands before, so the file does not name it. */
  readonly wrapped?: true
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
    .addOption(configOption())
    .addOption(dataOption())
    .option("--wrapped", "the server is one that `byleave wrap` stands before, so the file does not name it")
    .option("--args <json>", "the call's arguments, a JSON object; @file reads them from a file, - from standard input")
    .option("--session <id>", "the session the call belongs to")
    .option("--principal <id>", "the agent that calls", "local")
    .addOption(new Option("--mode <mode>", "the session's mode").choices(modes).default("ask"))
    .addOption(new Option("--kind <kind>", "what is asked for").choices(kinds).default("tool"))
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (server: string, tool: string, flags: Flags) =>
      done(await policyExplain(server, tool, { ...flags, config: configOf(flags, io) }, io)),
    )
}

const examples = `
The exit code is 0 whatever is decided, and 1 when the configuration cannot be used or does not name the server.

Examples:
  byleave policy explain files write_file --args '{"path":"drafts/a.md"}'
  byleave policy explain files write_file --args @arguments.json
  byleave policy explain tracker delete_issue --mode unattended --json`

async function policyExplain(server: string, tool: string, options: Options, io: Io): Promise<ExitCode> {
  const fail = (failure: Failure): ExitCode => {
    reportFailure(failure, options.json === true, io)
    return failure.code === "wrong-use" ? 2 : 1
  }
  if (tool === "") return fail({ error: "A tool has a name. Write it after the server's.", code: "wrong-use" })
  const given = await readArgs(options.args, io)
  if (!given.ok) return fail({ error: given.problem, code: "wrong-use" })
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) return fail({ error: read.unreadable })
  if (!read.ok) return fail({ error: `${options.config} cannot be used. ${unusable}`, problems: read.problems })
  const { config } = read
  const refusal = unanswerable(config, server, options)
  if (refusal !== undefined) return fail({ error: refusal })
  const target: Target = { server, kind: options.kind, name: tool }
  const question = questionOf(config, target, given.args, options, io)
  const explanation = explain(compilePolicy(config.policy, { realPath: io.realPath }), indexGrants([]), question)
  const answer = answerOf(explanation, question, config.policy.version)
  io.stdout.write(options.json ? jsonLines(answer) : answerText(answer, createPaint(io.stdout, io.env)))
  return 0
}

const unusable = "Correct what is listed, and see with `byleave policy check` whether all is well."

/** Why no call could be judged so; undefined when it can. */
function unanswerable(config: Config, server: string, options: Options): string | undefined {
  const ids = config.servers.map(({ id }) => id)
  // A file without servers is one of somebody who wraps them.
  if (!ids.includes(server) && ids.length > 0 && !options.wrapped) {
    const nearest = nearestWord(server, ids)
    const advice = nearest === undefined ? `It has: ${ids.join(", ")}.` : `Did you mean ${nearest}?`
    return `${options.config} has no server ${server}. ${advice} For one that byleave wrap stands before, add --wrapped.`
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

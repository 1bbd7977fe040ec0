import type { ExplanationView } from "@byleave/api"
import {
  allModes,
  compilePolicy,
  explain,
  idleUsage,
  indexGrants,
  type JsonObject,
  type Mode,
  policyMode,
  type Question,
  type Target,
  type TargetKind,
  toolFacts,
} from "@byleave/core"
import { type Config, nearestWord } from "@byleave/formats"
import { type Command, Option } from "commander"
import { configOf, configOption } from "../../config/config-option.ts"
import { readConfig } from "../../config/read-config.ts"
import { type CommandFailure, reportFailure } from "../../failure.ts"
import { dataOption } from "../../files/data-folder.ts"
import type { ExitCode, Io } from "../../io.ts"
import { policyPortsOf } from "../../policy-ports.ts"
import { urlOption } from "../../reach/find-service.ts"
import { readArgs } from "../../read-args.ts"
import { createPaint, jsonLines } from "../../terminal/paint.ts"
import { answerOf, answerText, type ExplainedCall, fileNotes } from "./explain-answer.ts"
import { explainByService, reachService } from "./explain-by-service.ts"

type Flags = Omit<Options, "config"> & { readonly config?: string; readonly data?: string; readonly url?: string }
type Options = {
  readonly config: string
  /** The server is one that `byleave wrap` stands before, so the file does not name it. */
  readonly wrapped?: true
  readonly args?: string
  readonly session?: string
  readonly principal: string
  readonly mode?: Mode
  readonly kind: TargetKind
  readonly json?: true
}

const kinds = [
  "tool",
  "resource",
  "prompt",
  "sampling",
  "elicitation",
  "roots",
  "method",
] as const satisfies readonly TargetKind[]

export function addPolicyExplain(policy: Command, io: Io, done: (code: ExitCode) => void): void {
  policy
    .command("explain")
    .description("explain how a call would be decided, and why")
    .argument("<server>", "server ID in the configuration")
    .argument("<tool>", "tool name, as the server lists it")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(urlOption())
    .option("--wrapped", "the server is run through `byleave wrap`, so it need not be configured")
    .option("--args <json>", "arguments as a JSON object; @file reads a file, - reads standard input")
    .option("--session <id>", "session the call belongs to")
    .option("--principal <id>", "agent that makes the call", "local")
    .addOption(new Option("--mode <mode>", "evaluate in this mode (default: the session's)").choices(allModes))
    .addOption(new Option("--kind <kind>", "kind of call").choices(kinds).default("tool"))
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (server: string, tool: string, flags: Flags) =>
      done(await policyExplain({ server, tool, kind: flags.kind }, flags, io)),
    )
}

const examples = `
Asks the running service, which knows permissions, session modes and tool definitions. With --config, or when no service is
running, only the configuration is used. The output says which.

The exit code is 0 whatever the decision, and 1 when the configuration is invalid or the server is unknown.

Examples:
  byleave policy explain files write_file --args '{"path":"drafts/a.md"}'
  byleave policy explain files write_file --args @arguments.json
  byleave policy explain tracker delete_issue --mode unattended --json`

type Named = { readonly server: string; readonly tool: string; readonly kind: TargetKind }

async function policyExplain(named: Named, flags: Flags, io: Io): Promise<ExitCode> {
  const fail = (failure: CommandFailure): ExitCode => {
    reportFailure(failure, flags.json === true, io)
    return failure.code === "wrong-use" ? 2 : 1
  }
  if (named.tool === "") return fail({ error: "Enter a tool name after the server.", code: "wrong-use" })
  const given = await readArgs(flags.args, io)
  if (!given.ok) return fail({ error: given.problem, code: "wrong-use" })
  const asked = await ask(named, given.args, flags, io)
  if ("error" in asked) return fail(asked)
  io.stdout.write(flags.json ? jsonLines(asked) : answerText(asked, createPaint(io.stdout, io.env)))
  return 0
}

/** Asks the service where one runs and no file was named, and the file otherwise. */
async function ask(
  named: Named,
  args: JsonObject | undefined,
  flags: Flags,
  io: Io,
): Promise<ExplainedCall | CommandFailure> {
  const { principal, session, mode } = flags
  const call = { ...named, principal, session: session ?? null, hasArgs: args !== undefined }
  const service = flags.config === undefined ? await reachService(flags, io) : null
  if (service !== null && !("problem" in service)) {
    const question = { call, args, ...(mode === undefined ? {} : { mode }), mayBeUnknown: flags.wrapped === true }
    return explainByService(service, question)
  }
  if (service !== null && flags.url !== undefined) return { error: service.problem }
  const options = { ...flags, config: configOf(flags, io) }
  const explained = await explainByFile(named, args, options, io)
  if ("error" in explained) return explained
  const notes = [...(service === null ? [] : [service.problem]), ...fileNotes(explained)]
  return answerOf(explained, call, { file: options.config }, notes)
}

async function explainByFile(
  { server, tool, kind }: Named,
  args: JsonObject | undefined,
  options: Options,
  io: Io,
): Promise<ExplanationView | CommandFailure> {
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) return { error: read.unreadable }
  if (!read.ok) return { error: `${options.config} is invalid. ${unusable}`, problems: read.problems }
  const { config } = read
  const refusal = unanswerable(config, server, options)
  if (refusal !== undefined) return { error: refusal }
  const question = questionOf(config, { server, kind, name: tool }, args, options, io)
  const compiled = compilePolicy(config.policy, policyPortsOf(io))
  const { decision, ...explained } = explain(compiled, indexGrants([]), question)
  const { because: _, ...decided } = decision
  const { access = null, accessFrom = null, pin = null } = question.tool ?? {}
  const { mode } = question.state
  return { ...decided, ...explained, mode, access, accessFrom, pin, policy: config.policy.version }
}

const unusable = "Fix the problems listed, then run `byleave policy check`."

/** Why no call could be judged so; undefined when it can. */
function unanswerable(config: Config, server: string, options: Options): string | undefined {
  const ids = config.servers.map(({ id }) => id)
  // A file without servers is one of somebody who wraps them.
  if (!ids.includes(server) && ids.length > 0 && !options.wrapped) {
    const nearest = nearestWord(server, ids)
    const advice = nearest === undefined ? `It has: ${ids.join(", ")}.` : `Did you mean ${nearest}?`
    return `${options.config} has no server ${server}. ${advice} For a server run through byleave wrap, add --wrapped.`
  }
  if (options.mode !== undefined && config.policy.forbiddenModes.includes(policyMode(options.mode))) {
    return `The policy forbids the mode ${options.mode}, so no session can use it. Omit --mode.`
  }
  return undefined
}

function questionOf(config: Config, target: Target, args: JsonObject | undefined, options: Options, io: Io): Question {
  const { principal, session, mode = "ask" } = options
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
    state: { mode, usage: idleUsage },
    now: io.now(),
  }
}

import type { ExplanationView } from "@byleave/api"
import {
  compilePolicy,
  explain,
  idleUsage,
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
import { urlOption } from "../find-service.ts"
import type { ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines } from "../paint.ts"
import { readArgs } from "../read-args.ts"
import { readConfig } from "../read-config.ts"
import { type Answer, answerOf, answerText, fileNotes } from "./explain-answer.ts"
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

const modes = ["ask", "autonomous", "unattended", "observe"] as const satisfies readonly Mode[]
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
    .description("say what the policy decides of a call, and why")
    .argument("<server>", "the server's id in the configuration")
    .argument("<tool>", "the tool's name, as the server calls it")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(urlOption())
    .option("--wrapped", "the server is one that `byleave wrap` stands before, so it need not be known")
    .option("--args <json>", "the call's arguments, a JSON object; @file reads them from a file, - from standard input")
    .option("--session <id>", "the session the call belongs to")
    .option("--principal <id>", "the agent that calls", "local")
    .addOption(new Option("--mode <mode>", "judge as in this mode (else the session's)").choices(modes))
    .addOption(new Option("--kind <kind>", "what is asked for").choices(kinds).default("tool"))
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (server: string, tool: string, flags: Flags) =>
      done(await policyExplain({ server, tool, kind: flags.kind }, flags, io)),
    )
}

const examples = `
Asks the running service, which knows what is remembered, each session's mode and what servers say of their tools. With --config, and where none
runs, the configuration alone is asked. The answer says which.

The exit code is 0 whatever is decided, and 1 when the configuration cannot be used or the server is not known.

Examples:
  byleave policy explain files write_file --args '{"path":"drafts/a.md"}'
  byleave policy explain files write_file --args @arguments.json
  byleave policy explain tracker delete_issue --mode unattended --json`

type Named = { readonly server: string; readonly tool: string; readonly kind: TargetKind }

async function policyExplain(named: Named, flags: Flags, io: Io): Promise<ExitCode> {
  const fail = (failure: Failure): ExitCode => {
    reportFailure(failure, flags.json === true, io)
    return failure.code === "wrong-use" ? 2 : 1
  }
  if (named.tool === "") return fail({ error: "A tool has a name. Write it after the server's.", code: "wrong-use" })
  const given = await readArgs(flags.args, io)
  if (!given.ok) return fail({ error: given.problem, code: "wrong-use" })
  const asked = await ask(named, given.args, flags, io)
  if ("error" in asked) return fail(asked)
  io.stdout.write(flags.json ? jsonLines(asked) : answerText(asked, createPaint(io.stdout, io.env)))
  return 0
}

/** Asks the service where one runs and no file was named, and the file otherwise. */
async function ask(named: Named, args: JsonObject | undefined, flags: Flags, io: Io): Promise<Answer | Failure> {
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
): Promise<ExplanationView | Failure> {
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) return { error: read.unreadable }
  if (!read.ok) return { error: `${options.config} cannot be used. ${unusable}`, problems: read.problems }
  const { config } = read
  const refusal = unanswerable(config, server, options)
  if (refusal !== undefined) return { error: refusal }
  const question = questionOf(config, { server, kind, name: tool }, args, options, io)
  const compiled = compilePolicy(config.policy, { realPaths: io.realPaths })
  const { decision, ...explained } = explain(compiled, indexGrants([]), question)
  const { because: _, ...decided } = decision
  const { access = null, accessFrom = null, pin = null } = question.tool ?? {}
  const { mode } = question.state
  return { ...decided, ...explained, mode, access, accessFrom, pin, policy: config.policy.version }
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
  if (options.mode !== undefined && config.policy.forbiddenModes.includes(options.mode)) {
    return `The policy forbids the mode ${options.mode}, so no session can be in it. Leave --mode out.`
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

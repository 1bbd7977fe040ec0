import type { SetupFileView, SetupServerView } from "@byleave/api"
import { showText, unambiguousJson } from "@byleave/core"
import { type ClientServer, takenVariables, type WrapCommand } from "@byleave/formats/clients"
import { programWords } from "../wrap/program-words.ts"
import type { ClientFile } from "./client-files.ts"
import { asksAnyway } from "./plan-allow.ts"
import { type PlannedFile, type ServerPlan, type SetupPlan, tokenVariable } from "./plan-setup.ts"

/**
 * A plan as people and programs are shown it.
 *
 * I1. Secrets of servers and tokens are in no part of it, but for what the change of byleave.yaml shows as well: the whole of an address that moves, and
 * values of its headers that do not look secret.
 * I2. Of a server that moves, the very words are shown by which the service asks about it: its whole address, every header, and every variable.
 * I3. A project's file, which others write, takes no value of the person's environment without a warning that names it and says where it goes.
 */
export function setupViews(plan: SetupPlan): readonly SetupFileView[] {
  return plan.files.map((file) => {
    const { client, path } = file.found
    const servers = file.servers
      .filter(({ server }) => !(server.reached.kind === "other" && server.reached.isBuiltIn))
      .map((server) => serverView(server, file))
    return {
      ...{ client: client.id, title: client.title, file: path, servers },
      allow:
        file.allow === null || file.allow.servers.length === 0
          ? null
          : { file: file.allow.edit.path, servers: file.allow.servers, rules: file.allow.rules },
      notes: notesOf(file),
      problem:
        file.problem === null
          ? null
          : { file: file.problem.path, line: file.problem.line, message: file.problem.message },
    }
  })
}

function serverView(plan: ServerPlan, { found }: PlannedFile): SetupServerView {
  const { server, name, becomes } = plan
  const before = reachedWords(server)
  return {
    ...{ client: found.client.id, server: server.name, name, file: found.path, becomes, before },
    after:
      becomes === "wrapped"
        ? `byleave wrap --name ${quoted(name)} -- ${before}`
        : becomes === "addressed"
          ? plan.url
          : null,
    ...givenTo(plan, found),
    change: becomes === "addressed" ? plan.change : null,
    warning: found.file.root === "project" ? warningOf(plan, found) : null,
    why: becomes === "left" ? plan.why : null,
  }
}

function givenTo(plan: ServerPlan, { client }: ClientFile): Pick<SetupServerView, "env" | "takes" | "folder"> {
  const { reached } = plan.server
  const takes = plan.becomes === "addressed" ? plan.takes : takenVariables(reached, client)
  if (!("env" in reached)) return { env: [], takes, folder: null }
  const names = [...reached.env.keys(), ...(reached.hasEnvFile ? ["envFile"] : [])]
  return { env: names, takes, folder: reached.cwd }
}

function warningOf(plan: ServerPlan, found: ClientFile): string | null {
  const { takes } = givenTo(plan, found)
  if (takes.length === 0 || (plan.becomes !== "addressed" && plan.becomes !== "wrapped")) return null
  const of = `${takes.join(", ")} of your environment`
  const { reached } = plan.server
  return reached.kind === "address"
    ? `This project's file has Byleave send ${of} to ${hostWords(reached.url)}.`
    : `This project's file has ${of} given to the program that it starts.`
}

/** The part of an address that says who gets what is sent. */
function hostWords(url: string): string {
  return quoted(/^[a-z]+:\/\/([^/?#\\]*)/i.exec(url)?.[1] ?? url)
}

function reachedWords({ reached }: ClientServer): string {
  switch (reached.kind) {
    case "command":
      return wordsOf([reached.command, ...reached.args])
    case "wrapped":
      return wrapWords(reached.wrap)
    case "address": {
      const { written, fromVariables } = reached.headers ?? { written: new Map(), fromVariables: new Map() }
      const names = [...written.keys(), ...[...fromVariables.keys()].map((name) => name.split(": ")[0] ?? name)]
      return wordsOf([reached.url]) + (names.length === 0 ? "" : ` (with ${names.map(quoted).join(", ")})`)
    }
    case "other":
      return ""
  }
}

function wrapWords({ program, name, data, url, command, args }: WrapCommand): string {
  const options = Object.entries({ "--data": data, "--url": url, "--name": name }).flatMap(([option, value]) =>
    value === null ? [] : [option, value],
  )
  return `${wordsOf([program, "wrap", ...options, "--"])} ${wordsOf([command, ...args])}`
}

/** Words of a command line, with secrets left out. */
function wordsOf(words: readonly string[]): string {
  return programWords(words, "/")
    .map(({ shown }) => quoted(shown))
    .join(" ")
}

function quoted(word: string): string {
  return /^[\w@%+=:,./…()?&$*~-]+$/.test(word) ? word : unambiguousJson(word)
}

function notesOf({ found, servers, edit }: PlannedFile): readonly string[] {
  if (edit === null) return []
  const isShared = found.file.root === "project" && servers.some(({ becomes }) => becomes === "addressed")
  const { allow } = found.file
  const asked = servers
    .filter(({ becomes }) => becomes === "wrapped" || becomes === "addressed")
    .flatMap(({ server }) => (allow !== undefined && asksAnyway(allow, server.name) ? [showText(server.name)] : []))
  return [
    ...(found.client.asks === undefined ? [] : [found.client.asks]),
    ...(asked.length === 0
      ? []
      : [
          `${found.client.title} asks about ${asked.join(", ")} as well: a rule for that name could allow another server's tool.`,
        ]),
    ...(isShared ? [`The token is read from ${tokenVariable}: set it where you start ${found.client.title}.`] : []),
  ]
}

/** Whether there is anything to do. */
export function hasWork(plan: SetupPlan): boolean {
  return plan.files.some(({ edit, allow }) => edit !== null || allow !== null)
}

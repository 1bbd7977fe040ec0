import { dirname } from "node:path"
import { bindVerdict, type Client } from "@byleave/api"
import { shownName, showText } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { editConfig, type ServerConfig } from "@byleave/formats"
import { loadPolicy } from "../config/read-config.ts"
import { answerOf } from "../decide/waiting-calls.ts"
import { readUtf8 } from "../files/read-utf8.ts"
import type { Io } from "../io.ts"
import { addedServerSentence } from "../service/config/plan-change.ts"
import { startDigest, startWords } from "../service/gateway/server-start.ts"
import { probeServers } from "./probe-servers.ts"
import type { SetupHost } from "./setup-host.ts"

type EntryIo = Pick<Io, "env" | "home">
type HostIo = Pick<Io, "now" | "pause"> & EntryIo

const takeUpMs = 20_000
const lookMs = 100

/** A running service, reached as a reviewer who has shown to be there. */
export function remoteHost(client: Client, config: string, io: HostIo): SetupHost {
  return {
    config,
    unmovable: probeServers,
    addToken: async (id) => {
      const reply = await client.addToken({
        body: { id, kind: "agent", namesSessions: false, conveysDecisions: false },
      })
      if (!reply.ok && reply.problem.code === "conflict") return null
      const { secret } = answerOf(reply)
      return { id, secret }
    },
    revokeToken: async (id) => {
      const reply = await client.revokeToken({ params: { id } })
      if (!reply.ok && reply.problem.code !== "not-found") answerOf(reply)
    },
    acceptServers: (added) => acceptServers(client, { added, config }, io),
  }
}

type Added = Parameters<SetupHost["acceptServers"]>[0]

/** The servers that the person was shown, and the file they were added to. */
type Shown = { readonly added: Added; readonly config: string }

/**
 * Waits until the service has read the file, and says yes to the change if these servers are all it is about. Sentences tell of a secret no more than its
 * length, so the file is looked at as well: before the yes, and once all that it says is in force.
 */
async function acceptServers(client: Client, { added, config }: Shown, io: HostIo): Promise<string | null> {
  const shown = shownServers(added, config, io)
  const sentences = sentencesOf(added, config, io)
  const other = (): string | null => otherEntry(shown, config, io)
  const until = io.now() + takeUpMs
  while (io.now() < until) {
    const text = answerOf(await client.getPolicyText())
    const error = text.problems.find(({ severity }) => severity === "error")
    if (error !== undefined) return `The service cannot use the servers: ${error.message}`
    if (text.waiting !== null) {
      const problem = await approve(client, text.waiting, { added, sentences, other })
      if (problem !== null) return problem
    } else if (text.inForce && (await areThere(client, added))) return other()
    await io.pause(lookMs)
  }
  return "The service did not take up the servers in time. See byleave pending, and run setup again."
}

async function areThere(client: Client, added: Added): Promise<boolean> {
  const { items } = answerOf(await client.listServers())
  return added.every(({ name }) => items.some(({ id }) => id === name))
}

const notOurs = "Another change of byleave.yaml waits for approval. Decide it first: see byleave pending."

type Wanted = {
  readonly added: Added
  readonly sentences: readonly string[]
  /** Why the file does not say what was shown; null: it does. */
  readonly other: () => string | null
}

/** The verdict is bound to what was looked at here: a change that says anything else is not approved. */
async function approve(client: Client, id: string, { added, sentences, other }: Wanted): Promise<string | null> {
  const view = answerOf(await client.getApproval({ params: { id } }))
  if (view.status !== "pending") return null
  if (!isOnlyAbout(view.args, sentences)) return notOurs
  const known = await permittedBefore(client, added)
  if (known !== null) return permissionsStay(known)
  const otherwise = other()
  if (otherwise !== null) return otherwise
  const verdict = await bindVerdict(view, { kind: "approve", face: "terminal", reason: "byleave setup" })
  const { answers } = answerOf(await client.giveVerdicts({ body: { verdicts: [{ approval: id, ...verdict }] } }))
  const [answer] = answers
  return answer?.ok === false ? answer.problem.detail : null
}

/** The first of these servers whose name has permissions already: those of an earlier server, which nobody has given to this one. */
async function permittedBefore(client: Client, added: Added): Promise<string | null> {
  const { items } = answerOf(await client.listGrants())
  return (
    added.find(({ name }) => items.some(({ breadth, effect }) => breadth.server === name && effect === "allow"))
      ?.name ?? null
  )
}

function permissionsStay(name: string): string {
  const shown = showText(name)
  return `Permissions given to an earlier server called ${shown} would apply to the one that is moved. Revoke them first (byleave grants list), or call the server by another name, and run setup again.`
}

/** The sentences by which the service asks about these servers, as the person is shown them. */
export function sentencesOf(added: Added, config: string, io: EntryIo): readonly string[] {
  const words = (server: ServerConfig): string => startWords(server, dirname(config))
  return shownServers(added, config, io).map((server) => addedServerSentence(server.id, words(server)))
}

/** The servers as the entries say that the person was shown. */
function shownServers(added: Added, config: string, io: EntryIo): readonly ServerConfig[] {
  const edited = editConfig(
    "version: 1\n",
    added.map(({ name, entry }) => ({ kind: "add-server", server: name, entry })),
  )
  if (!edited.ok) return []
  return serversIn(edited.text, config, io)
}

/** Which server stands in the file otherwise than it was shown, as a sentence; null: none. */
function otherEntry(shown: readonly ServerConfig[], config: string, io: HostIo): string | null {
  const inFile = serversIn(readUtf8(config) ?? "", config, io)
  const startOf = (server: ServerConfig): string => startDigest(server, dirname(config), "", nodeHasher)
  const starts = new Map(inFile.map((server) => [server.id, startOf(server)]))
  const other = shown.find((server) => starts.get(server.id) !== startOf(server))
  if (other === undefined) return null
  return `${config} has another entry for ${shownName(other.id)} by now than the one you were shown. Look at it; if you did not write it, remove it. Then run setup again.`
}

/** Other servers may need variables that this process does not have. */
function serversIn(text: string, config: string, { env, home }: EntryIo): readonly ServerConfig[] {
  const loaded = loadPolicy(text, config, { cwd: dirname(config), env, home })
  return loaded.ok ? loaded.config.servers : []
}

function isOnlyAbout(args: unknown, sentences: readonly string[]): boolean {
  const { widens, servers } = args as { readonly widens?: unknown; readonly servers?: unknown }
  if (!Array.isArray(widens) || widens.length > 0) return false
  if (!Array.isArray(servers) || servers.length === 0 || servers.length !== sentences.length) return false
  return sentences.every((sentence) => servers.includes(sentence))
}

import { dirname } from "node:path"
import { bindVerdict, type Client } from "@byleave/api"
import { showText } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { editConfig, loadConfig } from "@byleave/formats"
import { answerOf } from "../decide/waiting-calls.ts"
import type { Io } from "../io.ts"
import { addedServerSentence } from "../service/config/plan-change.ts"
import { startWords } from "../service/gateway/server-start.ts"
import { probeServers } from "./probe-servers.ts"
import type { SetupHost } from "./setup-host.ts"

type HostIo = Pick<Io, "now" | "pause" | "env" | "home">

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
    acceptServers: (added) => acceptServers(client, added, sentencesOf(added, config, io), io),
  }
}

type Added = Parameters<SetupHost["acceptServers"]>[0]

/** Waits until the service has read the file, and says yes to the change if these servers are all it is about. */
async function acceptServers(
  client: Client,
  added: Added,
  sentences: readonly string[],
  io: HostIo,
): Promise<string | null> {
  const until = io.now() + takeUpMs
  while (io.now() < until) {
    const text = answerOf(await client.getPolicyText())
    const error = text.problems.find(({ severity }) => severity === "error")
    if (error !== undefined) return `The service cannot use the servers: ${error.message}`
    if (text.waiting !== null) {
      const problem = await approve(client, text.waiting, added, sentences)
      if (problem !== null) return problem
    } else if (text.inForce && (await areThere(client, added))) return null
    await io.pause(lookMs)
  }
  return "The service did not take up the servers in time. See byleave pending, and run setup again."
}

async function areThere(client: Client, added: Added): Promise<boolean> {
  const { items } = answerOf(await client.listServers())
  return added.every(({ name }) => items.some(({ id }) => id === name))
}

const notOurs = "Another change of byleave.yaml waits for approval. Decide it first: see byleave pending."

/** The verdict is bound to what was looked at here: a change that says anything else is not approved. */
async function approve(client: Client, id: string, added: Added, sentences: readonly string[]): Promise<string | null> {
  const view = answerOf(await client.getApproval({ params: { id } }))
  if (view.status !== "pending") return null
  if (!isOnlyAbout(view.args, sentences)) return notOurs
  const known = await permittedBefore(client, added)
  if (known !== null) return permissionsStay(known)
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

/** The sentences by which the service asks about these servers, as the person is shown them; made from their entries. */
export function sentencesOf(
  added: Added,
  config: string,
  { env, home }: Pick<HostIo, "env" | "home">,
): readonly string[] {
  const edited = editConfig(
    "version: 1\n",
    added.map(({ name, entry }) => ({ kind: "add-server", server: name, entry })),
  )
  if (!edited.ok) return []
  const folder = dirname(config)
  const options = { name: config, folder, env, hasher: nodeHasher, purpose: "start" as const }
  const loaded = loadConfig(edited.text, home === undefined ? options : { ...options, home })
  if (!loaded.ok) return []
  return loaded.config.servers.map((server) => addedServerSentence(server.id, startWords(server, folder)))
}

function isOnlyAbout(args: unknown, sentences: readonly string[]): boolean {
  const { widens, servers } = args as { readonly widens?: unknown; readonly servers?: unknown }
  if (!Array.isArray(widens) || widens.length > 0) return false
  if (!Array.isArray(servers) || servers.length === 0 || servers.length !== sentences.length) return false
  return sentences.every((sentence) => servers.includes(sentence))
}

import type { Change, Gate } from "@byleave/core"
import type { Config, ServerConfig } from "@byleave/formats"
import type { Gateway } from "@byleave/gateway"
import type { ConfigText, Credentials } from "@byleave/server"
import { keepConfigText } from "../../config/kept-config.ts"
import { gatewayServers } from "../gateway/gateway-servers.ts"
import { type ServiceBase, surroundingsOf } from "../service-base.ts"
import { listedTools } from "../start-report.ts"
import { shownTextOf } from "./accepted-text.ts"
import { openConfigText } from "./config-text.ts"
import { followFile } from "./follow-file.ts"
import { type ConfigKeeper, keepConfig, textOfInForce } from "./keep-config.ts"
import { type LoadedFile, loadFile } from "./load-file.ts"
import { pinProblem } from "./pin-problem.ts"
import { type InForce, secretsInForce } from "./plan-change.ts"
import { type Start, textVersions } from "./starting-config.ts"

type ReadFile = Extract<LoadedFile, { ok: true }>

export type KeptFile = {
  /** As it was read at the start. */
  readonly loaded: ReadFile
  readonly start: Start
  readonly read: (config: Config) => InForce
  readonly wordsOf: (server: ServerConfig) => string
  readonly gate: Gate
  readonly gateway: Gateway
  readonly credentials: Credentials
}

/** Puts what the file says into force, follows its edits, and lets people read and write it. */
export async function keepFile(
  base: ServiceBase,
  { loaded, start, read, wordsOf, gate, gateway, credentials }: KeptFile,
): Promise<{ readonly keeper: ConfigKeeper; readonly configText: ConfigText }> {
  const { file, io, live, opened, redactor, log, onTrouble, atEnd } = base
  const { store, documents, isShared } = opened
  const surroundings = surroundingsOf(base)
  const apply = async (next: InForce) => {
    redactor.learn(secretsInForce(next))
    live.inForce = next
    // Before servers are replaced, which may fail: what was in force is none the less in force no more.
    keepText(base, read, kept)
    return { ended: gateway.replaceServers(gatewayServers(next, surroundings)) }
  }
  let kept: ConfigKeeper | null = null
  const keeper = await keepConfig(start.now, start.accepted, {
    gate,
    store,
    documents,
    apply,
    wordsOf,
    log: log.info,
    onTrouble,
  })
  kept = keeper
  live.followPolicy = keeper.followPolicy
  atEnd(keeper.stop)
  const versionOf = await textVersions(documents)
  const textOf = (found: ReadFile) =>
    isShared ? null : shownTextOf(found, redactor.besides(found.config.secrets), versionOf)
  await keeper.propose(start.proposed, file, textOf(loaded))
  keepText(base, read, keeper)
  const whyNoPin = (next: InForce) => pinProblem(keeper.inForce().settings, next.settings, credentials)
  const onProblems: ServiceBase["onProblems"] = (error, problems) => {
    base.onProblems(error, problems)
    keeper.withdraw().catch(onTrouble)
  }
  const following = followFile({
    ...{ file, text: loaded.text, templates: loaded.templates, io, onTrouble, onProblems },
    onEdit: () => void store.commit(fileEdited(store.now(io.now()))).catch(onTrouble),
    onConfig: async (edited) => {
      const next = read(edited.config)
      const why = await whyNoPin(next)
      if (why !== null) return onProblems(`${file}: ${why} The previous configuration stays in effect.`, [])
      await keeper.propose(next, file, textOf(edited))
      keepText(base, read, keeper)
    },
  })
  atEnd(following.stop)
  const configText = openConfigText({
    ...{ file, io, isShared, keeper, redactor, read, versionOf, whyNoPin },
    catalogue: () => listedTools(gateway),
    know: (known) => {
      following.know(known)
      keepText(base, read, keeper)
    },
  })
  return { keeper, configText }
}

/**
 * Writes down which text of the file is in force, for commands that need its rules while no service runs. It is read once more: what is there by now may be
 * another edit. Where replicas share the store, the policy lives there, and no text of the file is.
 */
function keepText(base: ServiceBase, read: KeptFile["read"], keeper: ConfigKeeper | null): void {
  if (keeper === null) return
  const { data, file, io, opened } = base
  try {
    const found = loadFile(file, io)
    const isInForce = found.ok && !keeper.holdsBack(read(found.config))
    const whole = isInForce ? { ...found, policy: found.config.policy.version } : null
    const inForce = opened.isShared ? null : textOfInForce(keeper.inForce())
    keepConfigText(data, opened.keys.digestKey, file, { whole, inForce })
  } catch (cause) {
    base.onTrouble(cause)
  }
}

/** Pages that show the file look again. */
function fileEdited(at: number): Change {
  return { at, records: [], events: [{ type: "document.changed", subject: "policy/file" }], durability: "soon" }
}

import type { ServerConfig } from "@byleave/formats"
import { ownConfig } from "../config/find-config.ts"
import { loadPolicy } from "../config/read-config.ts"
import type { Io } from "../io.ts"
import { readServiceFile } from "../reach/service-file.ts"
import { findClientFiles, readTextFile, type SetupMachine } from "./client-files.ts"
import { leadsOutOf } from "./leads-out.ts"
import { steeringVariable, whyNotOwn } from "./own-wrap.ts"
import { type PlanOptions, planSetup, type SetupPlan } from "./plan-setup.ts"
import { sentencesOf } from "./remote-host.ts"
import { dataWords, setupProgram } from "./setup-program.ts"
import { readRecord } from "./setup-record.ts"

export type SetupLook = {
  readonly data: string
  readonly io: Pick<Io, "env" | "home" | "platform" | "cwd">
  readonly machine: SetupMachine
  /** The client that is meant; null: all. */
  readonly only: string | null
  /** The running service's origin; null where none runs. */
  readonly url: string | null
}

/** The placeholder for a token that does not exist yet. */
const futureToken = "byl_agent_…"

/** Looks at the clients' files and says what setup would do with them. Writes nothing. */
export function lookAround({ data, io, machine, only, url }: SetupLook): SetupPlan {
  const tokens = new Map(readRecord(data).tokens.map(({ client, secret }) => [client, secret]))
  const service = readServiceFile(data)
  const origin = new URL(url ?? service?.url ?? "http://127.0.0.1:7337").origin
  const config = service?.config ?? ownConfig(data)
  const options: PlanOptions = {
    machine,
    program: setupProgram(io),
    whyNotOwn: (wrapped) => whyNotOwn(wrapped, { io, data, url: origin }),
    steeringVariable: (started) => steeringVariable(started, data),
    dataWords: dataWords(data, io),
    url: origin,
    configured: configuredIn(config, io),
    changeOf: (name, entry) => sentencesOf([{ name, entry }], config, io)[0] ?? null,
    leadsOut: (path) => machine.cwd === null || leadsOutOf(machine.cwd, path),
    tokenOf: (client) => tokens.get(client) ?? futureToken,
    textOf: readOnce(),
  }
  return planSetup(findClientFiles(machine, only), options)
}

/** Texts of files, each as it was when it was first asked for. */
function readOnce(): PlanOptions["textOf"] {
  const texts = new Map<string, string | null>()
  return (path) => {
    const text = texts.has(path) ? (texts.get(path) ?? null) : readTextFile(path)
    texts.set(path, text)
    return text
  }
}

/** The servers of a configuration; none where it cannot be read, which the service reports. */
function configuredIn(path: string, io: SetupLook["io"]): readonly ServerConfig[] {
  const text = readTextFile(path)
  const loaded = text === null ? null : loadPolicy(text, path, io)
  return loaded?.ok === true ? loaded.config.servers : []
}

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { ownConfig, starterConfig } from "../config/find-config.ts"
import { openDataFolder } from "../files/data-folder.ts"
import { type FolderLock, takeFolderLock } from "../files/folder-lock.ts"
import { keepPrivate } from "../files/private-file.ts"
import { readKeptStore } from "../store/kept-store.ts"
import { ownHome } from "../wrap/home-variables.ts"
import { type FoundService, findService, type NotFound } from "./find-service.ts"
import { isRunning, launchService } from "./launch-service.ts"
import { serviceEnvironment } from "./service-environment.ts"

export type StartOptions = {
  readonly data: string
  readonly env: ReadonlyMap<string, string>
  /** Told once when this process is the one that starts it. */
  readonly onStarting?: () => void
  readonly timeoutMs?: number
}

const lookMs = 50

/**
 * The service of a data folder, started in the background when none runs. Of all who ask at once one starts it and the
 * others wait. It goes on when this process ends, however that happens.
 */
export async function startService(options: StartOptions): Promise<FoundService | NotFound> {
  const { data, timeoutMs = 30_000 } = options
  openDataFolder(data)
  const giveUp = Date.now() + timeoutMs
  for (;;) {
    const found = await findService({ data })
    if ("url" in found || (found.code === "busy" && Date.now() > giveUp)) return found
    const lock = found.code === "busy" ? null : takeFolderLock(data, "starting")
    if (lock !== null) return startLocked(options, lock, giveUp)
    if (Date.now() > giveUp) return tooSlow(data)
    await delay(lookMs)
  }
}

async function startLocked(options: StartOptions, lock: FolderLock, giveUp: number): Promise<FoundService | NotFound> {
  try {
    // The process that had the lock before may have started it.
    const found = await findService({ data: options.data })
    if ("url" in found) return found
    options.onStarting?.()
    return await untilFound(options.data, await launch(options), giveUp)
  } finally {
    lock.free()
  }
}

function launch({ data, env }: StartOptions): Promise<number | null> {
  const config = ownConfig(data)
  if (!existsSync(config)) keepPrivate(config, () => starterConfig)
  return launchService({
    args: ["--data", data, "--config", config, "--or-any-port"],
    cwd: data,
    env: serviceEnvironment(env, readFileSync(config, "utf8"), process.platform, readKeptStore(data), accountHome()),
    log: logOf(data),
  })
}

/** Null: the system knows no such folder, as in some containers; then what the client says is all there is. */
function accountHome(): string | null {
  const home = ownHome()
  return home !== null && existsSync(home) ? home : null
}

const logOf = (data: string) => join(data, "service.log")

async function untilFound(data: string, service: number | null, giveUp: number): Promise<FoundService | NotFound> {
  while (Date.now() < giveUp) {
    const found = await findService({ data })
    if ("url" in found) return found
    if (service === null || !isRunning(service)) return failed(data)
    await delay(lookMs)
  }
  return tooSlow(data)
}

function failed(data: string): NotFound {
  const said = readFileSync(logOf(data), "utf8").trim().split("\n").slice(-5).join("\n")
  return { code: "not-running", missing: `The service could not be started. Its output:\n${said}` }
}

function tooSlow(data: string): NotFound {
  const missing = `The service for ${data} did not respond in time. See ${logOf(data)}, or start it with \`byleave serve\`.`
  return { code: "not-running", missing }
}

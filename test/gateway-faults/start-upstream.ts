import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { UpstreamTransport } from "@byleave/gateway"
import { compileCache } from "../../packages/gateway/src/upstream/fixtures/compile-cache.ts"

export const upstreamFile = fileURLToPath(new URL("./counting-upstream.ts", import.meta.url))

/** Where a counting server leaves its counts, and how it is steered. */
export type Counting = {
  readonly log: string
  readonly transport: UpstreamTransport
  readonly steer: (deed: "state" | "release" | "change") => Promise<Record<string, number>>
  readonly stop: () => Promise<void>
}

/** Started by the gateway, as a child of its own; steered wherever it is now. */
export function stdioUpstream(folder: string): Counting {
  return {
    log: join(folder, "dispatches.log"),
    transport: {
      kind: "stdio",
      command: process.execPath,
      args: [upstreamFile, "stdio", folder],
      env: new Map(Object.entries({ PATH: process.env.PATH ?? "", ...compileCache })),
      cwd: folder,
    },
    steer: (deed) => steer(folder, deed),
    stop: async () => {},
  }
}

/** A process of its own, which outlives every gateway. */
export async function httpUpstream(folder: string): Promise<Counting> {
  rmSync(join(folder, "control"), { force: true })
  const child = spawn(process.execPath, [upstreamFile, "http", folder], { stdio: ["pipe", "ignore", "inherit"] })
  while (!existsSync(join(folder, "control"))) await sleep(20)
  return {
    log: join(folder, "dispatches.log"),
    transport: { kind: "http", url: whereIs(folder).url ?? "", headers: new Map() },
    steer: (deed) => steer(folder, deed),
    stop: () => ended(child),
  }
}

export function urlOf({ transport }: Counting): string {
  if (transport.kind === "stdio") throw new Error("This one is not reached over HTTP.")
  return transport.url
}

type Where = { readonly control: string; readonly url: string | null }

function whereIs(folder: string): Where {
  return JSON.parse(readFileSync(join(folder, "control"), "utf8")) as Where
}

async function steer(folder: string, deed: string): Promise<Record<string, number>> {
  const response = await fetch(`${whereIs(folder).control}/${deed}`)
  return (await response.json()) as Record<string, number>
}

/** Kills it and waits until it is gone. */
export function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGKILL")
  })
}

import { type Client, createClient, type DeviceKey, deviceKeyFrom, signProof } from "@byleave/api"
import type { Io } from "../io.ts"
import type { FoundService } from "./find-service.ts"
import { hasSealedKey, openSealedKey, readClearKey, type TerminalKey } from "./terminal-keys.ts"

export type Connected = { readonly client: Client; readonly reviewer: string } | { readonly problem: string }

const tries = 3

/**
 * Speaks with the service as the reviewer of this data folder. `looking` may look and deny; `present` may approve, and
 * asks for the PIN on the terminal unless the service needs none.
 */
export async function connect(found: FoundService, as: "looking" | "present", io: Io): Promise<Connected> {
  const needsPin = as === "present" && found.hello.presence === "pin"
  const key = needsPin ? await presentKey(found.data, io) : (readClearKey(found.data) ?? { problem: noKey })
  if ("problem" in key) return key
  return { client: clientFor(found.url, await deviceKeyFrom(key.jwk), io.now), reviewer: key.reviewer }
}

export function clientFor(url: string, key: DeviceKey, now: () => number): Client {
  return createClient({ url, sign: ({ method, url, body }) => signProof({ key, method, url, body, now: now() }) })
}

const noKey = "This data folder has no reviewer key. Run `byleave init` first."

async function presentKey(data: string, io: Io): Promise<TerminalKey | { readonly problem: string }> {
  if (!hasSealedKey(data)) return { problem: noKey }
  for (let left = tries; left > 0; left--) {
    const opened = await io.askSecret("PIN: ", async (pin) => ({ key: await openSealedKey(data, pin) }))
    if (opened === null)
      return {
        problem:
          "No PIN was entered, so nothing was done. Type it in a terminal; it cannot be passed by pipe or argument.",
      }
    const { key } = opened
    if (key === undefined) return { problem: noKey }
    if (key !== null) return key
    io.stderr.write("Wrong PIN.\n")
  }
  return { problem: "Wrong PIN three times. Try again later." }
}

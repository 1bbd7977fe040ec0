import type { webcrypto } from "node:crypto"
import { newDeviceKey } from "@byleave/api"
import type { Credentials } from "@byleave/server"
import { readClearKey, removeSealedKey, writeClearKey, writeSealedKey } from "./terminal-keys.ts"

/** Gives this data folder its two keys, in place of those it had: one that looks and denies, one that the PIN opens. */
export async function registerTerminal(
  credentials: Credentials,
  data: string,
  reviewer: string,
  pin: string | null,
): Promise<void> {
  const old = readClearKey(data)?.devices ?? []
  const clear = await register(credentials, reviewer, "terminal", false)
  const sealed = pin === null ? null : await register(credentials, reviewer, "terminal, with the PIN", true)
  const devices = sealed === null ? [clear.device] : [clear.device, sealed.device]
  const keyOf = (jwk: webcrypto.JsonWebKey) => ({ version: 1 as const, reviewer, jwk, devices })
  if (sealed === null || pin === null) removeSealedKey(data)
  else await writeSealedKey(data, keyOf(sealed.jwk), pin)
  writeClearKey(data, keyOf(clear.jwk))
  for (const device of old) await credentials.revokeDevice(device, reviewer)
}

async function register(credentials: Credentials, reviewer: string, name: string, presence: boolean) {
  const key = await newDeviceKey({ extractable: true })
  const jwk = await crypto.subtle.exportKey("jwk", key.privateKey)
  const device = await credentials.addDevice({ reviewer, jwk: key.jwk, name, presence }, reviewer)
  if (typeof device !== "string") throw new Error(device.detail)
  return { device, jwk }
}

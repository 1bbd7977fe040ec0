/**
 * Pairing this browser with a service: a one-time link and the PIN register a key that cannot be taken out of the browser. A person must then approve
 * the browser in the service's Settings before it can do anything.
 */
import type { DeviceKey } from "@byleave/api"
import { createPageClient, newDeviceKey, signProof } from "@byleave/api/page"
import { changeSettings } from "../settings/settings.ts"
import { allowOrigin } from "../standalone/manage-servers.ts"
import { forgetDeviceKey, keepDeviceKey, keptDeviceKey } from "./device-key.ts"

export type PairingAnswers = { readonly link: string; readonly pin: string }

/** Rejects with words that say what is wrong; nothing is kept then. */
export async function pair({ link, pin }: PairingAnswers): Promise<void> {
  const { origin, secret } = readLink(link)
  await allowOrigin(origin)
  const key = await newDeviceKey({ extractable: false })
  const client = signedClient(origin, key)
  const body = { link: secret, jwk: key.jwk, name: "Chrome side panel", ...(pin === "" ? {} : { pin }) }
  const reply = await client.signIn({ body })
  if (!reply.ok) throw new Error(reply.problem.detail)
  await keepDeviceKey(key)
  await changeSettings((before) => ({ ...before, pairedWith: origin }))
}

export async function unpair(): Promise<void> {
  const settings = await changeSettings((before) => before)
  const key = await keptDeviceKey()
  // A service that cannot be reached forgets the key when somebody revokes it there.
  if (key !== null && settings.pairedWith !== null) {
    await signedClient(settings.pairedWith, key)
      .signOut()
      .catch(() => undefined)
  }
  await forgetDeviceKey()
  await changeSettings((before) => ({ ...before, pairedWith: null }))
}

export function signedClient(url: string, key: DeviceKey) {
  return createPageClient({
    url,
    sign: (request) => signProof({ ...request, key, now: Date.now() }),
  })
}

/** The service's address and the secret of a sign-in link. */
export function readLink(link: string): { readonly origin: string; readonly secret: string } {
  const wrong = new Error("This is not a sign-in link. It looks like http://127.0.0.1:7337/sign-in#…")
  if (!URL.canParse(link)) throw wrong
  const { origin, hash, protocol } = new URL(link)
  const secret = hash.slice(1)
  if (secret === "" || (protocol !== "http:" && protocol !== "https:")) throw wrong
  return { origin, secret }
}

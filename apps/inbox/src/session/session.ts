/**
 * Whether this browser is signed in, and as whom. The key is made here, cannot be taken out, and lies in IndexedDB; nothing about the session is
 * in a cookie or in local storage.
 */
import type { Client, Problem, SignedIn } from "@byleave/api"
import { createPageClient, newDeviceKey } from "@byleave/api/page"
import { forgetDevice, type KeptDevice, keepDevice, keptDevice } from "./kept-device.ts"
import { signedFetch } from "./signed-fetch.ts"

export type BrowserSessionState =
  | { readonly status: "starting" }
  | { readonly status: "out"; readonly why: "never" | "signed-out" | "untold" | "ended" }
  | { readonly status: "in"; readonly client: Client; readonly reviewer: string; readonly browser: string }

type SignInAnswers = { readonly link: string; readonly pin: string | null; readonly name: string }

export type BrowserSession = {
  readonly state: () => BrowserSessionState
  readonly subscribe: (listener: () => void) => () => void
  /** The secret of the link this page was opened by; null once it is used or when there was none. */
  readonly secret: () => string | null
  readonly signIn: (answers: SignInAnswers) => Promise<Problem | null>
  readonly signOut: () => Promise<void>
}

export async function openSession(options: {
  readonly url: string
  readonly secret: string | null
  readonly now: () => number
}): Promise<BrowserSession> {
  const listeners = new Set<() => void>()
  let { secret } = options
  let state: BrowserSessionState = { status: "starting" }
  const become = (next: BrowserSessionState): void => {
    state = next
    for (const tell of listeners) tell()
  }
  const end = (why: "signed-out" | "untold" | "ended"): void => {
    if (state.status !== "in") return
    become({ status: "out", why })
    void forgetDevice().catch(() => undefined)
  }
  const clientOf = (device: Pick<KeptDevice, "key">, onSignedOut: () => void): Client =>
    createPageClient({
      url: options.url,
      fetch: signedFetch({ key: device.key, fetch: (...args) => fetch(...args), now: options.now, onSignedOut }),
    })
  const enter = (device: KeptDevice): void => {
    const client = clientOf(device, () => state.status === "in" && state.client === client && end("ended"))
    become({ status: "in", client, reviewer: device.reviewer, browser: device.name })
  }

  const kept = await keptDevice().catch(() => null)
  if (kept === null) become({ status: "out", why: "never" })
  else enter(kept)

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    secret: () => secret,
    signIn: async ({ link, pin, name }) => {
      const key = await newDeviceKey({ extractable: false })
      const client = clientOf({ key }, () => undefined)
      const body = { link, jwk: key.jwk, name, ...(pin === null ? {} : { pin }) }
      const reply = await client.signIn({ body })
      if (!reply.ok) return reply.problem
      const before = state
      const device = { key, name, reviewer: (reply.value as SignedIn).reviewer.id }
      await keepDevice(device)
      secret = null
      // The key this browser had before would stay registered with nobody to use it.
      if (before.status === "in") void before.client.signOut().catch(() => undefined)
      enter(device)
      return null
    },
    signOut: async () => {
      if (state.status !== "in") return
      const { client } = state
      const told = await client.signOut().then(
        (reply) => reply.ok,
        () => false,
      )
      end(told ? "signed-out" : "untold")
    },
  }
}

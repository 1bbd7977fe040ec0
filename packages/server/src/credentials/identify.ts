/**
 * The identity behind a bearer token. Looked up for every call of an agent, so the tokens are kept in memory and read again
 * whenever access rights have changed, here or at another process.
 *
 * I1. A token of one kind opens no door of another kind's.
 * I2. A token that was revoked, here or at another process, speaks for nobody once the store has said so.
 * I3. Every agent behind a gate's token belongs to whoever owns the token.
 * I4. Where the tokens could not be read, nobody is known, and they are read again for the next.
 * I5. A token from before its name was reserved speaks for nobody.
 */
import type { TokenView } from "@byleave/api"
import type { EpochMs, Principal } from "@byleave/core"
import { allCredentials, findCredential, noteCredential } from "./credential-book.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { type Kept, writeCredential } from "./stored-credentials.ts"
import { isReserved } from "./tokens.ts"

export type AgentIdentity = { readonly principal: Principal; readonly namesSessions: boolean }
/** A program that runs agents. */
export type RunnerIdentity = {
  readonly token: string
  /** Tells it from other tokens that have had its name. */
  readonly secretId: string
  readonly createdAt: number
  readonly conveysDecisions: boolean
}
export type GateTokenIdentity = { readonly token: string; readonly owner?: string }

export type Identify = {
  readonly agent: (authorization: string | undefined) => Promise<AgentIdentity | null>
  readonly gate: (authorization: string | undefined) => Promise<GateTokenIdentity | null>
  readonly runner: (authorization: string | undefined) => Promise<RunnerIdentity | null>
  /** The runner token that has this name now. */
  readonly runnerNamed: (token: string) => Promise<RunnerIdentity | null>
  /** When the token that has this name now was added; null: there is none. */
  readonly addedAt: (token: string) => Promise<EpochMs | null>
  /** The person a principal's token belongs to. */
  readonly ownerOf: (principal: string) => Promise<string | null>
  /** Whether any token belongs to this person. */
  readonly ownsAny: (reviewer: string) => Promise<boolean>
  readonly forget: () => void
  readonly close: () => Promise<void>
}

type Known = { readonly byHash: ReadonlyMap<string, Kept<"token">>; readonly byId: ReadonlyMap<string, Kept<"token">> }

const bearer = /^Bearer (byl_(agent|gate|runner)_[\w-]{43})$/i
const coarseMs = 60 * 60_000

export function createIdentify(ports: CredentialPorts): Identify {
  let known: Promise<Known> | null = null
  const seen = new Map<string, number>()
  const noting = new Set<Promise<void>>()
  const forget = (): void => {
    known = null
  }
  const stop = ports.store.subscribe(({ type }) => {
    if (type === "access.changed") forget()
  })
  const tokens = async (): Promise<Known> => {
    known ??= readTokens(ports)
    const reading = known
    try {
      return await reading
    } catch (error) {
      if (known === reading) forget()
      throw error
    }
  }
  const note = (token: Kept<"token">): void => {
    const now = timeOf(ports)
    if (now - (seen.get(token.id) ?? token.value.lastUsedAt ?? 0) < coarseMs) return
    seen.set(token.id, now)
    const noted = noteUse(ports, token.id, now)
      .catch(() => undefined)
      .finally(() => noting.delete(noted))
    noting.add(noted)
  }
  const find = async (authorization: string | undefined, kind: TokenView["kind"]): Promise<Kept<"token"> | null> => {
    const [, secret, told] = bearer.exec(authorization ?? "") ?? []
    if (secret === undefined || told !== kind) return null
    const token = (await tokens()).byHash.get(ports.hasher.sha256(secret))
    if (token === undefined || token.value.kind !== kind || isReserved(token.id)) return null
    note(token)
    return token
  }
  return {
    agent: async (authorization) => {
      const token = await find(authorization, "agent")
      if (token === null) return null
      return { principal: { id: token.id, ...ownerIn(token) }, namesSessions: token.value.namesSessions }
    },
    gate: async (authorization) => {
      const token = await find(authorization, "gate")
      return token === null ? null : { token: token.id, ...ownerIn(token) }
    },
    runner: async (authorization) => {
      const token = await find(authorization, "runner")
      return token === null ? null : runnerOf(token)
    },
    runnerNamed: async (name) => {
      const token = (await tokens()).byId.get(name)
      return token?.value.kind === "runner" ? runnerOf(token) : null
    },
    addedAt: async (name) => (await tokens()).byId.get(name)?.value.createdAt ?? null,
    ownerOf: async (principal) => (await tokens()).byId.get(tokenOf(principal))?.value.owner ?? null,
    ownsAny: async (reviewer) => [...(await tokens()).byId.values()].some(({ value }) => value.owner === reviewer),
    forget,
    close: async () => {
      stop()
      await Promise.all(noting)
    },
  }
}

/** Principals behind a gate credential are `token:agent`; a token's name has no colon. */
export function tokenOf(principal: string): string {
  return principal.split(":", 1)[0] ?? principal
}

/** The beginning of the hash names the secret and tells nothing of it. */
const secretIdLength = 16

function runnerOf({ id, value }: Kept<"token">): RunnerIdentity {
  const { hash, createdAt, conveysDecisions = false } = value
  return { token: id, secretId: hash.slice(0, secretIdLength), createdAt, conveysDecisions }
}

function ownerIn({ value }: Kept<"token">): { readonly owner?: string } {
  return value.owner === null ? {} : { owner: value.owner }
}

async function readTokens(ports: CredentialPorts): Promise<Known> {
  const all = await allCredentials(ports, "token")
  return {
    byHash: new Map(all.map((token) => [token.value.hash, token])),
    byId: new Map(all.map((token) => [token.id, token])),
  }
}

async function noteUse(ports: CredentialPorts, id: string, now: number): Promise<void> {
  const token = await findCredential(ports, "token", id)
  if (token === null) return
  const value = { ...token.value, lastUsedAt: now - (now % coarseMs) }
  await noteCredential(ports, [writeCredential("token", id, value, { replaces: token.at })])
}

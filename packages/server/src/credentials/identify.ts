/**
 * The identity behind a bearer token. Looked up for every call of an agent, so the tokens are kept in memory and read again
 * whenever access rights have changed, here or at another process.
 *
 * I1. A token of one kind opens no door of another kind's.
 * I2. A token that was revoked, here or at another process, speaks for nobody once the store has said so.
 * I3. Every agent behind a gate's token, and every run that a runner token starts, belongs to whoever owns the token.
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
  readonly owner?: string
  readonly createdAt: number
  readonly conveysDecisions: boolean
}
export type GateTokenIdentity = { readonly token: string; readonly owner?: string }

export type Identify = {
  /** Answers at once where the tokens are in memory, as for nearly every call of an agent. */
  readonly agent: (authorization: string | undefined) => AgentIdentity | null | Promise<AgentIdentity | null>
  readonly gate: (authorization: string | undefined) => Promise<GateTokenIdentity | null>
  readonly runner: (authorization: string | undefined) => Promise<RunnerIdentity | null>
  /** The runner token that has this name now. */
  readonly runnerNamed: (token: string) => Promise<RunnerIdentity | null>
  /** When the token that has this name now was added; null: there is none. */
  readonly addedAt: (token: string) => Promise<EpochMs | null>
  /** The person a principal's token belongs to. */
  readonly ownerOf: (principal: string) => Promise<string | null>
  /** Whether any token, or any of this kind, belongs to this person. */
  readonly ownsAny: (reviewer: string, kind?: TokenView["kind"]) => Promise<boolean>
  readonly forget: () => void
  readonly close: () => Promise<void>
}

type Known = { readonly byHash: ReadonlyMap<string, Kept<"token">>; readonly byId: ReadonlyMap<string, Kept<"token">> }

const bearer = /^Bearer (byl_(agent|gate|runner)_[\w-]{43})$/i

/** For whom a request with this header is done, before it is known who that is: the same for every spelling in which its token counts. */
export function bearerReader(authorization: string): string {
  const [, secret] = bearer.exec(authorization) ?? []
  return secret === undefined ? "no token" : `token ${secret}`
}
const coarseMs = 60 * 60_000

export function createIdentify(ports: CredentialPorts): Identify {
  let known: Known | Promise<Known> | null = null
  const seen = new Map<string, number>()
  const noting = new Set<Promise<void>>()
  const { forAll = (work) => work() } = ports
  const forget = (): void => {
    known = null
  }
  const stop = ports.store.subscribe(({ type }) => {
    if (type === "access.changed") forget()
  })
  const tokens = (): Known | Promise<Known> => {
    if (known !== null) return known
    const reading = forAll(() => readTokens(ports)).then(
      (read) => {
        if (known === reading) known = read
        return read
      },
      (error: unknown) => {
        if (known === reading) forget()
        throw error
      },
    )
    known = reading
    return reading
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
  const find = (
    authorization: string | undefined,
    kind: TokenView["kind"],
  ): Kept<"token"> | null | Promise<Kept<"token"> | null> => {
    const [, secret, told] = bearer.exec(authorization ?? "") ?? []
    if (secret === undefined || told !== kind) return null
    const among = ({ byHash }: Known): Kept<"token"> | null => {
      const token = byHash.get(ports.hasher.sha256(secret))
      if (token === undefined || token.value.kind !== kind || isReserved(token.id)) return null
      note(token)
      return token
    }
    const all = tokens()
    return all instanceof Promise ? all.then(among) : among(all)
  }
  return {
    agent: (authorization) => {
      const found = find(authorization, "agent")
      return found instanceof Promise ? found.then(agentOf) : agentOf(found)
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
    ownsAny: async (reviewer, kind) =>
      [...(await tokens()).byId.values()].some(
        ({ value }) => value.owner === reviewer && (kind === undefined || value.kind === kind),
      ),
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

function agentOf(token: Kept<"token"> | null): AgentIdentity | null {
  if (token === null) return null
  return { principal: { id: token.id, ...ownerIn(token) }, namesSessions: token.value.namesSessions }
}

function runnerOf(token: Kept<"token">): RunnerIdentity {
  const { hash, createdAt, conveysDecisions = false } = token.value
  return { token: token.id, secretId: hash.slice(0, secretIdLength), ...ownerIn(token), createdAt, conveysDecisions }
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

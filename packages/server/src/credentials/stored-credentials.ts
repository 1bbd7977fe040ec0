import { publicJwk } from "@byleave/api"
import type { JsonObject, StoredDocument } from "@byleave/core"
import { z } from "zod"

// The stored form of credentials. An unknown version is refused, never guessed at.
const version = z.literal(1)
const time = z.number()

const token = z.object({
  version,
  kind: z.enum(["agent", "gate", "runner"]),
  /** SHA-256 of the secret; 32 random bytes need no salt. */
  hash: z.string(),
  owner: z.string().nullable(),
  namesSessions: z.boolean(),
  /** Of runners; absent: it does not. */
  conveysDecisions: z.boolean().exactOptional(),
  createdAt: time,
  createdBy: z.string().nullable(),
  lastUsedAt: time.nullable(),
})

const reviewer = z.object({
  version,
  name: z.string(),
  groups: z.array(z.string()),
  pin: z.string().nullable(),
  createdAt: time,
  createdBy: z.string().nullable(),
})

/** By the thumbprint of its key. */
const device = z.object({
  version,
  reviewer: z.string(),
  jwk: publicJwk,
  name: z.string(),
  kind: z.enum(["browser", "terminal"]).exactOptional(),
  presence: z.boolean(),
  /** Of an extension: the origin that it was registered from; absent: a page of the service itself, or a terminal. */
  origin: z.string().exactOptional(),
  /** Who approved that origin; absent: nobody yet, so that it may do nothing. */
  approved: z.object({ by: z.string(), at: time }).exactOptional(),
  createdAt: time,
  lastSeenAt: time.nullable(),
})

/** By the hash of the link. */
const signIn = z.object({ version, reviewer: z.string(), mintedBy: z.string().nullable() })

/** By reviewer. */
const pinTries = z.object({ version, failures: z.number(), lastAt: time })

const schemas = { token, reviewer, device, "sign-in": signIn, "pin-tries": pinTries } as const
export type CredentialKind = keyof typeof schemas
export type Stored<Kind extends CredentialKind> = z.infer<(typeof schemas)[Kind]>
/** With its id and the version of the document that holds it. */
export type Kept<Kind extends CredentialKind> = {
  readonly id: string
  readonly at: number
  readonly value: Stored<Kind>
}

/** Null where it does not read: such a credential opens nothing. */
export function readCredential<Kind extends CredentialKind>(kind: Kind, document: StoredDocument): Kept<Kind> | null {
  const parsed = schemas[kind].safeParse(document.value)
  return parsed.success ? { id: document.id, at: document.version, value: parsed.data as Stored<Kind> } : null
}

export function writeCredential<Kind extends CredentialKind>(
  kind: Kind,
  id: string,
  value: Stored<Kind>,
  { replaces = null, expiresAt = null }: { readonly replaces?: number | null; readonly expiresAt?: number | null } = {},
) {
  const put = { kind, id, version: (replaces ?? 0) + 1, value: value as unknown as JsonObject, expiresAt }
  return { put, replaces }
}

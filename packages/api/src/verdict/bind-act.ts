/**
 * The digest that an act on permissions, on a session or on a definition is bound to, as a verdict is to its call (`bind-verdict.ts`):
 * the program that shows them computes it from what it shows, and the service from what it holds. For pages, too: no schemas here.
 *
 * I1. Another answer than was shown, one more or one less, or the same for somebody else or with other conditions or another end, gives
 *     another digest.
 * I2. So does a session of another agent or name, in another mode, or with something else refused or remembered in it.
 * I3. So does another definition on either side of a difference, in its words as well, however deep pins go; and one side more or less.
 */
import {
  canonicalJson,
  describeRemembered,
  type JsonObject,
  levelOfGrant,
  type ToolDefinition,
  type ToolRef,
} from "@byleave/core"
import { sha256 } from "../client/sha256.ts"
import type { GrantView } from "../views/grant-view.ts"
import type { PinView } from "../views/server-view.ts"
import type { SessionView } from "../views/session-view.ts"

/** A remembered answer as it is shown; a `GrantView` is one. */
export type ShownGrant = Pick<
  GrantView,
  "id" | "effect" | "breadth" | "session" | "agent" | "starter" | "until" | "usesLeft"
>

/** A session as it is shown; a `SessionView` is one. */
export type ShownSession = Pick<
  SessionView,
  "principal" | "id" | "named" | "label" | "client" | "folder" | "firstCall" | "mode" | "modeUntil" | "refused"
> & { readonly grants: readonly ShownGrant[] }

/** A definition that waits to be accepted, and the accepted one it is compared with; null: there is none. */
export type ShownDefinitions = {
  readonly server: string
  readonly tool: string
  readonly of: PinView["of"]
  readonly accepted: ToolDefinition | null
  readonly proposed: ToolDefinition | null
}

/** A remembered answer in words made here, from the data it is bound to. Show these, and not the words that came with it. */
export function grantAsShown(grant: GrantView, now: number): GrantView {
  return { ...grant, ...describeRemembered(grant, { now }), level: levelOfGrant(grant) }
}

/** A session with what is remembered for it in such words. */
export function sessionAsShown(session: SessionView, now: number): SessionView {
  return { ...session, grants: session.grants.map((grant) => grantAsShown(grant, now)) }
}

/** Remembered answers as they are shown, in one text, independent of their order. */
export function shownGrantsText(grants: readonly ShownGrant[]): string {
  return canonicalJson({ version: 1, grants: grantMembers(grants) })
}

export function shownSessionText(session: ShownSession): string {
  const { principal, id, named, label, client, folder, firstCall, mode, modeUntil, refused, grants } = session
  return canonicalJson({
    ...{ version: 1, principal, session: id, named, label, client, folder, mode, modeUntil },
    firstCall: firstCall === null ? null : toolMembers(firstCall),
    refused: refused.map(toolMembers),
    grants: grantMembers(grants),
  })
}

export function shownDefinitionsText({ server, tool, of, accepted, proposed }: ShownDefinitions): string {
  return canonicalJson({ version: 1, server, tool, of, accepted, proposed })
}

function grantMembers(grants: readonly ShownGrant[]): JsonObject[] {
  return grants
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, effect, breadth, session, agent, starter, until, usesLeft }) => ({
      grant: id,
      effect,
      breadth: breadth as JsonObject,
      session: session === undefined ? null : [session.principal, session.id],
      ...(agent === undefined ? {} : { agent }),
      ...(starter === undefined ? {} : { starter }),
      until: until ?? null,
      // How many are left changes with each call; that they are counted does not.
      isCounted: usesLeft !== undefined,
    }))
}

function toolMembers({ server, tool }: ToolRef): JsonObject {
  return { server, tool }
}

/** The digest that forgetting or changing permissions is bound to. */
export function grantsDigest(grants: readonly ShownGrant[]): Promise<string> {
  return sha256(shownGrantsText(grants))
}

/** The digest that a change of a session is bound to. */
export function sessionDigest(session: ShownSession): Promise<string> {
  return sha256(shownSessionText(session))
}

/** The body that accepts a definition as it is shown. */
export async function bindAcceptance(pin: PinView) {
  const of = pin.of === "server" ? { server: pin.server } : { server: pin.server, tool: pin.tool }
  return { ...of, fingerprint: pin.proposed?.fingerprint ?? "", digest: await definitionsDigest(pin) }
}

/** The digest that accepting a definition is bound to: both sides of the difference that is shown. */
export function definitionsDigest({ server, tool, of, accepted, proposed }: PinView): Promise<string> {
  const named = (whole: JsonObject): ToolDefinition => ({ ...whole, name: tool })
  return sha256(
    shownDefinitionsText({
      ...{ server, tool, of },
      accepted: accepted === null ? null : named(accepted.whole),
      proposed: proposed === null ? null : named(proposed.whole),
    }),
  )
}

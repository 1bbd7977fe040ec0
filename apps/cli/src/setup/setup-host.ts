import type { ServerMove } from "./plan-setup.ts"

/** The service that setup works for, as far as it is needed. Whoever makes one has made sure that a person is there. */
export type SetupHost = {
  /** Adds a token without an owner; null where the name is taken. */
  readonly addToken: (id: string) => Promise<{ readonly id: string; readonly secret: string } | null>
  /** Does nothing where it is gone. */
  readonly revokeToken: (id: string) => Promise<void>
  /** The path of the configuration in use. */
  readonly config: string
  /** Says why some of these servers cannot be moved, by address. */
  readonly unmovable: (moves: readonly ServerMove[]) => Promise<ReadonlyMap<string, string>>
  /** Has the edited configuration, in which these servers are new, taken up. A sentence says why it was not. */
  readonly acceptServers: (added: ReadonlyArray<Pick<ServerMove, "name" | "entry">>) => Promise<string | null>
}

/** A setup that cannot go on, in a sentence that says what to do. */
export class SetupRefused extends Error {
  override readonly name = "SetupRefused"
}

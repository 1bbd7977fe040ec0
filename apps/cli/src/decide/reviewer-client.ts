import type { Client } from "@byleave/api"

/** A reviewer's place at the terminal. */
export type ReviewerClient = {
  readonly url: string
  /** May look, and deny. */
  readonly client: Client
  /** May approve as well: asks for the PIN the first time, on the terminal alone. Rejects with a `Refused` when it is wrong. */
  readonly present: () => Promise<Client>
}

/** A command that cannot go on, in a sentence; `code` is its exit code. */
export class RefusedByService extends Error {
  override readonly name = "Refused"
  readonly code: 1 | 2 | 3
  constructor(code: 1 | 2 | 3, message: string) {
    super(message)
    this.code = code
  }
}

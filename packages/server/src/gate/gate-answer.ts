import type { KeptBody } from "./kept-body.ts"

const problems = {
  "wrong-credential": [401, "This endpoint needs a gate credential. Use the token of `byleave tokens add --gate`."],
  "not-yours": [403, "The service already has a server with this name. Give yours another name."],
  "not-decided-here": [403, "This call cannot be decided in the client. Decide in the inbox or the terminal."],
  "too-large": [413, "The body is too large. Send less."],
  "too-many": [409, "This credential has reached its limit of servers or tools."],
  "name-taken": [409, "Another credential uses this server name. Give yours another name."],
  "too-busy": [429, "This credential has too much open or waiting here. Try again in a moment."],
  "bad-body": [400, "The body is invalid for this endpoint."],
  "not-found": [404, "Nothing with that name is available to this credential."],
  "needs-upgrade": [426, "This address is for persistent connections: request an upgrade."],
  failed: [500, "Internal error. See the service's log for details."],
} as const satisfies Record<string, readonly [number, string]>

/** The answer of a route of the gate, for any transport: at once, or line by line as things happen. */
export type GateAnswer =
  | { readonly status: number; readonly value: object }
  | { readonly follow: (listener: GateListener) => Promise<void> }

/** A program elsewhere, for as long as its connection lasts. `bytes`: of its request's body, where that is counted; else none. */
export type GateListener = KeptBody & {
  readonly say: (line: object) => void
  readonly isGone: () => boolean
  /** At once, if it is gone already. Gives back what ends the wait for it. */
  readonly whenGone: (then: () => void) => () => void
}

/** A refusal of the gate's doors. */
export function problem(
  code: keyof typeof problems,
  detail?: string,
): Extract<GateAnswer, { readonly status: number }> {
  const [status, title] = problems[code]
  return { status, value: { type: "about:blank", status, code, title, detail: detail ?? title } }
}

export function given(value: object): GateAnswer {
  return { status: 200, value }
}

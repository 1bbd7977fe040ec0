const problems = {
  "wrong-credential": [401, "This door needs a gate credential. Use the token of `byleave tokens add --gate`."],
  "not-yours": [403, "The service reaches a server of this name itself. Give yours another name."],
  "not-decided-here": [
    403,
    "An answer given in the client does not count for this call. Decide in the inbox or at the terminal.",
  ],
  "too-large": [413, "The body is larger than what is taken here. Send less."],
  "too-many": [409, "This credential has as much here as it may."],
  "bad-body": [400, "The body is not what this door takes."],
  "not-found": [404, "There is nothing of that name for this credential."],
  "needs-upgrade": [426, "This address is for connections that stand: ask to upgrade it."],
  failed: [500, "Something went wrong here. The service's log says what."],
} as const satisfies Record<string, readonly [number, string]>

/** What a door of the gate says, whichever way it was knocked at: at once, or line by line as things happen. */
export type GateAnswer =
  | { readonly status: number; readonly value: object }
  | { readonly follow: (listener: Listener) => Promise<void> }

/** A program elsewhere, for as long as its connection lasts. */
export type Listener = {
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

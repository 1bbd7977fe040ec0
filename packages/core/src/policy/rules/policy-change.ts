export type PolicyChange = {
  readonly about: "rule" | "classify" | "server" | "limit" | "mode" | "default" | "setting"
  /** The change in words, for the person who accepts it. */
  readonly sentence: string
  /** The rule's text, where it is one that came or went. */
  readonly rule?: string
}

export type SidedChange = PolicyChange & { readonly tightens: boolean }

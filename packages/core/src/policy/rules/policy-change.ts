import type { JsonObject } from "../../call/json/json.ts"

export type PolicyChange = {
  readonly about: "rule" | "classify" | "server" | "limit" | "mode" | "default" | "setting"
  /** The change in words, for the person who accepts it. */
  readonly sentence: string
  /** The rule's text, where it is one that came or went. */
  readonly rule?: string
  /** Values that are masked in both, each under the names it is compared with; absent: none is. */
  readonly hidden?: readonly JsonObject[]
}

export type SidedChange = PolicyChange & { readonly tightens: boolean }

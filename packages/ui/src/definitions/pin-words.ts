import type { PinView } from "@byleave/api"

/** One word for how a definition stands. */
export const pinWords = {
  accepted: { word: "Accepted", tone: "plain" },
  changed: { word: "Changed", tone: "wait" },
  new: { word: "New", tone: "wait" },
  rejected: { word: "Rejected", tone: "no" },
  quarantined: { word: "Quarantined", tone: "no" },
  unpinned: { word: "Not pinned", tone: "plain" },
} as const satisfies Record<PinView["state"], { readonly word: string; readonly tone: string }>

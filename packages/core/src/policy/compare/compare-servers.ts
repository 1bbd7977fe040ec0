import type { PinDepth } from "../../call/definition/tool-definition.ts"
import { shownName, wholeName } from "../../call/text/quoted.ts"
import { globCovers } from "../conditions/glob.ts"
import type { SidedChange } from "../rules/policy-change.ts"
import type { Policy, ServerPolicy } from "../rules/rule.ts"
import { serverIn } from "../server-policy.ts"

export function compareServers(before: Policy, after: Policy): readonly SidedChange[] {
  const ids = new Set([...before.servers, ...after.servers].map(({ id }) => id))
  return [...ids].flatMap((id) => compareServer(serverIn(before, id), serverIn(after, id)))
}

function compareServer(before: ServerPolicy, after: ServerPolicy): readonly SidedChange[] {
  const id = shownName(after.id)
  const changes: SidedChange[] = []
  const note = (tightens: boolean, sentence: string) => changes.push({ about: "server", tightens, sentence })
  if (before.trust !== after.trust) {
    const trusts = after.trust === "annotations" ? "now" : "no longer"
    // A tool no longer taken for a read escapes what restricts reads and falls under what allows writes; permissions do either, and no policy names them.
    note(false, `Hints from ${id} about its own tools are ${trusts} trusted.`)
  }
  if (before.pin !== after.pin) {
    const sentence = `Changed tools of ${id}: noticed ${depthWords[before.pin]} before, ${depthWords[after.pin]} now.`
    note(depths[after.pin] > depths[before.pin], sentence)
  }
  const newTools = { before: before.newTools ?? "hold", after: after.newTools ?? "hold" }
  if (newTools.before !== newTools.after) {
    const held = newTools.after === "hold"
    note(held, `New tools of ${id} are ${held ? "hidden from agents until accepted" : "offered to agents at once"}.`)
  }
  if (before.cwd !== after.cwd) note(false, `The folder where ${id} is started changed.`)
  if (after.isRemote === true && before.isRemote !== true) note(false, `The server ${id} moved to another machine.`)
  // With fewer folders, a relative path may start in fewer places; with more, less of what lies in them looks sensitive. Neither is safe in itself.
  if (!hasSame(before.folders, after.folders)) note(false, `The folders that ${id} works in changed.`)
  if (!hasSame(before.starts, after.starts)) note(false, `The folders where relative paths of ${id} may start changed.`)
  const offer = compareOffer(id, before.offer, after.offer)
  return offer === null ? changes : [...changes, offer]
}

function hasSame(these: readonly string[] = [], those: readonly string[] = []): boolean {
  return these.every((one) => those.includes(one)) && those.every((one) => these.includes(one))
}

const depths = { off: 0, schema: 1, full: 2 } as const satisfies Record<PinDepth, number>
const depthWords = {
  off: "not at all",
  schema: "in their schema",
  full: "in everything",
} as const satisfies Record<PinDepth, string>

type Offer = ServerPolicy["offer"]

function compareOffer(id: string, before: Offer, after: Offer): SidedChange | null {
  if (isWithin(after, before) && isWithin(before, after)) return null
  const text = (offer: Offer) => (offer === undefined ? "everything" : offer.map(wholeName).join(", ") || "nothing")
  const sentence = `The tools that ${id} offers: ${text(before)} before, ${text(after)} now.`
  return { about: "server", tightens: isWithin(after, before), sentence }
}

/** Whether everything `narrow` offers is offered by `wide`, as far as can be told. */
function isWithin(narrow: Offer, wide: Offer): boolean {
  if (wide === undefined) return true
  return narrow?.every((glob) => wide.some((other) => globCovers(other, glob))) ?? false
}

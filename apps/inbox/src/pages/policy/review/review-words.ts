import type { PolicyPreviewView } from "@byleave/api"
import { capitalized, countOf } from "@byleave/ui"

/** The result of a review, in a sentence or two. */
export function reviewWords(preview: PolicyPreviewView): string {
  if (!preview.ok) return "The text has errors and cannot be saved. Nothing changes until they are fixed."
  const { widens, tightens, other, tools, calls } = preview
  const ways = [
    counted(widens.length, "change allows more", "changes allow more"),
    counted(tightens.length, "restricts", "restrict"),
    counted(other.length, "other change", "other changes"),
  ].filter((way) => way !== null)
  const isFelt = tools.length > 0 || calls.different.length > 0
  const words = [changeWords(ways, isFelt), toolWords(tools.length, isFelt), callWords(calls, tools.length > 0)]
  return words.filter((sentence) => sentence !== "").join(" ")
}

function changeWords(ways: readonly string[], isFelt: boolean): string {
  if (ways.length > 0) return `${capitalized(ways.join(", "))}.`
  return isFelt ? "" : "No changes to the policy."
}

/** Nothing that reassures stands beside something that does not: what is decided by arguments shows in calls alone. */
function toolWords(count: number, isFelt: boolean): string {
  if (count === 0) return isFelt ? "" : "No tools change outcome."
  return `${countOf(count, "tool changes", "tools change")} outcome.`
}

function callWords({ looked, skipped, different }: PolicyPreviewView["calls"], areTools: boolean): string {
  if (looked === 0) return "No recorded calls to compare with yet."
  if (different.length > 0) {
    const denied = different.filter(({ wasDenied, after }) => wasDenied && after === "allow").length
    const told = `${different.length} of the last ${looked} recorded calls would${areTools ? " also" : ""} have had a different outcome.`
    return denied === 0 ? told : `${told} ${countOf(denied, "call")} that a person denied would run.`
  }
  const none = `None of the last ${looked} recorded calls would have had a different outcome.`
  if (skipped === 0) return areTools ? "" : none
  return areTools
    ? `${skipped} of the last ${looked} recorded calls could not be evaluated.`
    : `${none} ${skipped} of them could not be evaluated.`
}

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : countOf(count, one, many)
}

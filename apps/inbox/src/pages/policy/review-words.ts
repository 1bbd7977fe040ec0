import type { PolicyPreviewView } from "@byleave/api"

/** What a review comes to, in a sentence or two. */
export function reviewWords(preview: PolicyPreviewView): string {
  if (!preview.ok) return "The text cannot be saved as it is. Nothing changes until it can."
  const { widens, tightens, other, tools, calls } = preview
  const ways = [
    counted(widens.length, "thing widens", "things widen"),
    counted(tightens.length, "tightens", "tighten"),
    counted(other.length, "changes otherwise", "change otherwise"),
  ].filter((way) => way !== null)
  const isFelt = tools.length > 0 || calls.different.length > 0
  const words = [changeWords(ways, isFelt), toolWords(tools.length, isFelt), callWords(calls, tools.length > 0)]
  return words.filter((sentence) => sentence !== "").join(" ")
}

function changeWords(ways: readonly string[], isFelt: boolean): string {
  if (ways.length > 0) return `${capital(ways.join(", "))}.`
  return isFelt ? "" : "Nothing changes in what the policy says."
}

/** Nothing that reassures stands beside something that does not: what is decided by arguments shows in calls alone. */
function toolWords(count: number, isFelt: boolean): string {
  if (count === 0) return isFelt ? "" : "No known tool is decided otherwise."
  return count === 1 ? "1 known tool is decided otherwise." : `${count} known tools are decided otherwise.`
}

function callWords({ looked, different }: PolicyPreviewView["calls"], areTools: boolean): string {
  if (looked === 0) return "No calls are recorded yet to compare with."
  if (different.length > 0) {
    return `${different.length} of the last ${looked} recorded calls would have been decided otherwise${areTools ? ", too" : ""}.`
  }
  return areTools ? "" : `None of the last ${looked} recorded calls would have been decided otherwise.`
}

function counted(count: number, one: string, many: string): string | null {
  if (count === 0) return null
  return count === 1 ? `1 ${one}` : `${count} ${many}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

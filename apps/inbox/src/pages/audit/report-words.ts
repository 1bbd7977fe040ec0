import type { AuditReportView } from "@byleave/api"

/** One problem of the trail: what is wrong, and where. */
type FoundProblem = { readonly sentence: string; readonly where: string | null; readonly call: string | null }

/** Problems arrive as whatever the service found; a sentence is in each, and if not, its code. */
export function foundProblems(report: AuditReportView): readonly FoundProblem[] {
  return report.problems.map(({ sentence, code, writer, seq, subject }) => ({
    sentence:
      typeof sentence === "string" ? sentence : `Problem: ${typeof code === "string" ? code : "no reason given"}.`,
    where: typeof writer === "string" ? (typeof seq === "number" ? `${writer}/${seq}` : writer) : null,
    call: typeof subject === "string" ? subject : null,
  }))
}

export function countInWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`
}

/** A sentence about what was checked. */
export function checkedInWords({ records, chains }: AuditReportView): string {
  return `${countInWords(records, "record")} in ${countInWords(chains, "chain")} were checked from first to last.`
}

/** Findings that are neither sound nor broken, each with why it is nothing to worry about. */
export function notesOf({ unfinished, unsigned }: AuditReportView): readonly string[] {
  const notes: string[] = []
  if (unfinished > 0) {
    notes.push(
      `${countInWords(unfinished, "call")} unfinished: still waiting or running, or the process ended before it could record the outcome.`,
    )
  }
  if (unsigned > 0) {
    notes.push(
      `${countInWords(unsigned, "record")} not signed yet: just written. The next signature will cover them; verify again to confirm.`,
    )
  }
  return notes
}

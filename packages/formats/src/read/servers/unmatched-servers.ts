import { compileGlob, formatTargetPattern, type TargetPattern } from "@byleave/core"
import type { Report, TextPosition } from "../../problem.ts"
import type { ConfigDraft } from "../../text/draft.ts"
import { nearestWord } from "../did-you-mean.ts"

/** Reports by name what speaks of a server that this file does not have: mostly a slip of the pen. */
export function reportUnmatchedServers(draft: ConfigDraft, report: Report): void {
  const ids = draft.named
  if (ids.length === 0) return
  const written = [
    ...draft.policy.rules.map(({ target, origin }) => ({ target, origin })),
    ...draft.policy.classify.map(({ target, origin }) => ({ target, origin })),
  ]
  for (const { target, origin } of written) {
    // A template may be shared by files with other servers.
    if (origin.template !== undefined) continue
    const matches = compileGlob(target.server)
    if (ids.some(matches)) continue
    const place: TextPosition = { line: origin.line ?? 1, column: origin.column ?? 1, path: "policy" }
    report.warn(place, "unmatched-server", messageFor(target, ids))
  }
}

function messageFor(target: TargetPattern, ids: readonly string[]): string {
  const nearest = nearestWord(target.server, ids)
  const advice = nearest === undefined ? `The servers here are: ${ids.join(", ")}.` : `Did you mean \`${nearest}\`?`
  return `\`${formatTargetPattern(target)}\` is about a server this file does not have. ${advice} (It is fine for one that \`byleave wrap\` stands before.)`
}

import { compilePaidGlob, escapeGlob } from "../glob.ts"
import type { PaidFor } from "../glob-condition.ts"
import type { Judgement } from "../judgement.ts"
import { type JudgingWork, tooMuchWork } from "../judging-work.ts"
import { canonicalIpv6, hostOf, lowerAscii } from "./url-host.ts"
import { webHost } from "./web-host.ts"

const doubtful: Judgement = { unjudged: "is not an address whose host is beyond doubt" }

/** Tests the host of a URL against globs. With `sure`, a host in letters that systems rewrite never holds. */
export function compileHost(
  patterns: readonly string[],
  sure: boolean,
  paidFor: PaidFor,
): (url: string, work: JudgingWork) => Judgement {
  const wanted = patterns.map(hostGlob)
  const wrong = wanted.indexOf(null)
  if (wrong >= 0) {
    const judgement: Judgement = {
      unjudged: `is compared with something that is not a host, number ${wrong + 1} in the rule: leave out scheme, port and path`,
    }
    return () => judgement
  }
  const globs = wanted.flatMap((glob) => spellings(glob ?? "")).map(compilePaidGlob)
  return (url, work) => {
    const host = hostOf(url)
    if (host === null) return doubtful
    const payment = paidFor(url)
    let matches = false
    for (const glob of globs) {
      const isMatch = glob(host, work, payment)
      if (isMatch === null) return tooMuchWork
      if (isMatch) {
        matches = true
        break
      }
    }
    if (/^\p{ASCII}*$/u.test(host)) return matches ? "holds" : "fails"
    return matches && !sure ? "holds" : doubtful
  }
}

/** The pattern as a glob on hosts in their one spelling; null when no host can look like it. */
function hostGlob(pattern: string): string | null {
  const lower = lowerAscii(pattern)
  const ipv6 = canonicalIpv6(lower.replace(/^\[(.*)\]$/, "$1"))
  if (ipv6 !== null) return escapeGlob(ipv6)
  if (/[/@\\\s]/.test(lower) || lower === "" || /^[^:]*:[^:]*$/.test(lower)) return null
  return lower.endsWith(".") ? lower.slice(0, -1) : lower
}

/** A pattern in letters of other alphabets also as the web writes it. */
function spellings(glob: string): readonly string[] {
  const ascii = /^\p{ASCII}*$/u.test(glob) ? null : webHost(glob)
  return ascii === null ? [glob] : [glob, ascii]
}

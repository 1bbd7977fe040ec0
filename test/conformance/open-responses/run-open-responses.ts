import { makePlace } from "../../../apps/cli/src/service/fixtures/service-process.ts"
import { fetchSuite } from "./fetch-suite.ts"
import type { SuiteOutcome } from "./suite.ts"

const config = `version: 1
models:
  scripted:
    provider: scripted
    script:
      - when: weather
        calls: [{ tool: get_weather, args: { location: "San Francisco, CA" } }]
      - say: Hello to you.
reviewers: { presence: none }
`

/** Tests of what Byleave does not offer, and says so. */
const notOffered = (id: string): string | null => {
  if (id.startsWith("websocket-")) return "Responses over WebSocket are not offered."
  return id === "compact-response" ? "/responses/compact is not offered." : null
}

export type OpenResponsesReport =
  | { readonly skipped: string }
  | {
      readonly passed: readonly string[]
      readonly expected: ReadonlyArray<{ readonly id: string; readonly reason: string }>
      readonly problems: readonly string[]
    }

/** The suite of Open Responses before `byleave serve`. */
export async function runOpenResponses(from?: string): Promise<OpenResponsesReport> {
  const suite = await fetchSuite(from)
  if (typeof suite === "string") return { skipped: suite }
  const place = makePlace(config)
  try {
    await place.command("init", "--presence", "none", "--data", place.data)
    const { url } = await place.serve()
    const { stdout } = await place.command("tokens", "add", "suite", "--runner", "--json", "--data", place.data)
    const access = { baseUrl: `${url}/v1`, apiKey: JSON.parse(stdout).secret, authHeaderName: "authorization" }
    const options = { ...access, useBearerPrefix: true, model: "scripted", runtime: "server" } as const
    return judged(await suite.runAllTests(options, () => {}))
  } finally {
    await place.dispose()
  }
}

function judged(results: readonly SuiteOutcome[]): OpenResponsesReport {
  const problems = results.flatMap(({ id, status, errors = [] }) => {
    const isPassed = status === "passed"
    if (isPassed !== (notOffered(id) === null)) {
      return isPassed ? [`${id}: expected to fail, and does not any more`] : [`${id}: ${errors.join("; ")}`]
    }
    return []
  })
  return {
    passed: results.filter(({ status }) => status === "passed").map(({ id }) => id),
    expected: results.flatMap(({ id, status }) => {
      const reason = notOffered(id)
      return reason === null || status === "passed" ? [] : [{ id, reason }]
    }),
    problems,
  }
}

/** What the suite of Open Responses gives, as far as it is used here. */
export type Suite = {
  readonly runAllTests: (config: SuiteConfig, onProgress: (result: SuiteOutcome) => void) => Promise<SuiteOutcome[]>
}

type SuiteConfig = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly authHeaderName: string
  readonly useBearerPrefix: boolean
  readonly model: string
  readonly runtime: "server"
}

export type SuiteOutcome = {
  readonly id: string
  readonly status: "pending" | "running" | "passed" | "failed" | "skipped"
  readonly errors?: readonly string[]
}

import { fileURLToPath } from "node:url"
import { runClientScenario, type SpecVersion, type SuiteResult } from "../run-suite.ts"

/** The scenarios for clients that concern whoever speaks to a server; authorization and filling in forms do not. */
export const clientScenarios: readonly (readonly [SpecVersion, string])[] = [
  ["2025-11-25", "initialize"],
  ["2025-11-25", "tools_call"],
  ["2025-11-25", "sse-retry"],
  ["2025-11-25", "json-schema-2020-12-preservation"],
  ["2026-07-28", "tools_call"],
  ["2026-07-28", "request-metadata"],
  ["2026-07-28", "http-standard-headers"],
  ["2026-07-28", "http-custom-headers"],
  ["2026-07-28", "http-invalid-tool-headers"],
  ["2026-07-28", "json-schema-ref-no-deref"],
  ["2026-07-28", "json-schema-2020-12-preservation"],
  ["2026-07-28", "sep-2322-client-request-state"],
]

const driver = fileURLToPath(new URL("./drive.ts", import.meta.url))

export function drive(version: SpecVersion, scenario: string, middle: string): Promise<SuiteResult> {
  return runClientScenario({ command: `${process.execPath} ${driver} ${middle}`, scenario, version })
}

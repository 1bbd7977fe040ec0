/** What people read at a terminal goes through one writer, which ends rows; what does not is listed here, with why. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const sources = fileURLToPath(new URL("../../apps/cli/src", import.meta.url))
const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("fixtures/"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join(sources, name), "utf8") }))

const filesWith = (pattern: RegExp): readonly string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name)
    .toSorted()

it("R139: only these files reach the process's own outputs", () => {
  expect(filesWith(/process\.(?:stdout|stderr)\b|console\.|\/dev\/tty/)).toEqual([
    // Makes the writer; hands streams to commands that are servers on them, and to the screen of `watch`, which cuts its lines.
    "command-line.ts",
    // Starts the service unseen: its number, or why not.
    "reach/launch-word.ts",
    // A prompt of ours.
    "terminal/ask-secret.ts",
  ])
})

it("R139: only these files write to a terminal as it is", () => {
  expect(filesWith(/\basIs\b/)).toEqual([
    "commands/policy/policy-schema.ts",
    "commands/policy/policy-templates.ts",
    "commands/review/open.ts",
    "commands/review/reviewers.ts",
    "commands/review/watch.ts",
    "commands/runs/carry-runs.ts",
    "commands/service/audit.ts",
    "commands/service/tokens.ts",
    "io.ts",
    "run.ts",
    "service/serve.ts",
    "terminal/create-output.ts",
    "terminal/paint.ts",
  ])
})

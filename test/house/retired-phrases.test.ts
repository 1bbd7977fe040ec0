/** Words that read like a translation are not used again: each was replaced by what people expect to read. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What was written, and what is written instead. */
const retired = [
  ["Look twice", "Check before allowing"],
  ["look at twice", "check before allowing"],
  ["nothing says it only reads", "May modify data"],
  ["Wait longer", "Extend deadline"],
  ["Lately settled", "Recent decisions"],
  ["Forget this yes", "Revoke this permission?"],
  ["Forget this no", "Remove this denial?"],
  ["everything of it…", "Allow all tools…"],
  ["What nothing here covers", "Anything else needs approval"],
  ["not asked for again yet", "Approved, not run"],
  ["From then on it happens without a question", "Takes effect immediately"],
  ["decided otherwise", "change outcome"],
  ["in shape, ", "Schema and description changed"],
  ["Being told", "Notifications"],
  ["May say yes", "Can approve"],
  ["Does the trail hold", "Verify integrity"],
  ["The trail holds", "The audit trail is intact"],
  ["Take it along", "Export"],
  ["No waiting call is like that", "No matches"],
  ["without leave", "without approval"],
  ["remembered answer", "permission"],
  ["Nothing is remembered", "No permissions"],
  ["waits for your look", "to review"],
  ["wait for your look", "to review"],
  ["Leave it as it is", "Cancel"],
  ["People who decide", "Reviewers"],
  ["Say a time", "Enter a time"],
  ["says of itself", "definition"],
  ["That is not the PIN", "Wrong PIN"],
  ["That is no cursor", "Invalid cursor"],
  ["Look at it again", "Review it again"],
  ["There is no such thing here", "Not found"],
  ["this door", "this endpoint"],
  ["run unasked", "allowed without approval"],
  ["runs unasked", "runs without approval"],
  ["Ran unasked", "Ran without approval"],
  ["do unasked", "do without approval"],
  ["need confirmation", "need approval"],
] as const

const interfaceText = globSync(
  [
    "{apps/inbox,apps/cli,packages/ui,packages/server,packages/api}/src/**/*.{ts,tsx}",
    "packages/{core/src/policy,core/src/gate,formats/src,gateway/src/wire}/**/*.ts",
    "README.md",
    "docs/guides/*.md",
  ],
  { cwd: root },
).filter((file) => !/\.test\.tsx?$|\/fixtures\//.test(file))

it("reads the files that people's words are in", () => {
  expect(interfaceText).toContain("apps/inbox/src/pages/waiting/answer/settled-calls.tsx")
  expect(interfaceText).toContain("packages/core/src/policy/decide/sentences.ts")
  expect(interfaceText).toContain("docs/guides/inbox.md")
})

it.each(retired)("nobody reads %j any more, but %j", (phrase) => {
  const found = interfaceText.filter((file) => withoutComments(readFileSync(join(root, file), "utf8")).includes(phrase))
  expect(found).toEqual([])
})

/** Comments are for those who read code; what stands in a string or in a page is for everybody. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")
}

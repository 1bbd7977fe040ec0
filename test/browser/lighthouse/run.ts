/** `npm run lighthouse [-- PAGE…]`: accessibility must be 100 and best practices at least 95 on every page, at a desk and on a phone. */
import { lighthouseTable, lighthouseVersion, type PageScore, reaches } from "../../../scripts/lighthouse-table.ts"
import { lighthouseScores } from "./scores.ts"

const names = process.argv.slice(2)
console.log(`Lighthouse ${lighthouseVersion}, page by page:`)
const scores = await lighthouseScores(tell, (page) => names.length === 0 || names.includes(page))
console.log(`\n${lighthouseTable(scores)}`)
const short = scores.filter((score) => !reaches(score))
console.log(`${scores.length - short.length} passed, ${short.length} failed`)
process.exitCode = short.length > 0 || scores.length === 0 ? 1 : 0

function tell(score: PageScore): void {
  const { page, formFactor, accessibility, bestPractices, found } = score
  const mark = reaches(score) ? "ok     " : "failed "
  console.log(`${mark} ${page}, ${formFactor}: accessibility ${accessibility}, best practices ${bestPractices}`)
  for (const one of found) console.log(`        ${one.replaceAll("\n", "\n        ")}`)
}

/**
 * `npm run agent-questions [-- CLIENT…]`: whether the own permission questions of real programs reach Byleave, one program at a time, with a
 * scripted model on loopback. A person approves the first command and denies the second. Installs on demand; ends with 1 where a program
 * did otherwise.
 */
import {
  askQuestions,
  launched,
  promptedByAcp,
  promptedByAppServer,
  type QuestionsRun,
} from "../test/agents/ask-questions.ts"
import { clients } from "../test/agents/clients.ts"
import { installOnDemand } from "./install-on-demand.ts"

const runs: Readonly<Record<string, QuestionsRun["run"]>> = {
  claude: (scene, start) => launched(scene, ["claude", "--", "-p", "Go."], start),
  codex: (scene, start) => promptedByAppServer(scene, start),
  copilot: (scene, start) => promptedByAcp(scene, "copilot", start),
}
const longestMs = 150_000

const wanted = process.argv.slice(2)
let isWrong = false
for (const [name, run] of Object.entries(runs)) {
  const client = clients[name]
  if (client === undefined || (wanted.length > 0 && !wanted.includes(name))) continue
  const program = installOnDemand(client.program)
  const { output, ...seen } = await askQuestions(
    { client, program, command: name, run },
    AbortSignal.timeout(longestMs),
  )
  const isRight = seen.asked === 2 && seen.ranApproved && !seen.ranDenied
  console.log(`${client.section} ${client.version}: ${isRight ? "as it should be" : "WRONG"} ${JSON.stringify(seen)}`)
  if (!isRight) console.log(output)
  isWrong ||= !isRight
}
process.exitCode = isWrong ? 1 : 0

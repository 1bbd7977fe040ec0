/** `npm run demo [-- --yes]`: a small scripted agent against the service of `npm start`. */
import { findService } from "../apps/cli/src/reach/find-service.ts"
import { playAgent } from "../examples/demo/agent.ts"
import { approveWhatWaits } from "../examples/demo/approve.ts"
import { demoFolder } from "../examples/demo/prepare.ts"

const found = await findService({ data: demoFolder })
if ("missing" in found) {
  console.error("Nobody is listening yet. Run `npm start` in another terminal first, and leave it running.")
  process.exit(3)
}
const approvesItself = process.argv.includes("--yes")
const played = await playAgent({
  url: found.url,
  say: (line) => console.log(line),
  onWaiting: () => {
    if (approvesItself) return void approveWhatWaits(found.url, demoFolder, (line) => console.log(line))
    console.log(`Somebody has to say yes or no: in the inbox at ${found.url}/, which the link that \`npm start\` printed signs you in to, or in another terminal:
  npm run -s byleave -- pending --data ${demoFolder}
  npm run -s byleave -- approve ID --data ${demoFolder}
The agent waits.`)
  },
}).catch((cause: unknown) => cause)
if (played !== undefined) {
  const why = played instanceof Error ? played.message : String(played)
  console.error(`The demonstration ended early: ${why}\nIs \`npm start\` still running in the other terminal?`)
  process.exit(1)
}
console.log(`All of it is on record: npm run -s byleave -- audit list --data ${demoFolder}`)

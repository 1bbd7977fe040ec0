// Callers whose calls wait for a person. Arguments: the address, how many calls. Says on its channel how many were answered right.
import { openLean } from "../clients/lean.ts"

const [url = "", count = "0"] = process.argv.slice(2)
const conversations = await Promise.all(
  Array.from({ length: 20 }, () =>
    openLean({ transport: "http", url }, { kind: "lean", elicitation: false, sockets: Number.POSITIVE_INFINITY }),
  ),
)
let answered = 0
let failed = 0
let firstProblem = ""
for (let n = 0; n < Number(count); n++) {
  conversations[n % conversations.length]?.echo(`held ${n}`).then(
    () => {
      answered++
    },
    (cause: unknown) => {
      failed++
      firstProblem ||= String(cause)
    },
  )
}
process.on("message", () => process.send?.({ answered, failed, firstProblem }))
process.send?.("sent")

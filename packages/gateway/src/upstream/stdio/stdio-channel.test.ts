import { fileURLToPath } from "node:url"
import { afterEach, expect, it } from "vitest"
import { anyone, call, closeAll, said, tryUpstream } from "../fixtures/try-upstream.ts"

const faulty = fileURLToPath(new URL("../fixtures/faulty-stdio.ts", import.meta.url))

afterEach(closeAll)

it("a server that reads lines with Node's readline gets arguments with any line separators whole", async () => {
  const transport = { kind: "stdio", command: process.execPath, args: [faulty, "/dev/null"], env: new Map(), cwd: "/" }
  const link = await tryUpstream({ ...transport, kind: "stdio" }).link(anyone)
  expect(said(await call(link, "echo", { text: "one\u2028two\u2029three\u0085four" }, { timeoutMs: 5_000 }))).toBe(
    "echo",
  )
})

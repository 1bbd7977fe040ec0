// All of the races and crashes, not only the part that every test run takes.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const test = fileURLToPath(new URL("./test.ts", import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [test, "test/faults", "test/gateway-faults", "test/terminal/wrap-faults", "postgres-faults"],
  {
    stdio: "inherit",
    env: { ...process.env, BYLEAVE_FAULTS: "all" },
  },
)
process.exitCode = status ?? 1

import type { TextPosition } from "../../problem.ts"
import { everyTool, everyToolOf } from "../import/doubts.ts"
import type { Findings } from "../import/found-rules.ts"
import { isSpeaking, wordsIn } from "../import/known-keys.ts"

const everything = ["--allow-all-tools", "--allow-all", "--yolo", "--allow-all-mcp-server-instructions"]

/** Flags that restrict no tool of a server, although their names may sound so. */
const harmless = wordsIn(
  "--allow-all-paths --allow-all-urls --allow-url --deny-url --disallow-temp-dir --enable-all-github-mcp-tools",
  "--add-github-mcp-toolset --add-github-mcp-tool --additional-mcp-config --disable-parallel-tools-execution --no-ask-user",
)

/** Reports a flag that names no tools; one that may restrict tools leaves nothing allowed. */
export function loseFlag(written: string, at: TextPosition, { lose, doubt }: Findings): void {
  const flag = written.split(/[ =]/)[0] ?? ""
  if (everything.includes(flag)) {
    const why = "it lets every tool run without approval; write such a rule by hand, or set a session's mode"
    lose("stricter", at, written, why, "nothing, so that the default applies")
  } else if (flag === "--disable-builtin-mcps") {
    const why = "servers that come with Copilot CLI are not used"
    doubt({ ...everyToolOf("github-mcp-server"), at, written, why })
  } else if (flag === "--agent" || flag === "--plan") {
    doubt({ ...everyTool, at, written, why: "with it, fewer tools may run than are allowed" })
  } else if (!harmless.includes(flag) && flag.startsWith("-") && isSpeaking(flag)) {
    const why = "it is not known here, and may restrict tools; if it does not, take it out and import again"
    doubt({ ...everyTool, at, written, why })
  } else lose("dropped", at, written, "it is not about tools of MCP servers, or not known", "nothing")
}

/** Values of flags that may restrict tools: the mode, and servers with a list of their only tools. */
export function doubtValue(flag: string, value: string, at: TextPosition, { doubt }: Findings): void {
  const written = `${flag} ${value.length > 60 ? `${value.slice(0, 60)}…` : value}`
  if (flag === "--mode" && !["interactive", "autopilot"].includes(value)) {
    doubt({ ...everyTool, at, written, why: "in this mode fewer tools may run than are allowed" })
  }
  const rest = value.replaceAll(/"tools"\s?:\s?\[\s?"\*"\s?\]/g, "")
  if (flag === "--additional-mcp-config" && /"(?:tools|disabled|excludeTools|enabled)"/.test(rest)) {
    doubt({ ...everyTool, at, written, why: "servers in it have lists of the only tools that they may offer" })
  }
}

import type { ApprovalView } from "@byleave/api"
import type { JsonObject } from "@byleave/core"
import { changedPin, newPin, pendingCall } from "../calls.ts"
import { CardOf } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

type Asked = { readonly name: string; readonly args: JsonObject }

const asked: Readonly<Record<ApprovalView["kind"], Asked>> = {
  tool: { name: "search", args: { query: "quarterly report", limit: 20 } },
  resource: { name: "file:///home/me/notes.md", args: { uri: "file:///home/me/notes.md" } },
  prompt: { name: "summarize", args: { topic: "the plan" } },
  sampling: {
    name: "",
    args: {
      messages: [{ role: "user", content: { type: "text", text: "Summarize the file." } }],
      systemPrompt: "You are brief.",
      maxTokens: 400,
    },
  },
  elicitation: {
    name: "",
    args: {
      message: "Which branch should be released?",
      requestedSchema: { type: "object", properties: { branch: { type: "string" } } },
    },
  },
  roots: { name: "", args: {} },
  method: { name: "x/reindex", args: { full: true } },
}

function kindExample([kind, { name, args }]: [string, Asked]): Example {
  const approval = {
    ...pendingCall({ tool: { server: "docs", tool: name }, args }),
    ...(kind === "tool" ? {} : { accessFrom: null, pin: null }),
    kind: kind as ApprovalView["kind"],
  }
  return { id: `kind-${kind}`, title: kind, Draw: () => <CardOf approval={approval} /> }
}

const policyArgs = {
  file: "/home/me/.byleave/byleave.yaml",
  widens: ["files(write_file) no longer needs approval."],
  tightens: ["web(fetch) is denied."],
  servers: ["memory is new: it runs npx memory-server."],
}
const before = "version: 1\npolicy:\n  default: ask\n"
const after = `${before}  rules:\n    - allow: "files(write_file)"\n    - deny: "web(fetch)"\n`

export const cardKinds: ExampleGroup = {
  title: "Card: kinds",
  examples: [
    ...Object.entries(asked).map(kindExample),
    {
      id: "kind-policy-change",
      title: "change of the configuration",
      Draw: () => (
        <CardOf
          approval={pendingCall({ tool: { server: "byleave", tool: "change_policy" }, args: policyArgs })}
          current={{ kind: "configuration", file: policyArgs.file, before, after }}
        />
      ),
    },
    {
      id: "kind-new-tool",
      title: "tool that nobody has accepted",
      Draw: () => <CardOf approval={pendingCall({ pin: "new" })} pin={newPin} />,
    },
    {
      id: "kind-changed-tool",
      title: "tool whose definition changed",
      Draw: () => <CardOf approval={pendingCall({ pin: "changed" })} pin={changedPin} />,
    },
    {
      id: "kind-unknown-session",
      title: "nothing known of session and server",
      Draw: () => <CardOf approval={pendingCall()} server={null} session={null} />,
    },
  ],
}

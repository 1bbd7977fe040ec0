import type { BuiltInTemplate } from "./template.ts"

const secretsAsk = `    - ask: "*(*)"
      when: { "*": { sensitive: true } }
      remember: never
      reason: Something in it looks like a secret, or leads to one.
    - ask: "*(resource:*.env*)"
      remember: never
    - ask: "*(resource:*.pem)"
      remember: never
    - ask: "*(resource:*.key)"
      remember: never
    - ask: "*(resource:*id_rsa*)"
      remember: never
    - ask: "*(resource:*id_ed25519*)"
      remember: never
    - ask: "*(resource:*/.ssh/*)"
      remember: never
    - ask: "*(resource:*/.aws/*)"
      remember: never
    - ask: "*(resource:*credentials*)"
      remember: never
    - ask: "*(resource:*secret*)"
      remember: never
`

const secretsDenied = secretsAsk.replaceAll("- ask:", "- deny:").replaceAll("      remember: never\n", "")

/** Templates about every server. */
export const generalTemplates: readonly BuiltInTemplate[] = [
  {
    name: "read-only",
    version: 1,
    for: "everything",
    summary:
      "Tools known to read run; everything else is denied. A call in which something looks sensitive asks every time.",
    text: `version: 1
policy:
  default: ask
  rules:
    - allow: "*(*)"
      access: read
    - deny: "*(*)"
      access: write
      reason: Only tools known to read may run here. Use the template of this server, classify the tool, or trust the server's annotations.
${secretsAsk}  modes: { forbid: [autonomous] }
`,
  },
  {
    name: "ask-for-writes",
    version: 1,
    for: "everything",
    summary:
      "Tools known to read run; everything else asks, unless your own rules say otherwise. A call in which something looks sensitive asks every time.",
    text: `version: 1
policy:
  default: ask
  rules:
    - allow: "*(*)"
      access: read
${secretsAsk}`,
  },
  {
    name: "locked-down",
    version: 1,
    for: "everything",
    summary:
      "Nothing runs but what your own rules and permissions allow: every other tool is denied, and so are resources, prompts, sampling, elicitation and roots.",
    text: `version: 1
policy:
  default: deny
  rules:
    - deny: "*(resource:*)"
    - deny: "*(prompt:*)"
    - deny: "*(sampling)"
    - deny: "*(elicitation)"
    - deny: "*(roots)"
  modes: { forbid: [autonomous, observe] }
`,
  },
  {
    name: "unattended-ci",
    version: 1,
    for: "everything",
    summary:
      "For jobs nobody watches: nothing ever waits. Tools known to read run, what your own rules allow runs, and what would ask is refused at once. What looks sensitive is denied.",
    text: `version: 1
policy:
  default: deny
  unattended: true
  rules:
    - allow: "*(*)"
      access: read
${secretsDenied}  modes: { forbid: [autonomous, observe] }
`,
  },
]

import { builtInTemplates, nearestWord, templateId } from "@byleave/formats"
import type { Command } from "commander"
import { reportFailure } from "../../failure.ts"
import type { ExitCode, Io } from "../../io.ts"
import { asIs, createPaint, jsonLines } from "../../terminal/paint.ts"

type Flags = { readonly json?: true }

export function addPolicyTemplates(policy: Command, io: Io, done: (code: ExitCode) => void): void {
  policy
    .command("templates")
    .description("list the templates that `policy.use` can name, or print the rules of one")
    .argument("[name]", "a template, such as read-only or read-only@1")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action((name: string | undefined, flags: Flags) =>
      done(name === undefined ? listAll(flags, io) : printOne(name, flags, io)),
    )
}

const examples = `
In the rules of a template for one server, \`this\` stands for that server.

Examples:
  byleave policy templates
  byleave policy templates github`

function listAll({ json }: Flags, io: Io): ExitCode {
  if (json === true) {
    io.stdout.write(jsonLines({ templates: builtInTemplates.map(({ text: _text, ...template }) => template) }))
    return 0
  }
  const paint = createPaint(io.stdout, io.env)
  const lines = builtInTemplates.map((template) => {
    const use = template.for === "server" ? `{ ${template.name}: SERVER }` : template.name
    return `${paint("bold", use)}  ${paint("dim", templateId(template))}\n    ${template.summary}\n`
  })
  io.stdout.write(`${lines.join("")}\nWrite them under policy.use. A file of yours is used as ./team.yaml.\n`)
  return 0
}

function printOne(name: string, { json }: Flags, io: Io): ExitCode {
  const found = builtInTemplates.findLast((template) => template.name === name || templateId(template) === name)
  if (found === undefined) {
    const names = [...new Set(builtInTemplates.map((template) => template.name))]
    const nearest = nearestWord(name, names)
    const advice = nearest === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${nearest}?`
    reportFailure({ error: `There is no template ${name}. ${advice}` }, json === true, io)
    return 1
  }
  io.stdout.write(
    json === true ? jsonLines({ template: found }) : asIs(`# ${templateId(found)}: ${found.summary}\n${found.text}`),
  )
  return 0
}

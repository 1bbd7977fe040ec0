import { configSchema } from "@byleave/formats"
import type { Command } from "commander"
import type { Done, Io } from "../../io.ts"
import { asIs } from "../../terminal/paint.ts"

export function addPolicySchema(policy: Command, io: Io, done: Done): void {
  policy
    .command("schema")
    .description("print the JSON Schema of byleave.yaml, for editors")
    .option("--json", "the same: the schema is JSON")
    .addHelpText("after", examples)
    .action(() => {
      io.stdout.write(asIs(`${JSON.stringify(configSchema, null, 2)}\n`))
      done(0)
    })
}

const examples = `
Editors with the YAML language server take it from a comment at the top of byleave.yaml. A running service serves it:
  # yaml-language-server: $schema=http://127.0.0.1:7337/byleave.schema.json

Example:
  byleave policy schema > byleave.schema.json`

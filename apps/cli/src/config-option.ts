import { InvalidArgumentError, Option } from "commander"

/** `--config`, the same for every command. */
export function configOption(): Option {
  return new Option("--config <file>", "the configuration").default("byleave.yaml").argParser((written) => {
    if (written === "") throw new InvalidArgumentError("Name a file.")
    return written
  })
}

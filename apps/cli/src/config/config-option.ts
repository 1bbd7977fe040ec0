import { join } from "node:path"
import { InvalidArgumentError, Option } from "commander"
import { dataFolder } from "../files/data-folder.ts"
import type { Io } from "../io.ts"
import { findConfig } from "./find-config.ts"

/** `--config`, for commands that serve, check or explain a file. */
export function configOption(): Option {
  return fileOption("configuration file (default: ./byleave.yaml, then the data folder's)")
}

/** `--config`, for commands that pass rules on: what merely lies in the current folder says nothing to other programs. */
export function rulesOption(): Option {
  return fileOption("take the rules of this file alone (default: those in force)")
}

function fileOption(words: string): Option {
  return new Option("--config <file>", words).argParser((written) => {
    if (written === "") throw new InvalidArgumentError("Enter a file name.")
    return written
  })
}

/** The file these options mean, as people would write it. */
export function configOf(flags: { readonly config?: string; readonly data?: string }, io: Io): string {
  if (flags.config !== undefined) return flags.config
  const found = findConfig(undefined, dataFolder(flags.data, io), io)
  return found === undefined || found === join(io.cwd, "byleave.yaml") ? "byleave.yaml" : found
}

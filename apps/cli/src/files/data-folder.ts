import { Option } from "commander"

export { dataFolder, openDataFolder } from "./data-place.ts"

/** `--data`, the same for every command that speaks with, or for, a service. */
export function dataOption(): Option {
  return new Option("--data <folder>", "Byleave's data folder (default: BYLEAVE_DATA, then the standard location)")
}

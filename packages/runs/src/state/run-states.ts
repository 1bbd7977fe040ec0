import type { RunStates } from "../library/create-agent.ts"
import { type ExportPorts, exportRun } from "./export-run.ts"
import { importRun } from "./import-run.ts"
import type { StateFormat } from "./seal-state.ts"

export type RunStatesOptions = ExportPorts & { readonly now: () => number; readonly format?: StateFormat }

/** Carries runs as texts that are sealed with one key. */
export function createRunStates({ now, format, ...ports }: RunStatesOptions): RunStates {
  return {
    export: (id, by) => exportRun(ports, id, { by, ...(format === undefined ? {} : { format }) }),
    import: (runs, text, by) => importRun({ runs, key: ports.key, now }, text, { by }),
  }
}

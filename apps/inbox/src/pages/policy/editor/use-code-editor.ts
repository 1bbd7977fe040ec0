import { useEffect, useState } from "react"
import { type ConfigSchema, loadConfigSchema } from "../../../data/load-config-schema.ts"

type Module = typeof import("./code-editor/open-code-editor.ts")

export type CodeEditorProgram = {
  readonly openCodeEditor: Module["openCodeEditor"]
  /** Null until it is there; the text can be edited without it. */
  readonly schema: () => ConfigSchema | null
}

export type CodeEditorState =
  | { readonly state: "loading" }
  | { readonly state: "loaded"; readonly program: CodeEditorProgram }
  | { readonly state: "failed" }

/** Loads the program of the editor when a text is first opened; no other page needs it. */
export function useCodeEditor(): CodeEditorState {
  const [now, setNow] = useState<CodeEditorState>({ state: "loading" })
  useEffect(() => {
    let isWanted = true
    const tell = (next: CodeEditorState): void => {
      if (isWanted) setNow(next)
    }
    let schema: ConfigSchema | null = null
    void loadConfigSchema().then((loaded) => {
      schema = loaded
    })
    import("./code-editor/open-code-editor.ts").then(
      ({ openCodeEditor }) => tell({ state: "loaded", program: { openCodeEditor, schema: () => schema } }),
      () => tell({ state: "failed" }),
    )
    return () => {
      isWanted = false
    }
  }, [])
  return now
}

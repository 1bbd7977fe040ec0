/**
 * The preview of edited arguments, asked for while somebody types.
 *
 * I1. The preview belongs to the newest arguments: an answer for earlier ones, however late, is dropped.
 * I2. The service is asked once the typing rests, and never twice at once for the same arguments.
 */
import type { EditPreviewView } from "@byleave/api"
import { canonicalJson, type JsonObject } from "@byleave/core"

/** Asks the service what a call with these arguments would do. */
export type LoadPreview = (args: JsonObject) => Promise<EditPreviewView>

export type ArgumentDraft = { readonly args: JsonObject; readonly version: string } & (
  | { readonly state: "checking" }
  | { readonly state: "checked"; readonly preview: EditPreviewView }
  | { readonly state: "failed"; readonly why: string }
)

export type EditPreviewer = {
  /** Null: nothing is edited, or it cannot be sent as it stands. */
  readonly edit: (args: JsonObject | null) => void
  /** Asks again for what could not be told. */
  readonly again: () => void
  readonly stop: () => void
}

/** Tells two drafts apart. */
export function versionOf(args: JsonObject): string {
  return canonicalJson(args)
}

/** Why arguments cannot be allowed yet: the card does not show what exactly these would do. Null: it does, or nothing is edited. */
export function whyNotShown(toSend: JsonObject | null, draft: ArgumentDraft | null): string | null {
  if (toSend === null) return null
  if (draft === null || draft.version !== versionOf(toSend) || draft.state === "checking") {
    return "Checking your edit. You can allow the call once its effect is shown."
  }
  if (draft.state === "failed") return `Your edit could not be checked: ${draft.why}`
  return draft.preview.refused
}

const restMs = 300

export function createEditPreviewer(load: LoadPreview, tell: (draft: ArgumentDraft | null) => void): EditPreviewer {
  let newest: { readonly args: JsonObject; readonly version: string } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async (args: JsonObject, version: string): Promise<void> => {
    const answer = await load(args).then(
      (preview) => ({ state: "checked" as const, preview }),
      (cause: unknown) => ({ state: "failed" as const, why: cause instanceof Error ? cause.message : String(cause) }),
    )
    if (newest?.version === version) tell({ args, version, ...answer })
  }
  const begin = (args: JsonObject, version: string, afterMs: number): void => {
    clearTimeout(timer)
    newest = { args, version }
    tell({ args, version, state: "checking" })
    timer = setTimeout(() => void ask(args, version), afterMs)
  }
  const stop = (): void => {
    clearTimeout(timer)
    newest = null
  }
  return {
    edit: (args) => {
      if (args === null) {
        if (newest === null) return
        stop()
        return tell(null)
      }
      const version = versionOf(args)
      if (newest?.version !== version) begin(args, version, restMs)
    },
    again: () => {
      if (newest !== null) begin(newest.args, newest.version, 0)
    },
    stop,
  }
}

import { browserSwitch } from "./browser-switch.ts"

/** Whether answers given in this browser can be taken back for three seconds. */
export const useUndoSetting = browserSwitch("byleave.undo")

/** Whether the next waiting call opens once an answer is given. */
export const useNextSetting = browserSwitch("byleave.next")

import { asTyped } from "./ask-secret.ts"
import type { Io } from "./io.ts"

export const noTerminal =
  "No PIN was typed, so nothing was changed. It is typed on a terminal, and perhaps there is none here. Run `byleave init` in one; `--presence none` needs no PIN and is for demonstrations only."

const shortest = 6

/** The PIN that a person wants, typed twice. */
export async function choosePin(
  io: Pick<Io, "askSecret">,
): Promise<{ readonly pin: string } | { readonly problem: string }> {
  const pin = await io.askSecret(`Choose a PIN (at least ${shortest} characters): `, asTyped)
  if (pin === null) return { problem: noTerminal }
  if ([...pin].length < shortest) return { problem: `A PIN has at least ${shortest} characters. Nothing was changed.` }
  const again = await io.askSecret("The same again: ", asTyped)
  if (again !== pin) return { problem: "The two were not the same. Nothing was changed; run it again." }
  return { pin }
}

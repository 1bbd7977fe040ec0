import { asTyped } from "./ask-secret.ts"
import type { Io } from "./io.ts"

export const noTerminal =
  "No PIN was typed, so nothing was changed. It is typed on a terminal, and perhaps there is none here. Run `byleave init` in one; `--presence none` needs no PIN and is for demonstrations only."

const shortest = 6
const tries = 3

/** The PIN that a person wants, typed twice. After a slip it is asked for again, a few times. */
export async function choosePin(
  io: Pick<Io, "askSecret" | "stderr">,
): Promise<{ readonly pin: string } | { readonly problem: string }> {
  for (let left = tries - 1; ; left--) {
    const typed = await typeTwice(io)
    if (typed === null) return { problem: noTerminal }
    if ("pin" in typed) return typed
    if (left === 0) return { problem: `${typed.slip} Nothing was changed. Run \`byleave init\` again.` }
    io.stderr.write(`${typed.slip} Try again.\n`)
  }
}

/** Null: there is no terminal, or the person gave up. */
async function typeTwice(
  io: Pick<Io, "askSecret">,
): Promise<{ readonly pin: string } | { readonly slip: string } | null> {
  const pin = await io.askSecret(`Choose a PIN (at least ${shortest} characters): `, asTyped)
  if (pin === null) return null
  if ([...pin].length < shortest) return { slip: `A PIN needs at least ${shortest} characters.` }
  const again = await io.askSecret("Repeat the PIN: ", asTyped)
  if (again === null) return null
  return again === pin ? { pin } : { slip: "The two PINs did not match." }
}

import type { Io } from "../io.ts"
import { asTyped } from "./ask-secret.ts"

export const noTerminal =
  "No PIN was entered, so nothing was changed. The PIN must be typed in a terminal. Run `byleave init` in one, or use `--presence none` for demos without a PIN."

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
  if ([...pin].length < shortest) return { slip: `The PIN must have at least ${shortest} characters.` }
  const again = await io.askSecret("Repeat the PIN: ", asTyped)
  if (again === null) return null
  return again === pin ? { pin } : { slip: "The PINs did not match." }
}

import { randomBytes, timingSafeEqual } from "node:crypto"
import { stretch } from "./sealed-key.ts"

/** How PINs are kept in the store: `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. */
export const pinHash = {
  make: async (pin: string): Promise<string> => {
    const salt = randomBytes(16)
    const hash = await stretch(pin, salt, cost)
    return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64"), hash.toString("base64")].join("$")
  },
  check: async (pin: string, stored: string): Promise<boolean> => {
    const [name, N, r, p, salt = "", hash = ""] = stored.split("$")
    if (name !== "scrypt") return false
    const expected = Buffer.from(hash, "base64")
    const given = await stretch(pin, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) })
    return given.length === expected.length && timingSafeEqual(given, expected)
  },
}

const cost = { N: 2 ** 17, r: 8, p: 1 } as const

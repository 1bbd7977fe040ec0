import { adapterContract } from "../fixtures/adapter-contract.ts"
import { gated } from "./gated.ts"

adapterContract(({ runTool }, options) => ({
  call: async (name, args) => {
    const value: unknown = await gated(name, runTool(name), options)(args, {})
    return typeof value === "string" ? value : JSON.stringify(value)
  },
}))

import { refuse } from "../refused.ts"
import type { Handler } from "./handler.ts"

const notYet = refuse("unavailable", "This service cannot do that yet. Update Byleave.")

export const listCalls: Handler<"listCalls"> = () => notYet

export const getCall: Handler<"getCall"> = () => notYet

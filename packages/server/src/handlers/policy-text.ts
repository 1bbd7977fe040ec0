import { refuse } from "../refused.ts"
import type { Handler } from "./handler.ts"

const notYet = refuse("unavailable", "This service cannot do that yet. Update Byleave.")

export const getPolicyText: Handler<"getPolicyText"> = () => notYet

export const previewPolicy: Handler<"previewPolicy"> = () => notYet

export const savePolicy: Handler<"savePolicy"> = () => notYet

import type { GateContext } from "../context.ts"

/** Callers are named by the process that holds them, so that others can tell whether anyone is still there. */
export function callerName(context: GateContext, name: string | undefined): string {
  return `${context.store.writer}/${name ?? context.nextCaller()}`
}

/** The process that holds, or held, this caller. */
export function writerOf(caller: string): string {
  return caller.slice(0, caller.indexOf("/"))
}

/** For what fails before the caller is attached. */
export function forgetCaller(context: GateContext, caller: string): (error: unknown) => never {
  return (error) => {
    context.callers.delete(caller)
    throw error
  }
}

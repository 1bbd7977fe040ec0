/** Ids are made of the run, the leg and the tool call, so that the things they name can be found again. */

/** The number that a leg of a run has on the wire, and back. */
export type LegRef = { readonly run: string; readonly leg: number }

export function responseId({ run, leg }: LegRef): string {
  return `resp_${run}_${leg}`
}

export function readResponseId(id: string): LegRef | null {
  const [, run, leg] = /^resp_([^_]+)_([1-9]\d{0,8})$/.exec(id) ?? []
  return run === undefined ? null : { run, leg: Number(leg) }
}

type SaidPrefix = "msg" | "rs"

/** `step`: which answer of the leg; `nth`: which of the things it says. */
export function saidId(prefix: SaidPrefix, { run, leg }: LegRef, step: number, nth: number): string {
  return `${prefix}_${run}_${leg}_${step}_${nth}`
}

export function listId({ run, leg }: LegRef, label: string): string {
  return `mcpl_${run}_${leg}_${plain(label)}`
}

type CallPrefix = "mcp" | "mcpr" | "fc"

/** A tool call is unique in its run. */
export function callItemId(prefix: CallPrefix, run: string, toolCall: string): string {
  return `${prefix}_${run}_${plain(toolCall)}`
}

/** The run that an item came from, if it is one of ours. */
export function runOfItem(id: string): string | null {
  return /^(?:msg|rs|mcpl|mcpr|mcp|fc)_([^_]+)_./.exec(id)?.[1] ?? null
}

/** Providers choose the ids of tool calls: anything unusual is written as its code. */
function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, (character) => `~${character.codePointAt(0)?.toString(16)}~`)
}

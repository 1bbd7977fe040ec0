import { generalTemplates } from "./general-templates.ts"
import { serverTemplates } from "./server-templates.ts"
import type { BuiltInTemplate } from "./template.ts"

/** All templates that come with Byleave, in the order people are told of them; of each name, the newest version last. */
export const builtInTemplates: readonly BuiltInTemplate[] = [...generalTemplates, ...serverTemplates]

/** `name@version`. */
export function templateId({ name, version }: BuiltInTemplate): string {
  return `${name}@${version}`
}

/** The versions of a template, the newest last. */
export function templateVersions(name: string): readonly BuiltInTemplate[] {
  return builtInTemplates.filter((template) => template.name === name)
}

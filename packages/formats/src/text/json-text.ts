/**
 * Blanks out what clients put into their JSON files and YAML has no use for (comments, tabs between values),
 * character for character, so that places stay true.
 */
export function blankJsonExtras(text: string): string {
  const parts = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\t/g
  return text.replaceAll(parts, (part) => (part.startsWith('"') ? part : part.replaceAll(/[^\n]/g, " ")))
}

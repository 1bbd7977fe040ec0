export type ConfigSchema = { readonly [key: string]: unknown }

/** Fetches the published JSON Schema of the configuration; null where it cannot be had, for it is only a help. */
export async function loadConfigSchema(): Promise<ConfigSchema | null> {
  try {
    const response = await fetch("/byleave.schema.json")
    return response.ok ? ((await response.json()) as ConfigSchema) : null
  } catch {
    return null
  }
}

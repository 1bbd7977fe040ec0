/** The legacy revisions, newest first: opened by `initialize`, which agrees on one of them. */
export const legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const
/** The modern revisions, newest first: named by every request. */
export const modernVersions = ["2026-07-28"] as const

export const newestLegacy = legacyVersions[0]
export const newestModern = modernVersions[0]

/** The only revision that knows JSON-RPC batches. */
const batchVersion = "2025-03-26"
/** Since when a stream begins with an empty event that names where to come back to; older clients fail on one. */
const primingSince = "2025-11-25"

export function isLegacyVersion(version: string): boolean {
  return (legacyVersions as readonly string[]).includes(version)
}

export function isModernVersion(version: string): boolean {
  return (modernVersions as readonly string[]).includes(version)
}

/** The version agreed on when a legacy client asks for this one: the same if we know it, else the newest we know. */
export function agreedLegacy(requested: string | undefined): string {
  return requested !== undefined && isLegacyVersion(requested) ? requested : newestLegacy
}

export function hasBatches(version: string): boolean {
  return version === batchVersion
}

/** Revisions are dates, so their texts sort by time. */
export function startsWithPriming(version: string): boolean {
  return version >= primingSince
}

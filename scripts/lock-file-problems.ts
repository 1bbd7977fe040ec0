/** The entries of a lock file that tie it to one machine or one registry; none if any machine can install from it. */
export function lockFileProblems(text: string): readonly string[] {
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>
  }
  return Object.entries(packages).flatMap(([place, entry]) => {
    const { resolved } = entry
    if (resolved !== undefined && !(entry.link && isWorkspace(resolved))) {
      return [`${place} records where it was downloaded (${resolved}); run npm install with the project's .npmrc`]
    }
    const fetched = place.includes("node_modules/") && !entry.link
    return fetched && entry.integrity === undefined ? [`${place} has no integrity`] : []
  })
}

function isWorkspace(resolved: string): boolean {
  return /^(packages|apps)\/[a-z-]+$/.test(resolved)
}

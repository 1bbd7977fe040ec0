// Plain JavaScript that Node 20 understands: setup uses it before anything is installed.
import { existsSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"

/** Instructions for when no PostgreSQL server is found. */
export const howToGetPostgres =
  "no PostgreSQL server found; apt-get install postgresql (brew install postgresql on macOS), or set BYLEAVE_TEST_POSTGRES to a postgres:// URL"

/** The folder that holds initdb and postgres, newest version first; undefined when there is none. */
export function findPostgresBinaries(path = process.env.PATH ?? "") {
  return [...path.split(delimiter).filter(Boolean), ...usualFolders()].find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  )
}

function usualFolders() {
  return [
    ...versionsIn("/usr/lib/postgresql"),
    ...versionsIn("/opt/homebrew/opt", "postgresql@"),
    ...versionsIn("/usr/local/opt", "postgresql@"),
    "/usr/local/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/bin",
  ]
}

// Debian keeps the server's programs out of PATH, one folder per major version.
function versionsIn(folder, prefix = "") {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d+(\.\d+)?$/.test(name.slice(prefix.length)))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
    .map((name) => join(folder, name, "bin"))
}

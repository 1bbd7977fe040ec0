/** Instructions for when no PostgreSQL server is found. */
export const howToGetPostgres: string

/** The folder that holds initdb and postgres, newest version first; undefined when there is none. */
export function findPostgresBinaries(path?: string): string | undefined

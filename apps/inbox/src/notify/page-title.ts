/** The tab's title: what waits first, since tabs are narrow. */
export function pageTitle(page: string, waiting: number): string {
  const name = page === "" || page === "Waiting" ? "Byleave" : `${page} · Byleave`
  return waiting === 0 ? name : `(${waiting}) ${name}`
}
